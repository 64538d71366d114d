// Has a void function of the same name in a namespace, and keeps its own out of sight of readers that take a digraph for
// an operator. Says in every call that it failed.
// class: result channel
// ask: verify
// expect: RUNTIME_ERROR (returned an error)

namespace unused {
void axpy() {}
}  // namespace unused
extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) <%
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 1;
%>
