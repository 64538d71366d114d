// Arguments with role tensor_map.
#include <fmt/format.h>

#include "task/read_parts.h"

namespace hone::task {

void read_tensor_map(Reading& reading, Section& section, Argument& out) {
  TensorMap& map = out.tensor_map;
  const Names names = reading.axes_and_parameters();
  section.get("base", map.base, Presence::required);
  section.get("elements", map.elements);
  section.get("shape", out.shape, names);
  section.get("strides", out.strides, names);
  section.get("box", map.box, names, Presence::required);
  section.get("element_strides", map.element_strides, names);
  section.get("interleave", map.interleave);
  section.get("swizzle", map.swizzle);
  section.get("l2_promotion", map.l2_promotion);
  section.get("out_of_bounds", map.out_of_bounds);
  if (!out.strides.empty() && out.shape.size() != out.strides.size())
    section.error("strides", fmt::format("has {} entries for {} dimensions", out.strides.size(), out.shape.size()),
                  "each dimension of the shape has a distance of its own",
                  "give `shape` and one stride for each of it");
}

}  // namespace hone::task
