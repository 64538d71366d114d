// Functions of a shared object, called as their contract says.
#include <dlfcn.h>
#include <ffi.h>

#include <algorithm>

#include "device/cpu/callee.h"

namespace hone::device::cpu {

namespace {

ffi_type* type_of(const ParameterSlot& parameter) {
  if (parameter.kind == ParameterKind::buffer) return &ffi_type_pointer;
  switch (parameter.dtype) {
    case task::DType::f64:
      return &ffi_type_double;
    case task::DType::f32:
      return &ffi_type_float;
    case task::DType::i64:
      return &ffi_type_sint64;
    case task::DType::i32:
      return &ffi_type_sint32;
    case task::DType::i16:
      return &ffi_type_sint16;
    case task::DType::i8:
      return &ffi_type_sint8;
    case task::DType::u64:
      return &ffi_type_uint64;
    case task::DType::u32:
      return &ffi_type_uint32;
    case task::DType::u16:
      return &ffi_type_uint16;
    case task::DType::u8:
    case task::DType::boolean:
      return &ffi_type_uint8;
    case task::DType::f16:
    case task::DType::bf16:
      return nullptr;  // no C type carries them by value; the judge refuses them before
  }
  return nullptr;
}

// One function as libffi wants it, prepared once: argument types, and per set the places of the argument values.
struct Function {
  std::vector<ffi_type*> types;
  std::vector<std::vector<void*>> values = {};  // [set][argument]
  bool returns_status = true;
  ffi_cif interface {};
  void (*address)() = nullptr;
};

class LibraryCall final : public Callee {
 public:
  LibraryCall(const ControlPage& page, const Payloads& payloads) : page_(page), payloads_(payloads) {}

  std::string prepare() override {
    functions_.resize(std::min(page_.kernel_count, k_most_kernels));
    for (uint32_t i = 0; i < std::min(page_.step_count[0], k_most_steps); ++i) {
      const StepSlot& step = page_.steps[0][i];
      if (step.kernel >= functions_.size() || step.argument_count > k_most_parameters) return "its plan makes no sense";
      if (std::string fault = take(step, functions_[step.kernel]); !fault.empty()) return fault;
    }
    return "";
  }

  std::string load() override {
    void* library = dlopen(page_.library, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < functions_.size(); ++i) {
      void* symbol = library == nullptr ? nullptr : dlsym(library, page_.kernels[i]);
      functions_[i].address = reinterpret_cast<void (*)()>(symbol);
      if (symbol != nullptr) continue;
      const char* message = dlerror();
      return message == nullptr ? "the entry is null" : message;
    }
    return "";
  }

  int32_t call(uint32_t set) override {
    for (uint32_t i = 0; i < page_.step_count[set]; ++i) {
      if (const int32_t status = call(functions_[page_.steps[set][i].kernel], set); status != 0) return status;
    }
    return 0;
  }

 private:
  static int32_t call(Function& function, uint32_t set) {
    ffi_arg result = 0;
    ffi_call(&function.interface, function.address, &result, function.values[set].data());
    return function.returns_status ? static_cast<int32_t>(result) : 0;
  }

  // What its first step says holds for all: nothing is left to be worked out within a launch.
  std::string take(const StepSlot& step, Function& function) {
    for (uint32_t i = 0; i < step.argument_count; ++i)
      function.types.push_back(type_of(page_.parameters[step.arguments[i]]));
    if (std::find(function.types.begin(), function.types.end(), nullptr) != function.types.end())
      return "a parameter has no C type";
    for (uint32_t set = 0; set < page_.set_count; ++set) {
      std::vector<void*>& places = function.values.emplace_back();
      for (uint32_t i = 0; i < step.argument_count; ++i) places.push_back(place_of(set, step.arguments[i]));
    }
    function.returns_status = page_.returns_status[step.kernel] != 0;
    ffi_type* result = function.returns_status ? &ffi_type_sint : &ffi_type_void;
    const bool fits = ffi_prep_cif(&function.interface, FFI_DEFAULT_ABI, step.argument_count, result,
                                   function.types.data()) == FFI_OK;
    return fits ? "" : "its call cannot be prepared";
  }

  void* place_of(uint32_t set, uint32_t parameter) {
    if (page_.parameters[parameter].kind == ParameterKind::buffer)
      return const_cast<std::byte**>(&payloads_[set][parameter]);
    return const_cast<uint64_t*>(&page_.scalars[set][parameter]);
  }

  const ControlPage& page_;
  const Payloads& payloads_;
  std::vector<Function> functions_;  // as the page numbers them
};

}  // namespace

std::unique_ptr<Callee> make_library_call(const ControlPage& page, const Payloads& payloads) {
  return std::make_unique<LibraryCall>(page, payloads);
}

}  // namespace hone::device::cpu
