#include "surface/selftest/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace hone::cli {

namespace {

Error bad(const Specimen& specimen, const std::string& what) {
  return Error{ErrorCode::internal, fmt::format("the corpus file of '{}' {}", specimen.id, what)};
}

// "OUTCOME (reason)"; a reason may hold anything but a bar.
std::optional<Expected> expected_of(std::string_view words) {
  const size_t open = words.find('(');
  const auto outcome = value_of<campaign::Outcome>(trim(words.substr(0, open)));
  if (!outcome) return std::nullopt;
  if (open == std::string_view::npos) return Expected{*outcome, std::nullopt};
  if (!words.ends_with(')')) return std::nullopt;
  return Expected{*outcome, std::string(words.substr(open + 1, words.size() - open - 2))};
}

Status read_expect(Specimen& specimen, const std::string& value) {
  for (const std::string& words : split(value, '|')) {
    const auto expected = expected_of(trim(words));
    if (!expected) return bad(specimen, fmt::format("expects '{}'", words));
    specimen.expected.push_back(*expected);
  }
  return ok();
}

Status read_question(Specimen& specimen, const std::string& value) {
  const auto question = value_of<campaign::Question>(value);
  const bool known = question == campaign::Question::verify || question == campaign::Question::compare;
  if (!known) return bad(specimen, fmt::format("asks '{}'", value));
  specimen.question = *question;
  return ok();
}

Status read_layer(Specimen& specimen, const std::string& value) {
  specimen.layer = value_of<sandbox::Layer>(value);
  return specimen.layer ? ok() : Status(bad(specimen, fmt::format("needs the unknown layer '{}'", value)));
}

Status read_cores(Specimen& specimen, const std::string& value) {
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), specimen.cores);
  const bool whole = error == std::errc() && end == value.data() + value.size();
  return whole ? ok() : Status(bad(specimen, fmt::format("needs '{}' cores", value)));
}

Status read_needs(Specimen& specimen, const std::string& value) {
  specimen.needs_checker = value == "compute-sanitizer";
  return specimen.needs_checker ? ok() : Status(bad(specimen, fmt::format("needs '{}'", value)));
}

Status read_group(Specimen& specimen, const std::string& value) {
  specimen.group = value;
  return ok();
}

Status read_variant_line(Specimen& specimen, const std::string& value) {
  if (specimen.variant.empty()) specimen.variant = "schema = \"variant/1\"\n";
  specimen.variant += value + "\n";
  return ok();
}

struct KeyRow {
  std::string_view key;
  Status (*read)(Specimen& specimen, const std::string& value);
};

constexpr KeyRow k_keys[] = {{"class", read_group},         {"ask", read_question}, {"expect", read_expect},
                             {"cores", read_cores},         {"layer", read_layer},  {"needs", read_needs},
                             {"variant", read_variant_line}};

// A line of the opening comment: a key with its value, or more of what the file says about itself.
Status read_line(Specimen& specimen, std::string_view line) {
  for (const KeyRow& row : k_keys) {
    if (line.starts_with(row.key) && line.substr(row.key.size()).starts_with(": "))
      return row.read(specimen, std::string(trim(line.substr(row.key.size() + 2))));
  }
  specimen.says += (specimen.says.empty() ? "" : " ") + std::string(line);
  return ok();
}

Result<Specimen> read_specimen(const CorpusFile& file, const std::vector<std::string>& parts) {
  Specimen specimen;
  specimen.task = parts[0];
  specimen.kind = *value_of<Specimens>(parts[1]);
  specimen.id = parts[0] + "/" + parts[2].substr(0, parts[2].rfind('.'));
  specimen.text = file.text;
  for (const std::string& line : split_lines(file.text)) {
    if (!line.starts_with("// ")) break;
    HONE_CHECK(read_line(specimen, std::string_view(line).substr(3)));
  }
  if (specimen.says.empty() || specimen.group.empty() || specimen.expected.empty())
    return bad(specimen, "does not say what it does, its class and what must come of it");
  return specimen;
}

}  // namespace

Result<std::vector<Specimen>> read_corpus(std::span<const CorpusFile> files) {
  std::vector<Specimen> specimens;
  for (const CorpusFile& file : files) {
    const std::vector<std::string> parts = split(file.path, '/');
    if (parts.size() != 3 || !value_of<Specimens>(parts[1])) continue;
    HONE_TRY(Specimen specimen, read_specimen(file, parts));
    specimens.push_back(std::move(specimen));
  }
  std::sort(specimens.begin(), specimens.end(), [](const Specimen& a, const Specimen& b) {
    return std::tie(a.task, a.kind, a.id) < std::tie(b.task, b.kind, b.id);
  });
  return specimens;
}

bool is_expected(const Specimen& specimen, const campaign::Verdict& verdict) {
  return std::any_of(specimen.expected.begin(), specimen.expected.end(), [&](const Expected& expected) {
    return expected.outcome == verdict.outcome && (!expected.reason || *expected.reason == verdict.reason);
  });
}

std::string to_text(const std::vector<Expected>& expected) {
  std::vector<std::string> words;
  for (const Expected& one : expected) {
    const std::string outcome(name_of(one.outcome));
    words.push_back(one.reason ? fmt::format("{} ({})", outcome, *one.reason) : outcome);
  }
  return join(words, " or ");
}

}  // namespace hone::cli
