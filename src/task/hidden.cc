#include "task/hidden.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/random.h"
#include "base/text.h"
#include "task/bind.h"
#include "task/named_file.h"
#include "task/read_parts.h"
#include "task/toml.h"

namespace hone::task {

namespace {

constexpr uint64_t k_file_limit_bytes = 1 << 20;
constexpr size_t k_most_cases = 1000;
constexpr std::string_view k_schema = "hidden/1";

Result<std::string> text_of_file(const std::filesystem::path& file) {
  return read_named_file(file, k_file_limit_bytes, ErrorCode::usage, "hidden cases stand in a file of their own");
}

void read_schema(Section& root) {
  std::string schema;
  if (root.get("schema", schema, Presence::required) && schema != k_schema)
    root.error("schema", fmt::format("is '{}', this hone reads '{}'", quote_untrusted(schema, 64), k_schema),
               "another schema may mean something else by the same keys", "schema = \"hidden/1\"");
}

std::optional<Digest> read_nonce(Section& root) {
  std::string hex;
  root.get("nonce", hex);
  const auto nonce = Digest::from_hex(hex);
  if (!nonce)
    root.error("nonce", hex.empty() ? "is missing" : "must be 64 lower-case hex digits",
               "without 32 random bytes the cases could be guessed until the digest fits",
               fmt::format("a fresh one: nonce = \"{}\"", to_hex(random_secret())));
  return nonce;
}

// The public domain, sizes and files.
void check_case(Reading& reading, const TomlNode& table, const Case& one) {
  if (const auto sound = synthetic_case(reading.task, one.bind, "hidden"); !sound)
    reading.report.error(table.at, "the case cannot be used", "a hidden case lies in the public domain of the contract",
                         sound.error());
}

void read_one(Reading& reading, const TomlNode& table, size_t index, std::vector<Case>& out) {
  Section section(table, fmt::format("hidden case {}", index + 1), reading.report);
  Case one;
  one.hidden = true;
  read_case_body(reading, section, one);
  section.finish();
  if (!reading.report.clean()) return;
  check_case(reading, table, one);
  out.push_back(std::move(one));
}

void read_all(Reading& reading, std::vector<Case>& out) {
  const auto tables = tables_of(reading.root, "cases", Presence::required);
  if (tables.size() > k_most_cases) return reading.root.error("cases", fmt::format("has more than {}", k_most_cases));
  for (size_t i = 0; i < tables.size(); ++i) read_one(reading, *tables[i], i, out);
}

std::string text_of(const BoundValue& value) {
  return std::visit([](auto number) { return fmt::format("{}", number); }, value);
}

Digest order_of(const Digest& nonce, const Case& one) {
  Sha256 hash;
  hash.add_field("hone.hidden/1").add_field(nonce.hex());
  for (const auto& [name, value] : one.bind) hash.add_field(name).add_field(text_of(value));
  return hash.finish();
}

void name_cases(const Digest& nonce, std::vector<Case>& cases) {
  std::stable_sort(cases.begin(), cases.end(),
                   [&](const Case& a, const Case& b) { return order_of(nonce, a) < order_of(nonce, b); });
  for (size_t i = 0; i < cases.size(); ++i) cases[i].id = fmt::format("{}{}", k_hidden_id, i + 1);
}

std::vector<Case> read_document(Task task, const TomlNode& document, Report& report) {
  std::vector<Case> cases;
  Section root(document, "the file of hidden cases", report);
  Reading reading{.task = task, .report = report, .root = root};
  reading.names_are_complete = true;
  read_schema(root);
  const auto nonce = read_nonce(root);
  read_all(reading, cases);
  root.finish();
  if (!report.clean() || !nonce) return {};
  name_cases(*nonce, cases);
  return cases;
}

Error no_commitment() {
  return {ErrorCode::usage,
          "the contract commits to no hidden cases",
          {},
          "cases that could be chosen after the fact prove nothing",
          "`hone check --hidden FILE` prints the commitment for task.toml"};
}

Error another_file(const Task& task, const std::filesystem::path& file, const Digest& digest) {
  return {ErrorCode::contract,
          fmt::format("{} is not the file of hidden cases that the contract commits to", file.string()),
          {},
          fmt::format("its SHA-256 is {}…, and [hidden] sha256 says {}…", digest.short_hex(),
                      task.hidden_commitment->short_hex()),
          "give the file as it was committed to; another one is another contract: `hone check --hidden FILE`"};
}

Result<ReadHidden> read_text(const Task& task, std::string_view text, const std::filesystem::path& file) {
  ReadHidden out;
  out.digest = sha256(text);
  HONE_TRY(const TomlNode document, parse_toml(text, file.string()));
  Report report(file.string(), text);
  out.cases = read_document(task, document, report);
  out.diagnostics = report.take();
  return out;
}

Status check_text(const Task& task, std::string_view text, const std::filesystem::path& file) {
  if (!task.hidden_commitment) return no_commitment();
  const Digest digest = sha256(text);
  if (digest == *task.hidden_commitment) return ok();
  return another_file(task, file, digest);
}

}  // namespace

Result<ReadHidden> read_hidden(const Task& task, const std::filesystem::path& file) {
  HONE_TRY(const std::string text, text_of_file(file));
  return read_text(task, text, file);
}

Status check_commitment(const Task& task, const std::filesystem::path& file) {
  HONE_TRY(const std::string text, text_of_file(file));
  return check_text(task, text, file);
}

Result<Task> with_hidden_cases(Task task, const std::filesystem::path& file) {
  HONE_TRY(const std::string text, text_of_file(file));
  HONE_CHECK(check_text(task, text, file));
  auto read = read_text(task, text, file);
  if (!read || read->cases.empty())
    return Error{ErrorCode::contract,
                 "the hidden cases do not fit the contract",
                 {},
                 "what is wrong with them is not told here, since it would tell what they are",
                 "whoever wrote them: `hone check --hidden FILE` says where"};
  for (Case& one : read->cases) task.cases.push_back(std::move(one));
  return task;
}

}  // namespace hone::task
