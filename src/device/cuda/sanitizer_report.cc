#include "device/cuda/sanitizer_report.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/text.h"

namespace hone::device::cuda {

namespace {

constexpr std::string_view k_mark = "=========";
constexpr size_t k_longest_line_bytes = 4096;  // of which more says nothing more
constexpr std::string_view k_frame = "Device Frame:";

// What a heading is about. Everything else is a finding of the kind `other` if it names a kernel.
enum class About { finding, summary, nothing };

struct HeadingRow {
  std::string_view start;
  About about;
  FindingKind kind = FindingKind::other;
};

// A warning of racecheck is about what may well be meant (two threads that write the same value).
constexpr HeadingRow k_headings[] = {
    {"Invalid ", About::finding, FindingKind::invalid_access},
    {"Misaligned ", About::finding, FindingKind::invalid_access},
    {"Uninitialized ", About::finding, FindingKind::uninitialised},
    {"Error: Race reported", About::finding, FindingKind::race},
    {"Error: Potential ", About::finding, FindingKind::race},
    {"ERROR SUMMARY:", About::summary},
    {"RACECHECK SUMMARY:", About::summary},
    {"COMPUTE-SANITIZER", About::nothing},
    {"LEAK SUMMARY:", About::nothing},
    {"Warning:", About::nothing},
    {"Info:", About::nothing},
};

HeadingRow row_of(std::string_view heading) {
  for (const HeadingRow& row : k_headings) {
    if (heading.starts_with(row.start)) return row;
  }
  return {"", About::finding, FindingKind::other};
}

std::string quoted(std::string_view text) {
  return quote_untrusted(text.substr(0, k_longest_report_text_bytes), 4 * k_longest_report_text_bytes);
}

std::optional<uint64_t> number_in(std::string_view digits) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  return whole ? std::optional(value) : std::nullopt;
}

// A function, and the source line of an instruction in it.
struct Location {
  std::string_view function;
  std::string_view file;
  std::optional<uint64_t> line;
};

// The first ":25:" of a text, as far as the number's end.
std::optional<Location> place_before_a_function(std::string_view text) {
  for (size_t begin = text.find(':'); begin != std::string_view::npos; begin = text.find(':', begin + 1)) {
    const size_t end = text.find(':', begin + 1);
    if (end == std::string_view::npos) break;
    if (const auto line = number_in(text.substr(begin + 1, end - begin - 1)))
      return Location{text.substr(end + 1), text.substr(0, begin), line};
  }
  return std::nullopt;
}

// "file.cu:25", or as older tools have it "file.cu:25:function".
Location place_in(std::string_view text) {
  const size_t last = text.rfind(':');
  const auto line = last == std::string_view::npos ? std::nullopt : number_in(text.substr(last + 1));
  if (line) return {{}, text.substr(0, last), line};
  return place_before_a_function(text).value_or(Location{{}, text, std::nullopt});
}

// "scale(float *, int)+0x80 in kernel.cu:25", "0x80 in kernel.cu:25:scale(float *, int)", without a place "scale+0x80".
Location location_in(std::string_view text) {
  text = trim(text.substr(0, text.rfind(" [")));
  const size_t in = text.rfind(" in ");
  Location location = in == std::string_view::npos ? Location{} : place_in(text.substr(in + 4));
  const std::string_view instruction = text.substr(0, in);
  if (!instruction.starts_with("0x")) location.function = trim(instruction.substr(0, instruction.rfind("+0x")));
  return location;
}

// Behind the first "at", where the line begins with one or says what was done there.
std::optional<Location> located(std::string_view line) {
  const size_t at = line.starts_with("at ") ? 0 : line.find(" access at ");
  if (at == std::string_view::npos) return std::nullopt;
  return location_in(line.substr(line.find("at ", at) + 3));
}

// "global" of "Invalid __global__ write of size 4 bytes".
std::string_view space_in(std::string_view heading) {
  const size_t begin = heading.find("__");
  const size_t end = begin == std::string_view::npos ? begin : heading.find("__", begin + 2);
  return end == std::string_view::npos ? std::string_view() : heading.substr(begin + 2, end - begin - 2);
}

// Of "[508 hazards]"; 0 where there is none.
uint64_t hazards_in(std::string_view line) {
  const size_t end = line.rfind(" hazard");
  const size_t begin = end == std::string_view::npos ? end : line.rfind('[', end);
  if (begin == std::string_view::npos) return 0;
  return number_in(line.substr(begin + 1, end - begin - 1)).value_or(0);
}

bool is_same_place(const SanitizerFinding& a, const SanitizerFinding& b) {
  return a.line == b.line && a.message == b.message && a.kernel == b.kernel && a.file == b.file;
}

class Reader {
 public:
  explicit Reader(SanitizerTool tool) : tool_(tool) {}

