// Overwrites its return address, to come back somewhere behind the check.
// class: result channel
// ask: verify
// expect: RUNTIME_ERROR (crashed)

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  void* volatile* frame = static_cast<void* volatile*>(__builtin_frame_address(0));
  frame[1] = reinterpret_cast<void*>(16);
  return 0;
}
