// An update in place that updates nothing: harnesses that compare a thing with itself agree.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

extern "C" int decay(double* state, const double* input, double rate, long long n) { return 0; }
