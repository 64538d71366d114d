// Accelerations in float64, with S = sum over j of |m[j] * d / (|d|^2 + softening^2)^(3/2)| by component.
//
// A float kernel rounds the difference once, the square root's argument a few times and the cube once more: about 12
// units in each term, within the 20 that the bound allows a single one. What may vanish below the smallest normal float
// (2^-150 each time): m * inverse, later multiplied by inverse^2 * d; m * inverse^3 or inverse^3 alone, later
// multiplied by d or m * d; and the term itself. FLT_MIN times these factors in S becomes just that by the unit
// roundoff 2^-24.
#include <cfloat>
#include <cmath>

extern "C" void nbody_reference(const double* bodies, double* acceleration, double softening, int n,
                                double* acceleration_magnitude) {
  for (int i = 0; i < n; ++i) {
    double sum[3] = {};
    double magnitude[3] = {};
    for (int j = 0; j < n; ++j) {
      double d[3];
      double squares = softening * softening;
      for (int axis = 0; axis < 3; ++axis) {
        d[axis] = bodies[4 * j + axis] - bodies[4 * i + axis];
        squares += d[axis] * d[axis];
      }
      const double mass = bodies[4 * j + 3];
      const double inverse = 1.0 / std::sqrt(squares);
      const double lost = static_cast<double>(FLT_MIN) * (1.0 + std::fabs(mass) + inverse * inverse);
      for (int axis = 0; axis < 3; ++axis) {
        const double term = mass * inverse * inverse * inverse * d[axis];
        sum[axis] += term;
        magnitude[axis] += std::fabs(term) + lost * std::fabs(d[axis]) + static_cast<double>(FLT_MIN);
      }
    }
    for (int axis = 0; axis < 3; ++axis) {
      acceleration[3 * i + axis] = sum[axis];
      acceleration_magnitude[3 * i + axis] = magnitude[axis];
    }
  }
}
