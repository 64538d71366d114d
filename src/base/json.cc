#include "base/json.h"

#include <fmt/format.h>
#include <rapidjson/encodedstream.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "base/text.h"

namespace hone::json {

void Writer::separate() {
  if (needs_comma_) out_ += ',';
  needs_comma_ = true;
}

void Writer::open(char c) {
  separate();
  out_ += c;
  needs_comma_ = false;
}

void Writer::close(char c) {
  out_ += c;
  needs_comma_ = true;
}

void Writer::key(std::string_view name) {
  string(name);
  out_ += ':';
  needs_comma_ = false;
}

void Writer::string(std::string_view text) {
  separate();
  out_ += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += c;
    } else if (c == '\n') {
      out_ += "\\n";
    } else if (c == '\t') {
      out_ += "\\t";
    } else if (byte < 0x20) {
      out_ += fmt::format("\\u{:04x}", byte);
    } else {
      out_ += c;
    }
  }
  out_ += '"';
}

void Writer::number(double value) {
  if (!std::isfinite(value)) throw std::logic_error("a number that is not finite was about to be written as JSON");
  separate();
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  out_.append(buffer.data(), end);
  if (value == 0 && std::signbit(value)) out_ += ".0";  // -0 is an integer, which has no sign to keep
}

void Writer::integer(int64_t value) {
  separate();
  out_ += std::to_string(value);
}

void Writer::unsigned_integer(uint64_t value) {
  separate();
  out_ += std::to_string(value);
}

void Writer::boolean(bool value) { raw(value ? "true" : "false"); }

void Writer::raw(std::string_view json) {
  separate();
  out_ += json;
}

namespace {

constexpr unsigned k_parse_flags =
    rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseValidateEncodingFlag;

std::string_view kind_of(const rapidjson::Value& value) {
  if (value.IsObject()) return "an object";
  if (value.IsArray()) return "an array";
  if (value.IsString()) return "a string";
  if (value.IsNumber()) return "a number";
  return value.IsBool() ? "true or false" : "null";
}

std::string pointer_text(const std::string& pointer) { return pointer.empty() ? "the document" : pointer; }

bool opens(char c) { return c == '{' || c == '['; }
bool closes(char c) { return c == '}' || c == ']'; }

// Brackets in strings count too: harmless for a mere upper bound.
size_t most_nesting_possible(std::string_view text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '{') + std::count(text.begin(), text.end(), '['));
}

// How deep values lie in valid JSON.
size_t nesting_of(std::string_view text) {
  size_t depth = 0;
  size_t deepest = 0;
  bool in_string = false;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string && c == '\\') ++at;  // the character after it ends nothing
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    if (opens(c)) deepest = std::max(deepest, ++depth);
    if (closes(c)) --depth;
  }
  return deepest;
}

template <class T>
std::optional<T> number_from(std::string_view text) {
  T value{};
  const auto end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stopped == end ? std::optional(value) : std::nullopt;
}

// Hands what the reader finds to a document, but works numbers out by itself: for a zero with a large exponent the
// reader counts the leading zeros of 0, which may give anything.
class DocumentBuilder {
 public:
  using Size = rapidjson::SizeType;
  explicit DocumentBuilder(rapidjson::Document& document) : document_(document) {}

  bool RawNumber(const char* text, Size size, bool) { return number({text, size}); }
  bool String(const char* text, Size size, bool copy) {
    return is_text({text, size}) && document_.String(text, size, copy);
  }
  bool Key(const char* text, Size size, bool copy) { return is_text({text, size}) && document_.Key(text, size, copy); }
  bool Null() { return document_.Null(); }
  bool Bool(bool value) { return document_.Bool(value); }
  bool StartObject() { return document_.StartObject(); }
  bool EndObject(Size members) { return document_.EndObject(members); }
  bool StartArray() { return document_.StartArray(); }
  bool EndArray(Size items) { return document_.EndArray(items); }
  // The reader may call these, but not while it gives numbers as text.
  bool Int(int value) { return document_.Int(value); }
  bool Uint(unsigned value) { return document_.Uint(value); }
  bool Int64(int64_t value) { return document_.Int64(value); }
  bool Uint64(uint64_t value) { return document_.Uint64(value); }
  bool Double(double value) { return document_.Double(value); }

  // Why the builder ended the reading, when it did.
  const char* refusal() const { return refusal_; }

 private:
  bool refuse(const char* why) {
    refusal_ = why;
    return false;
  }
  // The reader checks the text's own UTF-8, but lets an escape name half of a surrogate pair, which no UTF-8 can hold:
  // written again, nobody could read it.
  bool is_text(std::string_view text) {
    for (size_t at = text.find('\xed'); at != std::string_view::npos; at = text.find('\xed', at + 1)) {
      if (at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) >= 0xa0)
        return refuse("An escape names half of a surrogate pair.");
    }
    return true;
  }
  bool number(std::string_view text) {
    if (const auto value = number_from<int64_t>(text)) return document_.Int64(*value);
    if (const auto value = number_from<uint64_t>(text)) return document_.Uint64(*value);
    if (const auto value = number_from<double>(text)) return document_.Double(*value);
    // Out of range: too large for a double, or so small that it is one of the smallest or zero.
    const double value = std::strtod(std::string(text).c_str(), nullptr);
    return std::isfinite(value) ? document_.Double(value) : refuse("Number too big to be stored in double.");
  }

  rapidjson::Document& document_;
  const char* refusal_ = "";
};

