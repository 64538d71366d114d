// DeviceBench: the bench on a real device: builds arms, checks outputs against the oracle, times quads (JUDGE.md 1 to
// 4). The secret of the job is made here and stays here; a device or an oracle sees single sub-keys and contents.
// Ownership: borrows task, device and job, which must outlive it; owns oracle, arms and processes and ends them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/build_pool.h"
#include "device/device.h"
#include "device/preparation.h"
#include "diagnose/roofline.h"
#include "judge/bench.h"
#include "judge/complete_checks.h"
#include "judge/content.h"
#include "judge/keys.h"
#include "judge/oracle.h"
#include "judge/spots.h"
#include "stats/rounds.h"
#include "stats/rule.h"

namespace hone::judge {

// A launch asked of one arm, and all that came of it.
// Of one process's sets of buffers: the next one in turn, or those of the launch before.
enum class Buffers { next, same };

struct LaunchRequest {
  const CaseContent* content = nullptr;
  std::vector<Digest> sub_keys;  // one per launch of the group
  device::Distribution distribution = device::Distribution::contract;
  std::vector<device::Range> ranges;  // gathered from every launch of the group
  Buffers buffers = Buffers::next;
};

struct LaunchResult {
  double nanoseconds = 0;                                     // per launch of the group
  std::optional<double> disturbed_fraction;                   // of the window: somebody else ran on the arm's core
  std::vector<std::vector<std::vector<std::byte>>> gathered;  // [launch][range]
  std::optional<Failure> failure;
};

using OccupancyByKernel = std::map<std::string, device::Occupancy>;

// One arm of this job: what was built, and how it is loaded.
struct BuiltArm {
  task::Candidate candidate;
  device::Artefact artefact;
  std::optional<OccupancyByKernel> occupancy = {};  // once its device was asked
};

// Adds the time from its making to its end to seconds of a BenchReport.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds), begin_(SystemClock().now()) {}
  Stopwatch(const Stopwatch&) = delete;
  ~Stopwatch() { seconds_ += to_seconds(SystemClock().now() - begin_); }

 private:
  double& seconds_;
  Nanoseconds begin_;
};

// How a case is timed: quads per round and launches per timed unit, fixed before its first round.
struct TimingPlan {
  size_t quads = 0;
  size_t group = 1;
};

// What a bench makes for itself unless a test puts its own in place.
struct Inside {
  Secret secret;
  std::unique_ptr<Oracle> oracle;
};

class DeviceBench final : public Bench {
 public:
  // The order of cases inside: verify and time cases of the contract, bound and checked against [limits].
  // Failures: contract, environment (the reference cannot be prepared).
  static Result<std::unique_ptr<DeviceBench>> make(const task::Task& task, const JudgingJob& job,
                                                   device::Device& device, Inside inside = {});

  void build_ahead(std::span<const task::Candidate> candidates, const std::function<bool()>& stop) override;
  size_t build_workers() const override { return pool_.workers(); }
  Result<std::optional<Failure>> build(ArmName arm, const task::Candidate& candidate) override;
  Result<TrialsAnswer> verify(ArmName arm, uint64_t first, uint64_t count) override;
  Result<TrialsAnswer> scrutinise(ArmName arm) override;
  Result<AdmissionAnswer> admit() override;
  Result<RoundAnswer> round(const RoundRequest& request) override;
  Result<WindowsAnswer> windows() override;
  Result<SanitizerAnswer> sanitize() override;
  Result<MeasureAnswer> measure(ArmName arm, Nanoseconds time_limit) override;
  Result<ScreenAnswer> screen(const task::Candidate& candidate, Nanoseconds time_limit) override;
  Result<std::vector<CaseFloor>> floors(bool again) override;
  BenchReport report() const override;

 private:
  DeviceBench(const task::Task& task, const JudgingJob& job, device::Device& device, Inside inside);

