// Templates that multiply, to keep the compiler busy for ever.
// class: build time
// ask: verify
// expect: COMPILE_ERROR | TIMEOUT

template <int depth, int path>
struct Tree {
  static constexpr long value = Tree<depth - 1, 2 * path>::value + Tree<depth - 1, 2 * path + 1>::value;
};
template <int path>
struct Tree<0, path> {
  static constexpr long value = path;
};

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  out[0] = static_cast<float>(Tree<24, 1>::value);
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
