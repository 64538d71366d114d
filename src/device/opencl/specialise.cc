#include "device/opencl/specialise.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/disk.h"
#include "base/text.h"
#include "device/launcher/driver_mounts.h"
#include "device/opencl/programs.h"
#include "sandbox/run_confined.h"

namespace hone::device::opencl {

namespace {

constexpr const char* k_key_format = "hone.specialised/1";
// PoCL's own bound between small grids and others, in work items along any dimension.
constexpr uint64_t k_small_grid = 65535;

bool is_small(const LaunchStep& step) {
  for (size_t d = 0; d < step.grid.size(); ++d) {
    if (uint64_t{step.grid[d]} * step.block[d] >= k_small_grid) return false;
  }
  return true;
}

std::string key_of(const SpecialiseRequest& request, std::span<const std::string> variants) {
  Sha256 hash;
  hash.add_field(k_key_format).add_field(request.processor).add_field(request.driver).add_field(request.digest.hex());
  for (const std::string& variant : variants) hash.add_field(variant);
  return hash.finish().hex();
}

sandbox::Confinement confinement_of(const SpecialiseRequest& request, const fs::path& output,
                                    const std::string& variants) {
  sandbox::Confinement confinement;
  confinement.profile = sandbox::Profile::build;
  confinement.argv = {"hone", "specialise-opencl", request.processor, request.program.string()};
  confinement.environment = launcher::driver_environment();
  confinement.environment["POCL_CACHE_DIR"] = output.string();
  confinement.environment["POCL_BINARY_SPECIALIZE_WG"] = variants;
  confinement.folder = output;
  confinement.mounts = launcher::system_mounts();
  confinement.mounts.push_back({request.program, sandbox::Access::read_only});
  confinement.mounts.push_back({output, sandbox::Access::read_write});
  return confinement;
}

Fault fault_of(const sandbox::ConfinedOutcome& outcome) {
  const bool late = outcome.how == sandbox::ConfinedOutcome::How::timed_out;
  return {late ? FaultKind::timed_out : FaultKind::load_failed, 0,
          late ? "compiling it for its work groups took longer than its deadline"
               : "it cannot be compiled for its work groups",
          quote_untrusted(outcome.output, 64 << 10)};
}

// PoCL takes one variant of a work-group size at a time.
Result<std::optional<Fault>> fill_cache(const SpecialiseRequest& request, const fs::path& output,
                                        std::span<const std::string> variants) {
  for (const std::string& variant : variants) {
    HONE_TRY(const auto outcome, sandbox::run_confined({.confinement = confinement_of(request, output, variant),
                                                        .deadline = request.deadline}));
    if (!outcome.succeeded()) return std::optional(fault_of(outcome));
  }
  return std::optional<Fault>();
}

int specialise(const std::string& processor, const fs::path& program) {
  const auto made = [&]() -> Result<std::string> {
    HONE_TRY(const OpenclLibrary library, OpenclLibrary::open());
    HONE_TRY(const Chosen chosen, choose_processor(library, processor));
    HONE_TRY(const Context context, make_context(library, chosen.device));
    HONE_TRY(const std::string binary, read_file(program));
    HONE_TRY(const Program loaded, program_of(library, context, chosen.device, binary));
    return binary_of(library, loaded);
  }();
  if (made) return 0;
  fmt::print(stderr, "{}", to_text(made.error()));
  return 1;
}

}  // namespace

std::vector<std::string> variants_of(std::span<const LaunchStep> steps) {
  std::set<std::string> variants;
  for (const LaunchStep& step : steps) {
    const char* grid = is_small(step) ? "-smallgrid" : "";
    variants.insert(fmt::format("{}-{}-{}-goffs0{}", step.block[0], step.block[1], step.block[2], grid));
  }
  return {variants.begin(), variants.end()};
}

Result<Specialised> specialise(const fs::path& cache, const SpecialiseRequest& request) {
  const std::vector<std::string> variants = variants_of(request.steps);
  const fs::path folder = cache / "artefacts" / key_of(request, variants);
  if (path_exists(folder)) {
    if (auto known = read_tree(folder)) return Specialised(*std::move(known));
  }
  HONE_TRY(const Workshop workshop, open_workshop(cache, {}));
  HONE_TRY(auto fault, fill_cache(request, workshop.objects(), variants));
  if (fault) return Specialised(*std::move(fault));
  HONE_TRY(std::vector<BuiltFile> files, read_tree(workshop.objects()));
  HONE_CHECK(store_artefact(folder, files));
  return Specialised(std::move(files));
}

int specialise_main(int argc, char** argv) { return argc == 2 ? specialise(argv[0], argv[1]) : 1; }

}  // namespace hone::device::opencl
