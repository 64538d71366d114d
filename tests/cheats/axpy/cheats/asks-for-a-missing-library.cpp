// Uses a function that nobody defines and hopes to find it in the process that loads it.
// class: build time
// ask: verify
// expect: COMPILE_ERROR

extern "C" float answer_of_the_judge(int);

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = answer_of_the_judge(i);
  return 0;
}
