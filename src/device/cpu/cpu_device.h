// CpuDevice: host code on the machine's own cores, behind device/device.h.
// compile: confined, cached by content. load: linked anew behind a secret pad, in a fresh confined process with fresh
// buffers. Ownership: as device.h; arms may outlive neither the device's thread nor its cores. Failure: environment
// without a compiler or cores.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "base/disk.h"
#include "device/cpu/compile.h"
#include "device/cpu/compiler.h"
#include "device/cpu/content_cache.h"
#include "device/device.h"

namespace hone::device::cpu {

class CpuDevice final : public Device {
 public:
  // `identity` names model and cores; compiler and toolchain are filled in here. `cache` is user_cache_folder() but in
  // tests.
  static Result<std::unique_ptr<CpuDevice>> open(Identity identity, std::filesystem::path cache, Processes& processes);

  const Identity& identity() const override { return identity_; }
  Result<CompileOutcome> compile(const CompileRequest& request) override;
  Result<LoadOutcome> load(const LoadRequest& request) override;
  std::vector<std::string> active_layers() const override;

  const Compiler& compiler() const { return compiler_; }
  const BuildPlace& place() const { return place_; }

 private:
  CpuDevice(Identity identity, Compiler compiler, BuildPlace place);

  Identity identity_;
  Compiler compiler_;
  BuildPlace place_;
  std::shared_ptr<ContentCache> contents_;
};

// An artefact linked into a private folder: what a runner or an oracle loads. `pad_bytes` stands in front of the code.
struct Linked {
  TemporaryFolder folder;  // removed with the library; a loaded process keeps its mapping
  std::optional<std::filesystem::path> library;
  std::string messages;
};
Result<Linked> link_for_load(const Compiler& compiler, const BuildPlace& place, const Artefact& artefact, int threads,
                             uint64_t pad_bytes);

}  // namespace hone::device::cpu
