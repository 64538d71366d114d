#include "task/tensor_map.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace hone::task {

namespace {

// All limits are cuTensorMapEncodeTiled's own.
constexpr size_t k_most_dimensions = 5;
constexpr size_t k_fewest_interleaved = 3;
constexpr int64_t k_largest_size = int64_t{1} << 32;
constexpr uint64_t k_stride_end_bytes = uint64_t{1} << 40;
constexpr int64_t k_largest_box = 256;
constexpr int64_t k_largest_element_stride = 8;
constexpr uint64_t k_address_step_bytes = 16;
constexpr uint64_t k_interleaved_step_bytes = 32;

struct Element {
  TensorElement element;
  size_t bytes;
  bool floating;
};
constexpr Element k_elements[] = {
    {TensorElement::u8, 1, false},     {TensorElement::u16, 2, false}, {TensorElement::u32, 4, false},
    {TensorElement::i32, 4, false},    {TensorElement::u64, 8, false}, {TensorElement::i64, 8, false},
    {TensorElement::f16, 2, true},     {TensorElement::f32, 4, true},  {TensorElement::f64, 8, true},
    {TensorElement::bf16, 2, true},    {TensorElement::tf32, 4, true}, {TensorElement::f32_ftz, 4, true},
    {TensorElement::tf32_ftz, 4, true}};

const Element& row_of(TensorElement element) {
  return *std::find_if(std::begin(k_elements), std::end(k_elements),
                       [element](const Element& row) { return row.element == element; });
}

uint64_t swizzle_bytes(Swizzle swizzle) {
  switch (swizzle) {
    case Swizzle::none:
      return k_largest_box * 8;  // no rule
    case Swizzle::bytes_32:
      return 32;
    case Swizzle::bytes_64:
      return 64;
    case Swizzle::bytes_128:
    case Swizzle::bytes_128_atom_32:
    case Swizzle::bytes_128_atom_32_flip_8:
    case Swizzle::bytes_128_atom_64:
      return 128;
  }
  return 0;
}

class Binder {
 public:
  Binder(const Task& task, const BoundCase& bound, const Scope& scope, size_t index)
      : task_(task),
        bound_(bound),
        scope_(scope),
        argument_(task.arguments[index]),
        map_(argument_.tensor_map),
        extents_(bound.arguments[index].shape) {}

  Result<BoundTensorMap> bind() {
    out_.interleave = map_.interleave;
    out_.swizzle = map_.swizzle;
    out_.l2_promotion = map_.l2_promotion;
    out_.out_of_bounds = map_.out_of_bounds;
    HONE_CHECK(find_base());
    HONE_CHECK(bind_sizes());
    HONE_CHECK(bind_strides());
    HONE_CHECK(bind_list("box", map_.box, k_largest_box, out_.box_elements));
    HONE_CHECK(bind_list("element_strides", map_.element_strides, k_largest_element_stride, out_.element_strides));
    HONE_CHECK(check_inner_box());
    HONE_CHECK(check_modes());
    HONE_CHECK(check_inside());
    return std::move(out_);
  }

 private:
  Error broken(std::string_view field, std::string what, std::string help, std::string why = {}) const {
    if (why.empty()) why = "the driver encodes no other descriptor";
    return {ErrorCode::contract,
            fmt::format("{} of the tensor map '{}', case '{}': {}", field, argument_.name, bound_.id, what),
            {},
            std::move(why),
            std::move(help)};
  }

  const BoundArgument& base() const { return bound_.arguments[out_.base]; }
  uint64_t step_bytes() const {
    return map_.interleave == Interleave::bytes_32 ? k_interleaved_step_bytes : k_address_step_bytes;
  }

  Status find_base() {
    for (size_t i = 0; i < task_.arguments.size(); ++i)
      if (task_.arguments[i].name == map_.base) out_.base = i;
    const Argument& described = task_.arguments[out_.base];
    out_.elements = map_.elements.value_or(element_of(described.dtype));
    const uint64_t align = std::max(step_bytes(), uint64_t{1});
    if (described.align_bytes >= align) return ok();
    return broken("base", fmt::format("'{}' is aligned to {} bytes", described.name, described.align_bytes),
                  fmt::format("give it align = {} or more", align));
  }

  Status bind_sizes() {
    if (extents_.empty()) extents_ = base().shape;
    if (extents_.empty() || extents_.size() > k_most_dimensions)
      return broken("shape", fmt::format("it has {}", counted(extents_.size(), "dimension")),
                    "describe 1 to 5 dimensions");
    for (const int64_t extent : extents_) {
      if (extent < 1 || extent > k_largest_size)
        return broken("shape", fmt::format("a dimension has {} elements", extent), "keep each between 1 and 2**32");
      out_.size_elements.insert(out_.size_elements.begin(), static_cast<uint64_t>(extent));
    }
    return ok();
  }

  // In elements, outermost first. Those of the base fit when it is described as it stands.
  std::vector<int64_t> strides() const {
    if (!argument_.strides.empty())
      return bound_.arguments[static_cast<size_t>(&argument_ - task_.arguments.data())].strides;
    if (argument_.shape.empty()) return base().strides;
    std::vector<int64_t> out(extents_.size(), 1);
    for (size_t i = out.size(); i-- > 1;) {
      if (__builtin_mul_overflow(out[i], extents_[i], &out[i - 1])) out[i - 1] = INT64_MAX;
    }
    return out;
  }

