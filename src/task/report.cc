#include "task/report.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"

namespace hone::task {

void Report::error(Position at, std::string what, std::string why, std::string help) {
  add({ErrorCode::contract, std::move(what), where(at), std::move(why), std::move(help)});
}

void Report::error(Position at, std::string what, std::string why, Error cause) {
  add(Error{ErrorCode::contract, std::move(what), where(at), std::move(why)}.because(std::move(cause)));
}

void Report::warning(Position at, std::string what, std::string why, std::string help) {
  diagnostics_.warnings.push_back({ErrorCode::contract, std::move(what), where(at), std::move(why), std::move(help)});
}

void Report::question(Position at, std::string what, std::string help) {
  for (const Error& asked : diagnostics_.open_questions) {
    if (asked.where.line == at.line && asked.where.column == at.column) return;
  }
  diagnostics_.open_questions.push_back({ErrorCode::contract, std::move(what), where(at), {}, std::move(help)});
}

namespace {

// Columns count code points, bytes do not: true only where the two agree.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f && c != '\\'; });
}

}  // namespace

Position Report::inside(Position at, uint32_t column) const {
  const std::string_view line = line_of(source_, at.line);
  if (at.column == 0 || at.column > line.size()) return at;
  const std::string_view rest = line.substr(at.column - 1);
  const bool quoted = rest.starts_with('"') || rest.starts_with('\'');
  const bool triple = rest.starts_with("\"\"\"") || rest.starts_with("'''");
  const bool plain = is_plain(line.substr(0, std::min<size_t>(line.size(), at.column + column)));
  return quoted && !triple && plain ? Position{at.line, at.column + column} : at;
}

Standing Report::standing(Position at, size_t size_bytes) const {
  return {where(at), inside(at, static_cast<uint32_t>(size_bytes)).column != at.column};
}

Diagnostics Report::take() {
  const auto earlier = [](const Error& a, const Error& b) {
    return std::tie(a.where.line, a.where.column) < std::tie(b.where.line, b.where.column);
  };
  for (auto* list : {&diagnostics_.errors, &diagnostics_.warnings, &diagnostics_.open_questions})
    std::stable_sort(list->begin(), list->end(), earlier);
  return std::move(diagnostics_);
}

}  // namespace hone::task
