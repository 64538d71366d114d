// The corpus of `hone selftest --cheats`: tests/cheats, held by the binary. A folder is a task; below it every file of
// cheats/ tries to fool the judge and every file of honest/ is unusual but right. A file begins with what it does, then
// lines `// KEY: VALUE`:
//
//   class     the kind of cheat, as the table shows it; `honest` for honest ones
//   ask       verify or compare (with the task's own kernel as the incumbent)
//   expect    OUTCOME or OUTCOME (reason), alternatives separated by |. Without a reason any will do
//   cores     how many cores it needs
//   layer     the layer of confinement that stops it; not asked where a machine refuses that layer
//   needs     compute-sanitizer: what stops it; not counted where a machine has none that works
//   variant   a line of its variant.toml, behind the schema's (docs/variant.md)
//
// Failure: internal, when a file does not say what must come of it. Values; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "campaign/verdict.h"
#include "sandbox/layers.h"

namespace hone::cli {

struct CorpusFile {
  std::string_view path;  // "axpy/cheats/hangs.cpp"
  std::string_view text;
};
std::span<const CorpusFile> corpus_files();

enum class Specimens { cheats, honest };

struct Expected {
  campaign::Outcome outcome = campaign::Outcome::correct;
  std::optional<std::string> reason;
};

struct Specimen {
  std::string id;  // "axpy/hangs"
  std::string task;
  Specimens kind = Specimens::cheats;
  std::string says;   // what it does
  std::string group;  // its class
  campaign::Question question = campaign::Question::verify;
  std::vector<Expected> expected;
  int cores = 1;
  std::optional<sandbox::Layer> layer;
  bool needs_checker = false;  // of device code
  std::string variant;         // text of its variant.toml; empty = the task's own
  std::string text;
};

// Ordered by task, cheats before honest ones.
Result<std::vector<Specimen>> read_corpus(std::span<const CorpusFile> files);

bool is_expected(const Specimen& specimen, const campaign::Verdict& verdict);
std::string to_text(const std::vector<Expected>& expected);

}  // namespace hone::cli

namespace hone {
template <>
struct EnumNames<cli::Specimens> {
  using T = cli::Specimens;
  static constexpr EnumName<T> table[] = {{T::cheats, "cheats"}, {T::honest, "honest"}};
};
}  // namespace hone