const char* words_of(rapidjson::ParseErrorCode code, const DocumentBuilder& builder) {
  return code == rapidjson::kParseErrorTermination ? builder.refusal() : rapidjson::GetParseError_En(code);
}

}  // namespace

Result<rapidjson::Document> parse(std::string_view text) {
  rapidjson::MemoryStream bytes(text.data(), text.size());
  rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> stream(bytes);
  rapidjson::Reader reader;
  rapidjson::Document document;
  DocumentBuilder builder(document);
  const auto read = [&](rapidjson::Document&) { return !reader.Parse<k_parse_flags>(stream, builder).IsError(); };
  document.Populate(read);
  if (reader.HasParseError())
    return Error{ErrorCode::contract, fmt::format("not valid JSON at byte {}: {}", reader.GetErrorOffset(),
                                                  words_of(reader.GetParseErrorCode(), builder))};
  if (most_nesting_possible(text) > k_most_nesting && nesting_of(text) > k_most_nesting)
    return Error{ErrorCode::contract, fmt::format("not JSON that hone reads: nested deeper than {}", k_most_nesting)};
  return document;
}

std::string text_of(const rapidjson::Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

namespace {

// Re-indents compact JSON text without touching a byte of its strings and numbers.
class Indenter {
 public:
  void take(std::string_view json, size_t at) {
    const char c = json[at];
    if (in_string_) return take_in_string(c);
    if (c == '{' || c == '[') return opened(c, json[at + 1]);
    if (c == '}' || c == ']') return closed(c, json[at - 1]);
    out_ += c;
    if (c == '"') in_string_ = true;
    if (c == ',') new_line();
    if (c == ':') out_ += ' ';
  }
  std::string finish() { return std::move(out_) + "\n"; }

 private:
  void take_in_string(char c) {
    out_ += c;
    if (!escaped_ && c == '"') in_string_ = false;
    escaped_ = !escaped_ && c == '\\';
  }
  void opened(char c, char next) {
    out_ += c;
    ++depth_;
    if (next != '}' && next != ']') new_line();
  }
  void closed(char c, char before) {
    --depth_;
    if (before != '{' && before != '[') new_line();
    out_ += c;
  }
  void new_line() { out_ += "\n" + std::string(2 * depth_, ' '); }

  std::string out_;
  size_t depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
};

}  // namespace

std::string pretty(std::string_view compact) {
  Indenter indenter;
  for (size_t at = 0; at < compact.size(); ++at) indenter.take(compact, at);
  return indenter.finish();
}

Error type_error(const std::string& pointer, std::string_view expected, const rapidjson::Value& found) {
  return {ErrorCode::contract, fmt::format("{} must be {}, found {}", pointer_text(pointer), expected, kind_of(found))};
}

Error name_error(const std::string& pointer, std::string_view found, const std::vector<std::string>& known) {
  return {ErrorCode::contract,
          fmt::format("{} holds the unknown word '{}'{}", pointer_text(pointer), found, did_you_mean(found, known)),
          {},
          {},
          "one of: " + join(known, ", ")};
}

Status check_no_other_keys(const rapidjson::Value& object, const std::string& pointer,
                           const std::vector<std::string>& known) {
  for (const auto& member : object.GetObject()) {
    const std::string name(member.name.GetString(), member.name.GetStringLength());
    if (std::find(known.begin(), known.end(), name) == known.end())
      return Error{ErrorCode::contract,
                   fmt::format("{} has an unknown key '{}'{}", pointer_text(pointer), name, did_you_mean(name, known))};
  }
  return ok();
}

void Reader::missing(std::string_view name, bool allowed) {
  if (!allowed)
    status_ = Error{ErrorCode::contract, fmt::format("{} lacks the key '{}'", pointer_text(pointer_), name)};
}

Status read_integer(const rapidjson::Value& json, const std::string& pointer, int64_t low, int64_t high, int64_t& out) {
  if (!json.IsInt64()) return type_error(pointer, "an integer", json);
  out = json.GetInt64();
  if (out < low || out > high)
    return Error{ErrorCode::contract, fmt::format("{} is {}, outside {} to {}", pointer_text(pointer), out, low, high)};
  return ok();
}

Status read_unsigned(const rapidjson::Value& json, const std::string& pointer, uint64_t high, uint64_t& out) {
  if (!json.IsUint64()) return type_error(pointer, "an integer of at least 0", json);
  out = json.GetUint64();
  if (out > high)
    return Error{ErrorCode::contract, fmt::format("{} is {}, more than {}", pointer_text(pointer), out, high)};
  return ok();
}

Status read_string(const rapidjson::Value& json, const std::string& pointer, std::string& out) {
  if (!json.IsString()) return type_error(pointer, "a string", json);
  out.assign(json.GetString(), json.GetStringLength());
  return ok();
}

void write_simple_schema(Writer& writer, std::string_view type) {
  writer.begin_object();
  writer.key("type");
  writer.string(type);
  writer.end_object();
}

void write_enum_schema(Writer& writer, const std::vector<std::string>& names) {
  writer.begin_object();
  writer.key("enum");
  write_value(writer, names);
  writer.end_object();
}

}  // namespace hone::json
