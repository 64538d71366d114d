// Collects what is wrong with one contract file while it is read: errors, warnings and open questions, each with its
// place. Also resolves the column of a fault inside an expression to the column of the file. Borrowed by the readers;
// one thread.
#pragma once

#include <string>
#include <string_view>

#include "task/expression.h"
#include "task/read.h"
#include "task/toml.h"

namespace hone::task {

class Report {
 public:
  Report(std::string file, std::string_view source) : file_(std::move(file)), source_(source) {}

  void error(Position at, std::string what, std::string why = {}, std::string help = {});
  void error(Position at, std::string what, std::string why, Error cause);  // the cause keeps its own place
  void warning(Position at, std::string what, std::string why = {}, std::string help = {});
  void question(Position at, std::string what, std::string help);
  void add(Error error) { diagnostics_.errors.push_back(std::move(error)); }

  // The place of byte `column` of the string that starts at `at`; the string's own place when it is not one plain line.
  Position inside(Position at, uint32_t column) const;
  // Where an expression of `size_bytes` stands, so that a later fault of its value finds back here.
  Standing standing(Position at, size_t size_bytes) const;

  bool clean() const { return diagnostics_.errors.empty() && diagnostics_.open_questions.empty(); }
  Diagnostics take();  // sorted by place

 private:
  Where where(Position at) const { return {file_, at.line, at.column}; }
  std::string file_;
  std::string_view source_;
  Diagnostics diagnostics_;
};

}  // namespace hone::task