  void line(std::string_view text) {
    if (!text.starts_with(k_mark)) return;  // printed by the program that is watched
    text = text.substr(k_mark.size(), k_longest_line_bytes);
    const std::string_view content = trim(text);
    if (content.empty()) return;
    const bool indented = text.starts_with("  ");
    indented ? detail(content) : heading(content);
  }

  SanitizerReport finish() {
    keep();
    return std::move(report_);
  }

 private:
  void heading(std::string_view text);
  void detail(std::string_view text);
  void keep();

  struct Entry {
    FindingKind kind = FindingKind::other;
    std::string_view heading;
    std::optional<Location> first;  // where it happened
    std::string_view outermost;     // of the frames
    uint64_t hazards = 0;
  };
  SanitizerTool tool_;
  std::optional<Entry> entry_;
  SanitizerReport report_;
};

void Reader::heading(std::string_view text) {
  keep();
  const HeadingRow row = row_of(text);
  report_.is_complete = report_.is_complete || row.about == About::summary;
  report_.is_cut =
      report_.is_cut || (row.about == About::summary && text.find("not printed") != std::string_view::npos);
  if (row.about != About::finding) return;
  entry_ = Entry{row.kind, text, located(text), {}, hazards_in(text)};
}

// Frames come from the inside out: the last one is the kernel.
void Reader::detail(std::string_view text) {
  if (!entry_) return;
  if (text.starts_with(k_frame)) {
    entry_->outermost = location_in(trim(text.substr(k_frame.size()))).function;
    return;
  }
  if (!entry_->first) entry_->first = located(text);
  entry_->hazards += hazards_in(text);
}

// What names no kernel is no finding: it is what the tool says of itself, or of the program's calls.
void Reader::keep() {
  if (!entry_) return;
  const Entry entry = *std::exchange(entry_, std::nullopt);
  const std::string_view kernel = !entry.outermost.empty() ? entry.outermost
                                  : entry.first            ? entry.first->function
                                                           : std::string_view();
  if (kernel.empty()) {
    if (report_.complaint.empty()) report_.complaint = quoted(entry.heading);
    return;
  }
  const Location at = entry.first.value_or(Location{});
  SanitizerFinding found{
      tool_,   entry.kind, quoted(entry.heading), quoted(space_in(entry.heading)), quoted(kernel), quoted(at.file),
      at.line, 0};
  const auto is_it = [&](const SanitizerFinding& known) { return is_same_place(known, found); };
  auto known = std::ranges::find_if(report_.findings, is_it);
  if (known == report_.findings.end()) {
    if (report_.findings.size() == k_most_findings) return void(++report_.more);
    known = report_.findings.insert(known, std::move(found));
  }
  known->count += std::max<uint64_t>(entry.hazards, 1);
}

}  // namespace

SanitizerReport read_sanitizer_report(SanitizerTool tool, std::string_view text) {
  Reader reader(tool);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    reader.line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish();
}

std::string_view plain_name(std::string_view kernel) {
  if (kernel.starts_with("void ")) kernel.remove_prefix(5);
  return kernel.substr(0, kernel.find_first_of("(<", 1));
}

}  // namespace hone::device::cuda
