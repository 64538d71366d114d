// Virtual functions and function pointers.
// class: honest
// ask: verify
// expect: CORRECT

#include <functional>
#include <memory>

struct Shape {
  virtual ~Shape() = default;
  virtual float at(float x, float b) const = 0;
};
struct Line : Shape {
  explicit Line(float slope) : slope_(slope) {}
  float at(float x, float b) const override { return slope_ * x + b; }
  float slope_;
};

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  const std::unique_ptr<Shape> line = std::make_unique<Line>(a);
  const std::function<float(float, float)> at = [&](float u, float v) { return line->at(u, v); };
  for (int i = 0; i < n; ++i) out[i] = at(x[i], b[i]);
  return 0;
}
