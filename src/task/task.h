// Task: the contract of one kernel, immutable for a campaign and identified by its digest.
// read_task (task/read.h) makes one from a folder; bind_case (task/bind.h) turns a case into sizes and values.
// Plain values; whoever holds a Task owns it. Expressions are kept parsed; they were checked when the task was read.
// docs/task.md describes the same fields as they stand in task.toml.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "task/expression.h"
#include "task/types.h"

namespace hone::task {

struct Axis {
  std::string name;
  AxisKind kind = AxisKind::by_case;
  int64_t value = 0;               // fixed
  std::optional<int64_t> minimum;  // by_case: the public range
  std::optional<int64_t> maximum;  // without it: the largest bound value of any case
  std::optional<int64_t> multiple_of;
  std::optional<Expression> expression;  // derived
};

struct Fill {
  FillKind kind = FillKind::uniform;  // default: uniform [-1, 1) for floating types, integers [0, 100] for others
  double low = -1.0;                  // uniform [low, high), integers [low, high]
  double high = 1.0;
  double mean = 0.0;  // normal
  double deviation = 1.0;
  double value = 0.0;                 // constant
  std::optional<Expression> formula;  // of `i`, the flat element index, and the axes
  std::string file;                   // raw little-endian bytes, relative to the task folder
};

struct Compare {
  CompareRule rule = CompareRule::bound;
  std::optional<double> absolute_tolerance;
  std::optional<double> relative_tolerance;
  RelativeTo relative_to = RelativeTo::reference;
  double relative_floor = 0.0;      // added to what relative_tolerance scales with, against division by next to nothing
  double matched_ratio = 1.0;       // fraction of elements that must be within the rule
  std::optional<double> ceiling;    // no element's error may be above this multiple of its tolerance
  std::optional<double> error_cap;  // nor above this
  bool reject_all_zero = false;     // all zeros never pass where the truth is anything else
  NonFinite nonfinite = NonFinite::none;
  std::optional<Expression> terms;  // K, the number of accumulated terms; default 1
  bool exact_sums = true;           // sums of small whole numbers must come out exact (judge/exact_sums.h)
};

// Of an argument with role tensor_map: a descriptor that the judge builds for a kernel that copies tiles by hardware.
// The tensor it describes is the argument's own shape and strides, or those of its base. Lists are row-major as
// everywhere in a contract; the driver wants them turned around (task/tensor_map.h).
struct TensorMap {
  std::string base;                         // a buffer of the contract
  std::optional<TensorElement> elements;    // absent: what the base's dtype says
  std::vector<Expression> box;              // elements of one tile, over axes and tunables
  std::vector<Expression> element_strides;  // empty: 1 for each dimension
  Interleave interleave = Interleave::none;
  Swizzle swizzle = Swizzle::none;
  L2Promotion l2_promotion = L2Promotion::none;
  OutOfBounds out_of_bounds = OutOfBounds::zeros;
};

struct Argument {
  std::string name;
  Role role = Role::in;
  DType dtype = DType::f32;
  std::vector<Expression> shape;    // row-major; empty for scalars
  std::vector<Expression> strides;  // in elements; empty = contiguous
  Fill fill;
  Compare compare;
  uint64_t align_bytes = 256;
  bool constant_across_calls = false;  // a note of the author's: contents are new in every launch all the same
  std::optional<Expression> value;     // size: its value; scalar: a fixed value (else bound by the case)
  std::optional<Expression> bytes;     // local, scratch, derived
  TensorMap tensor_map = {};
};

struct Parameter {
  std::string name;
  std::vector<std::string> values;  // as text, each matches [A-Za-z0-9_.+-]+
  std::string default_value;
  int tier = 1;
};

// What a host function is prepared by: another function of the same sources, for which all that holds that holds for a
// launch of the phase "prepare".
struct Prepare {
  std::string entry;
  std::vector<std::string> arguments;  // in the function's order
};

struct Kernel {
  Language language = Language::cpp;
  Call call = Call::host_function;
  std::vector<std::string> sources;
  std::string entry;
  std::optional<Prepare> prepare;
  std::vector<std::string> editable;  // default: the sources
  std::vector<std::string> flags;     // compile-option ids
  std::vector<std::string> include;   // names of header roots (device/header_roots.h), searched in this order
  std::vector<Language> alternatives;
};

// One launch of a device kernel, in order; backends that launch read it. A host function has none, and is seen as one
// where it is prepared (task/launch.h).
struct Launch {
  std::string entry;  // empty: the kernel's
  Phase phase = Phase::run;
  std::vector<Expression> grid;     // in blocks, over axes and tunables
  std::vector<Expression> block;    // in threads
  std::vector<Expression> cluster;  // in blocks
  std::optional<Expression> dynamic_shared_bytes;
  bool cooperative = false;
  std::vector<std::string> arguments;  // empty: all but symbols, in order
};

// A third arm of the measurement, verified like a candidate and never one.
struct Baseline {
  std::string name;
  BaselineKind kind = BaselineKind::library;
  std::string entry;
};

struct Oracle {
  OracleKind kind = OracleKind::baseline;
  std::vector<std::string> sources;
  std::string entry;
  std::vector<std::string> needs;
  std::string golden;  // folder of golden files: GOLDEN/<case id>/<argument>.bin, inputs and expected outputs alike
};

struct Work {
  std::string kind;
  std::optional<Bound> bound;
  std::map<DType, Expression> flops;  // one expression alone counts as the dtype of the first floating output
  std::optional<Expression> bytes_read;
  std::optional<Expression> bytes_written;
};

struct Limits {
  double build_seconds = 60;
  double case_seconds = 30;
  uint64_t device_bytes = 4ull << 30;
  int threads = 1;
  double sanitizer_seconds = 120;  // 0: the device's checker is not asked
};

struct Policy {
  CacheState cache = CacheState::cold;
  std::optional<DType> accumulate;  // absent: f32, and f64 for f64
  bool library_calls = false;
};

struct Target {
  Objective objective = Objective::geomean;
  Metric metric = Metric::latency;
  std::optional<double> value;  // in the metric's unit: microseconds, GB/s, TFLOP/s, percent
};

using BoundValue = std::variant<int64_t, double>;

struct Case {
  std::string id;
  std::map<std::string, BoundValue> bind;  // axes and scalars
  std::vector<Purpose> use;
  bool hidden = false;
  double weight = 1.0;
  bool is(Purpose purpose) const;
};

struct Task {
  std::string name;
  std::string summary;
  std::string licence;
  std::vector<Axis> axes;  // in the file's order, but a derived axis stands after those it uses
  std::vector<Argument> arguments;
  Kernel kernel;
  std::vector<Launch> launches;
  std::vector<Parameter> parameters;
  std::vector<Expression> constraints;  // over parameters; a configuration is legal when all hold
  Delivery delivery = Delivery::macro;
  Oracle oracle;
  std::vector<Baseline> baselines;
  Work work;
  Limits limits;
  Policy policy;
  Target target;
  std::vector<Case> cases;
  std::optional<Digest> hidden_commitment;
  std::vector<Error> warnings;   // of reading it: for whoever is about to use the task; not part of the digest
  std::filesystem::path folder;  // where it was read from; not part of the digest
  Digest digest;                 // over task.toml's meaning and the oracle's bytes (task/read.h says how)

  std::vector<const Case*> cases_for(Purpose purpose) const;  // in file order; hidden ones included
  bool has_role(Role role) const;                             // of any argument
  bool prepares() const;                                      // a launch, or a function, in front of those that run
  const Argument* find_argument(std::string_view name) const;
  const Axis* find_axis(std::string_view name) const;
  const Parameter* find_parameter(std::string_view name) const;
  // The kernel takes the tunable of this name as an argument: the candidate's choice is its value.
  bool is_delivered(const Argument& argument) const;
};

}  // namespace hone::task
