#include "surface/cli/doctor_python.h"

#include "base/json.h"

namespace hone::cli {

namespace {

// Module, then the names under which packages with it are published.
constexpr const char* k_packages[] = {
    "numpy=numpy",
    "torch=torch",
    "triton=triton,pytorch-triton,triton-rocm",
    "cupy=cupy,cupy-cuda13x,cupy-cuda12x,cupy-cuda11x,cupy-rocm-5-0",
    "numba=numba",
    "pyopencl=pyopencl",
    "flashinfer=flashinfer-python,flashinfer",
    "cutlass=nvidia-cutlass-dsl,nvidia-cutlass",
};

// Prints one PythonRecord. find_spec of a module without a dot imports nothing.
constexpr const char* k_script = R"(
import importlib.metadata, importlib.util, json, platform, sys
def version_of(names):
    for name in names:
        try:
            return importlib.metadata.version(name)
        except Exception:
            pass
packages, absent = [], []
for row in sys.argv[1:]:
    module, names = row.split("=")
    try:
        found = importlib.util.find_spec(module) is not None
    except Exception:
        found = False
    if not found:
        absent.append(module)
        continue
    version = version_of(names.split(","))
    packages.append({"name": module, "version": version} if version else {"name": module})
print(json.dumps({"version": platform.python_version(), "path": sys.executable,
                  "packages": packages, "absent": absent}))
)";

}  // namespace

std::optional<PythonRecord> examine_python(Processes& processes) {
  Command command{.argv = {"python3", "-I", "-c", k_script}, .deadline = std::chrono::seconds(20)};
  for (const char* row : k_packages) command.argv.emplace_back(row);
  const auto done = processes.run(command);
  if (!done || !done->succeeded()) return std::nullopt;
  auto record = json::from_text<PythonRecord>(done->output);
  return record ? std::optional(*std::move(record)) : std::nullopt;
}

}  // namespace hone::cli