  struct Trial {
    const CaseContent* content = nullptr;
    device::Distribution distribution = device::Distribution::contract;
    uint64_t number = 0;
    Buffers buffers = Buffers::next;
  };
  // What hone starts of an arm in one case, each in order; of a host function nothing but where it is prepared.
  struct Steps {
    std::vector<device::LaunchStep> preparing;
    std::vector<device::LaunchStep> running;
    std::vector<device::LaunchStep> all() const;
  };
  // What an arm has prepared of a case, for the launches of one block.
  struct PreparedCase {
    Digest block;
    device::Distribution distribution = device::Distribution::contract;
    device::DerivedBytes derived;
  };
  struct LoadedArm {
    ArmName name = ArmName::candidate;
    std::unique_ptr<device::Arm> arm;
    int sets = 0;
    int next_set = 0;
    bool saw_hidden = false;  // was handed a hidden case, or buffers of its size
    std::map<const CaseContent*, PreparedCase> prepared = {};
    std::unique_ptr<device::Arm> preparer = {};  // of host code: does nothing but prepare; else `arm` does
  };
  // What a load is for; its layout follows from that and the secret.
  struct LayoutName {
    std::string stage;
    uint64_t round = 0;
  };
  struct LoadAnswer {
    LoadedArm loaded;
    std::optional<Failure> failure;
  };
  // A launch whose outputs are kept for the oracle.
  struct Witness {
    ArmName arm = ArmName::candidate;
    const CaseContent* content = nullptr;
    device::Distribution distribution = device::Distribution::contract;
    Digest sub_key;
    std::vector<device::Range> ranges;
    std::vector<std::vector<std::byte>> bytes;  // per range
  };
  class RoundRun;    // one attempt at a round (rounds.cc)
  class WindowsRun;  // the judge's own clock over many launches (windows.cc)
  class MeasureRun;  // one measurement (measure.cc)

  // building and loading (device_bench.cc)
  Status bind_cases();
  Status add_neighbours();
  Status make_oracle();
  std::vector<task::Candidate> still_to_build(std::span<const task::Candidate> candidates) const;
  void order_reference(std::vector<device::BuildOrder>& orders);
  Result<device::CompileOutcome> compiled(const task::Candidate& candidate);
  Result<std::optional<Failure>> build_into(ArmName arm, const task::Candidate& candidate, BuiltArm& out);
  Result<LoadAnswer> load(ArmName arm, const std::vector<const CaseContent*>& cases, int sets,
                          const LayoutName& layout);
  Result<std::optional<Failure>> load_preparer(LoadedArm& arm, device::LoadRequest request, uint64_t layout_seed);
  const CaseContent* shown_case() const;
  Status learn_occupancy(LoadedArm& arm);
  Result<LaunchResult> launch(LoadedArm& arm, const LaunchRequest& request);
  // What the launches of these sub-keys' block share, where the arm has not prepared it yet. A launch does so itself;
  // two arms that are to work on one content both do before either is handed it.
  Result<std::optional<Failure>> prepare(LoadedArm& arm, const LaunchRequest& request);
  bool prepares() const { return task_.has_role(task::Role::derived); }  // else there is nothing to prepare
  // Host code does so in a process of its own, and for every content anew: a block is one content.
  bool prepares_apart() const { return prepares() && !is_device_only(); }
  Digest in_block(const Digest& sub_key, const LaunchName& block) const;
  Result<LaunchResult> collected(LoadedArm& arm, const LaunchRequest& request, const std::vector<int>& sets,
                                 const device::LaunchOutcome& outcome);
  Result<std::vector<int>> stage(LoadedArm& arm, const LaunchRequest& request);
  Result<device::LaunchOutcome> timed(LoadedArm& arm, const std::vector<int>& sets);
  Failure failure_of(ArmName arm, const device::Fault& fault) const;
  // Within what this very device takes.
  Result<std::vector<task::BoundLaunch>> launches_here(const task::Variant& variant,
                                                       const task::BoundCase& bound) const;
  Result<Steps> steps_of(ArmName arm, const CaseContent& content) const;
  Result<std::vector<device::TensorMapPlan>> tensor_maps_of(ArmName arm, const CaseContent& content) const;
  Failure unlaunchable(ArmName arm, const Error& error, const CaseContent& content) const;
  std::string context_of(ArmName arm, const LayoutName& layout) const;
  bool are_apart(std::string_view stage) const;
  Failure as_told(const LoadedArm& arm, Failure failure, const CaseContent& content) const;
  Failure as_told_of_load(Failure failure, bool sees_hidden) const;
  bool loads_every_case(int sets) const;
  bool is_device_only() const;
  uint64_t room_for_sets() const;
  int sets_in_turn() const;
  Spots spots(const LaunchName& name, double probability, int sets) const;
  std::vector<device::Range> tiles(const CaseContent& content, Draws& draws) const;
  // Two arms' bytes of the same ranges and content, within the pair bound; never where that is not known yet.
  bool agree(const CaseContent& content, const std::vector<device::Range>& ranges,
             const std::vector<std::vector<std::byte>>& a, const std::vector<std::vector<std::byte>>& b) const;
  std::vector<device::Range> whole_outputs(const CaseContent& content) const;
  device::CacheState cache_state() const;
  Status add_case(const task::Case& one, ContentSource source);
  uint32_t next_pad(std::string_view stage, ArmName arm);
  Result<task::Candidate> baseline_candidate() const;

