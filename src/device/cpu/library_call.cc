// A function of a shared object, called as its contract says.
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

// The call as libffi wants it, prepared once: argument types, and per set the places of the argument values.
class LibraryCall final : public Callee {
 public:
  LibraryCall(const ControlPage& page, const Payloads& payloads) : page_(page), payloads_(payloads) {}

  std::string prepare() override {
    for (uint32_t p = 0; p < page_.parameter_count; ++p) types_.push_back(type_of(page_.parameters[p]));
    if (std::find(types_.begin(), types_.end(), nullptr) != types_.end()) return "a parameter has no C type";
    for (uint32_t set = 0; set < page_.set_count; ++set) {
      std::vector<void*>& places = values_.emplace_back();
      for (uint32_t p = 0; p < page_.parameter_count; ++p) places.push_back(place_of(set, p));
    }
    returns_status_ = page_.returns_status != 0;
    ffi_type* result = returns_status_ ? &ffi_type_sint : &ffi_type_void;
    const bool fits =
        ffi_prep_cif(&interface_, FFI_DEFAULT_ABI, page_.parameter_count, result, types_.data()) == FFI_OK;
    return fits ? "" : "its call cannot be prepared";
  }

  std::string load() override {
    void* library = dlopen(page_.library, RTLD_NOW | RTLD_LOCAL);
    void* symbol = library == nullptr ? nullptr : dlsym(library, page_.entry);
    function_ = reinterpret_cast<void (*)()>(symbol);
    if (symbol != nullptr) return "";
    const char* message = dlerror();
    return message == nullptr ? "the entry is null" : message;
  }

  int32_t call(uint32_t set) override {
    ffi_arg result = 0;
    ffi_call(&interface_, function_, &result, values_[set].data());
    return returns_status_ ? static_cast<int32_t>(result) : 0;
  }

 private:
  void* place_of(uint32_t set, uint32_t parameter) {
    if (page_.parameters[parameter].kind == ParameterKind::buffer)
      return const_cast<std::byte**>(&payloads_[set][parameter]);
    return const_cast<uint64_t*>(&page_.scalars[set][parameter]);
  }

  const ControlPage& page_;
  const Payloads& payloads_;
  std::vector<std::vector<void*>> values_;  // [set][parameter]
  std::vector<ffi_type*> types_;
  ffi_cif interface_{};
  bool returns_status_ = true;
  void (*function_)() = nullptr;
};

}  // namespace

std::unique_ptr<Callee> make_library_call(const ControlPage& page, const Payloads& payloads) {
  return std::make_unique<LibraryCall>(page, payloads);
}

}  // namespace hone::device::cpu
