#include "task/cpp_usage.h"

#include <algorithm>

namespace hone::task {

namespace {

using Tokens = CppTokens;

bool is_use(Tokens body, size_t i, const std::string& name) {
  const bool member = i > 0 && (body[i - 1].is(".") || body[i - 1].is("->"));
  return body[i].kind == CppKind::word && body[i].is(name) && !member;
}

size_t index_end(Tokens body, size_t open) {
  size_t depth = 0;
  for (size_t i = open; i < body.size(); ++i) {
    if (body[i].is("[")) ++depth;
    if (body[i].is("]") && --depth == 0) return i;
  }
  return body.size();
}

// Is `name` read between token i and the end of the statement?
bool read_before_semicolon(Tokens body, size_t i, const std::string& name) {
  for (; i < body.size() && !body[i].is(";"); ++i) {
    if (is_use(body, i, name)) return true;
  }
  return false;
}

class ShapeReader {
 public:
  explicit ShapeReader(const Bounds& bounds) : bounds_(bounds) {}

  std::optional<std::vector<std::string>> read(Tokens index) const {
    if (index.size() == 1) return one(index[0]);
    const size_t n = index.size();
    if (n < 5) return std::nullopt;
    if (index[n - 2].is("+")) return row_and(index[n - 1], index.first(n - 2));
    return index[1].is("+") ? row_and(index[0], index.subspan(2)) : std::nullopt;
  }

 private:
  static Tokens unwrapped(Tokens tokens) {
    const bool wrapped = tokens.size() > 2 && tokens.front().is("(") && tokens.back().is(")");
    return wrapped ? tokens.subspan(1, tokens.size() - 2) : tokens;
  }

  // `last` + `rows`, where `rows` is ROW * EXTENT or EXTENT * ROW and EXTENT is what `last` stays below.
  std::optional<std::vector<std::string>> row_and(const CppToken& last, Tokens rows) const {
    const auto extent = one(last);
    const size_t n = rows.size();
    if (!extent || n < 3) return std::nullopt;
    Tokens row;
    if (rows[n - 2].is("*") && rows[n - 1].is(extent->front())) row = rows.first(n - 2);
    if (row.empty() && rows[1].is("*") && rows[0].is(extent->front())) row = rows.subspan(2);
    if (row.empty()) return std::nullopt;
    auto shape = read(unwrapped(row));
    if (shape) shape->push_back(extent->front());
    return shape;
  }

  std::optional<std::vector<std::string>> one(const CppToken& token) const {
    const auto bound = bounds_.find(token.text);
    if (bound == bounds_.end() || bound->second.empty()) return std::nullopt;
    return std::vector<std::string>{bound->second};
  }

  const Bounds& bounds_;
};

}  // namespace

Bounds loop_bounds(Tokens body) {
  Bounds bounds;
  for (size_t i = 2; i + 6 < body.size(); ++i) {
    const bool loop = body[i].is("=") && body[i + 1].is("0") && body[i + 2].is(";") &&
                      body[i + 3].is(body[i - 1].text) && body[i + 4].is("<") && body[i + 6].is(";");
    if (loop) add_bound(body[i - 1].text, body[i + 5].text, bounds);
  }
  return bounds;
}

void add_bound(std::string_view variable, std::string_view extent, Bounds& bounds) {
  const auto [known, fresh] = bounds.emplace(variable, extent);
  if (!fresh && known->second != extent) known->second.clear();
}

std::optional<Role> guess_role(const CppFunction& function, const std::string& buffer) {
  const Tokens body = function.body;
  for (size_t i = 0; i < body.size(); ++i) {
    if (!is_use(body, i, buffer)) continue;
    if (i + 1 >= body.size() || !body[i + 1].is("[")) return std::nullopt;
    const size_t next = index_end(body, i + 1) + 1;
    const bool assigned = next < body.size() && body[next].is("=") && !read_before_semicolon(body, next, buffer);
    return assigned ? Role::out : Role::inout;
  }
  return std::nullopt;
}

std::optional<std::vector<std::string>> guess_shape(const CppFunction& function, const std::string& buffer,
                                                    const Bounds& bounds) {
  const Tokens body = function.body;
  const ShapeReader reader(bounds);
  std::optional<std::vector<std::string>> shape;
  for (size_t i = 0; i < body.size(); ++i) {
    if (!is_use(body, i, buffer)) continue;
    if (i + 1 >= body.size() || !body[i + 1].is("[")) return std::nullopt;
    const size_t end = index_end(body, i + 1);
    const auto here = reader.read(body.subspan(i + 2, end > i + 2 ? end - i - 2 : 0));
    if (!here || (shape && *shape != *here)) return std::nullopt;
    shape = here;
  }
  return shape;
}

}  // namespace hone::task