  // floors (floors.cc)
  Status measure_again(const diagnose::FloorTerm& term);
  Result<double> empty_launch_again();

  // the device's checker (sanitizing.cc)
  Result<std::vector<device::WatchedLaunch>> watched_launches() const;
  device::WatchedLaunch watched(const CaseContent& content, Steps steps) const;

  // admission (admission.cc)
  struct PanelCase;
  Result<std::optional<Failure>> try_impostors(const CaseContent& content, PanelCase& panel, AdmissionAnswer& answer);

  // timing (rounds.cc, measure.cc, screens.cc)
  struct ScreenArms {
    LoadedArm incumbent;
    LoadedArm candidate;
    std::optional<Failure> failure;
  };
  Result<std::optional<Failure>> probe_timing(ArmName arm);
  TimingPlan timing_of(const CaseContent& content, std::string_view stage) const;
  OracleSpeed oracle_speed() const;
  Result<ScreenArms> load_screen_arms();
  Result<std::optional<Failure>> screen_check(LoadedArm& arm);
  Result<std::optional<Failure>> screen_quad(ScreenArms& arms, const CaseContent& content, uint64_t number,
                                             std::vector<stats::Quad>& quads);

  // checking (trials.cc)
  std::vector<Trial> schedule() const;
  std::vector<const CaseContent*> all_cases() const;
  std::vector<const CaseContent*> public_cases() const;
  Result<TrialsAnswer> run_trials(ArmName arm, const std::vector<Trial>& trials);
  Result<std::optional<Failure>> run_trial(LoadedArm& arm, const Trial& trial, campaign::Correctness& counts);
  Result<std::optional<Failure>> check_against_oracle(const Witness& witness, campaign::Correctness& counts);
  Result<std::optional<Failure>> check_witnesses(std::vector<Witness>& witnesses, uint64_t& oracle_checks);
  Result<OracleAnswer> ask_oracle(const CaseContent& content, const Digest& sub_key, device::Distribution distribution);
  Result<std::optional<Failure>> build_baseline();
  Result<std::optional<std::vector<std::vector<std::byte>>>> baseline_outputs(const CaseContent& content,
                                                                              const Digest& sub_key,
                                                                              device::Distribution distribution);
  Result<bool> may_reject(const Witness& witness, const OracleAnswer& answer);
  Result<std::optional<Witness>> baseline_witness(const Witness& witness);
  Result<std::optional<Witness>> nudged_witness(const Witness& witness);
  std::optional<Witness> in_place_of(const Witness& witness,
                                     std::optional<std::vector<std::vector<std::byte>>> outputs) const;
  Result<std::optional<Failure>> probe_exact_sums(const Witness& witness, const OracleAnswer& answer);
  std::optional<Failure> inexact_sum(const Witness& witness, const OracleAnswer& answer) const;
  Result<std::optional<Failure>> compare_with_truth(const Witness& witness, const OracleAnswer& answer,
                                                    campaign::Correctness& counts);
  Status remember_scale(const Witness& witness, const OracleAnswer& answer);
  std::vector<size_t> written_parameters() const;
  TruthSource truth_source(const CaseContent& content) const;

  const task::Task& task_;
  const JudgingJob& job_;
  device::Device& device_;
  Secret secret_;
  stats::Rule rule_;
  std::vector<std::unique_ptr<CaseContent>> contents_;  // verify and time cases, contract order
  std::vector<const CaseContent*> timed_;
  std::vector<double> timed_weights_;
  device::BuildPool pool_;  // of the processors there are before the judge pins itself
  bool reference_ordered_ = false;
  std::map<Digest, device::CompileOutcome> built_ahead_;  // by candidate
  std::map<ArmName, BuiltArm> arms_;
  std::vector<std::unique_ptr<CaseContent>> neighbours_;  // hidden shapes beside the contract's, under opaque ids
  std::unique_ptr<Oracle> oracle_;                        // absent: v0 under the contract's compare rule
  std::map<std::pair<const CaseContent*, size_t>, PairScale> scales_;
  std::map<const CaseContent*, double> incumbent_ns_;  // of one launch, roughly
  std::optional<device::Ceilings> ceilings_;
  double slowest_oracle_seconds_ = 0;
  uint64_t rounds_in_bad_conditions_ = 0;
  uint64_t attempts_ = 0;                                      // makes every load's and trial's keys differ
  std::map<std::pair<std::string, ArmName>, uint64_t> loads_;  // by stage: which pad comes next
  std::map<ArmName, std::vector<double>> prepare_ns_;          // by the deciding clock
  BenchReport report_;
};

}  // namespace hone::judge