  Status bind_strides() {
    const std::vector<int64_t> list = strides();
    if (list.size() != extents_.size() || list.back() != 1)
      return broken("strides",
                    list.size() == extents_.size()
                        ? fmt::format("the last one is {}", list.back())
                        : fmt::format("there are {} for {}", list.size(), counted(extents_.size(), "dimension")),
                    "one for each dimension, in elements, and 1 for the last");
    for (size_t i = list.size() - 1; i-- > 0;) {
      uint64_t bytes = 0;
      const bool fits = !__builtin_mul_overflow(static_cast<uint64_t>(list[i]), size_bytes(out_.elements), &bytes);
      if (!fits || bytes == 0 || bytes >= k_stride_end_bytes || bytes % step_bytes() != 0)
        return broken("strides", fmt::format("rows {} elements apart", list[i]),
                      fmt::format("keep rows a multiple of {} bytes apart, and below 2**40", step_bytes()));
      out_.stride_bytes.push_back(bytes);
    }
    return ok();
  }

  Status bind_list(std::string_view field, const std::vector<Expression>& list, int64_t most,
                   std::vector<uint32_t>& out) {
    if (list.empty()) out.assign(extents_.size(), 1);
    for (const Expression& one : list) {
      const auto value = one.integer(scope_);
      if (!value) return broken(field, "it cannot be worked out", "correct the expression").because(value.error());
      if (*value < 1 || *value > most)
        return broken(field, fmt::format("'{}' is {}", one.canonical(), *value),
                      fmt::format("keep it between 1 and {}", most));
      out.insert(out.begin(), static_cast<uint32_t>(*value));
    }
    if (out.size() == extents_.size()) return ok();
    return broken(field,
                  fmt::format("it has {} for {}", counted(out.size(), "value"), counted(extents_.size(), "dimension")),
                  "give one for each dimension of the tensor");
  }

  Status check_inner_box() const {
    if (map_.interleave != Interleave::none) return ok();
    const uint64_t bytes = out_.box_elements[0] * size_bytes(out_.elements);
    if (bytes % k_address_step_bytes != 0)
      return broken("box", fmt::format("its last dimension has {} bytes", bytes), "make it a multiple of 16 bytes");
    if (bytes > swizzle_bytes(map_.swizzle))
      return broken(
          "box",
          fmt::format("its last dimension has {} bytes, the swizzle spans {}", bytes, swizzle_bytes(map_.swizzle)),
          "make the box narrower, or swizzle over more bytes");
    return ok();
  }

  Status check_modes() const {
    if (map_.interleave != Interleave::none && extents_.size() < k_fewest_interleaved)
      return broken("interleave", fmt::format("the tensor has {}", counted(extents_.size(), "dimension")),
                    "interleaved layouts have at least 3 dimensions");
    if (map_.interleave == Interleave::bytes_32 && map_.swizzle != Swizzle::bytes_32)
      return broken("interleave", fmt::format("it is \"32B\" with swizzle \"{}\"", name_of(map_.swizzle)),
                    "use swizzle = \"32B\" with it");
    if (map_.out_of_bounds == OutOfBounds::nan && !is_floating(out_.elements))
      return broken("out_of_bounds", fmt::format("elements of {} have no NaN", name_of(out_.elements)),
                    "use \"zeros\"");
    return ok();
  }

  // Whoever holds the descriptor reaches all that it describes.
  Status check_inside() const {
    uint64_t end = 0;
    bool fits = !__builtin_mul_overflow(out_.size_elements[0], size_bytes(out_.elements), &end);
    for (size_t i = 0; fits && i < out_.stride_bytes.size(); ++i) {
      uint64_t reach = 0;
      fits = !__builtin_mul_overflow(out_.size_elements[i + 1] - 1, out_.stride_bytes[i], &reach) &&
             !__builtin_add_overflow(end, reach, &end);
    }
    if (fits && end <= base().bytes) return ok();
    return broken(
        "shape",
        fmt::format("it describes {} bytes, '{}' has {}", fits ? std::to_string(end) : std::string("more than 2**64"),
                    base().argument->name, base().bytes),
        "describe what lies inside of the buffer", "tiles outside of it would be somebody else's memory");
  }

  const Task& task_;
  const BoundCase& bound_;
  const Scope& scope_;
  const Argument& argument_;
  const TensorMap& map_;
  std::vector<int64_t> extents_;  // outermost first
  BoundTensorMap out_;
};

}  // namespace

size_t size_bytes(TensorElement element) { return row_of(element).bytes; }
bool is_floating(TensorElement element) { return row_of(element).floating; }

TensorElement element_of(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return TensorElement::f64;
    case DType::f32:
      return TensorElement::f32;
    case DType::f16:
      return TensorElement::f16;
    case DType::bf16:
      return TensorElement::bf16;
    case DType::i64:
      return TensorElement::i64;
    case DType::i32:
      return TensorElement::i32;
    case DType::u64:
      return TensorElement::u64;
    case DType::u32:
      return TensorElement::u32;
    case DType::i16:  // copied as bytes are: the descriptor has no signed type of this size
    case DType::u16:
      return TensorElement::u16;
    case DType::i8:
    case DType::u8:
    case DType::boolean:
      return TensorElement::u8;
  }
  return TensorElement::u8;
}

Result<BoundTensorMap> bind_tensor_map(const Task& task, const BoundCase& bound, const Scope& scope, size_t index) {
  return Binder(task, bound, scope, index).bind();
}

}  // namespace hone::task
