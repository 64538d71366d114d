// JSON in one idiom: a type says once which fields it has, and that description writes it, reads it and gives its
// schema.
//
//   struct Point { double x = 0; std::optional<double> y; };
//   template <class A> void describe(A& a, Point& p) { a.field("x", p.x); a.field("y", p.y); }
//
//   json::to_text(point)               → {"x":1,"y":2}        compact, keys in the order of the description
//   json::from_text<Point>(text)       → Result<Point>        strict: unknown keys, missing keys and wrong types are
//   errors json::schema_of<Point>("hone.point/1") → JSON Schema 2020-12 text
//
// Kinds: bool, integers, double, std::string, Digest (hex), enums with EnumNames, std::optional (absent when empty),
// std::vector, std::map<std::string, T>, json::Raw (any JSON text), and described structs, nested at will. Numbers are
// written shortest round-trip; a NaN or infinity is a programmer's error (std::logic_error): unavailable is optional.
// Errors: ErrorCode::contract, `what` names the JSON pointer. No shared state; any thread.
#pragma once

#include <rapidjson/document.h>

#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/enums.h"
#include "base/hash.h"
#include "base/result.h"

namespace hone::json {

// JSON text carried as it is; must be valid compact JSON when written.
struct Raw {
  std::string text = "null";
  friend bool operator==(const Raw&, const Raw&) = default;
};

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsMap : std::false_type {};
template <class T>
struct IsMap<std::map<std::string, T>> : std::true_type {};

// ---- writing
// ----------------------------------------------------------------------------------------------------------

// Builds compact JSON text. Calls must nest correctly; commas and escapes are its business.
class Writer {
 public:
  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);
  void string(std::string_view text);
  void number(double value);
  void integer(int64_t value);
  void unsigned_integer(uint64_t value);
  void boolean(bool value);
  void raw(std::string_view json);
  std::string take() { return std::move(out_); }

 private:
  void open(char c);
  void close(char c);
  void separate();
  std::string out_;
  bool needs_comma_ = false;
};

class Out;
template <class T>
void write_value(Writer& writer, const T& value);

// Archive that writes the described fields.
class Out {
 public:
  explicit Out(Writer& writer) : writer_(writer) {}
  template <class T>
  void field(std::string_view name, const T& value) {
    if constexpr (IsOptional<T>::value) {
      if (value) field(name, *value);
    } else {
      writer_.key(name);
      write_value(writer_, value);
    }
  }

 private:
  Writer& writer_;
};

template <class T>
void write_sequence(Writer& writer, const std::vector<T>& values) {
  writer.begin_array();
  for (const auto& value : values) write_value<T>(writer, value);
  writer.end_array();
}

template <class T>
void write_map(Writer& writer, const std::map<std::string, T>& values) {
  writer.begin_object();
  for (const auto& [name, value] : values) {
    writer.key(name);
    write_value(writer, value);
  }
  writer.end_object();
}

template <class T>
void write_value(Writer& writer, const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    writer.boolean(value);
  } else if constexpr (std::is_same_v<T, Raw>) {
    writer.raw(value.text);
  } else if constexpr (std::is_same_v<T, Digest>) {
    writer.string(value.hex());
  } else if constexpr (NamedEnum<T>) {
    writer.string(name_of(value));
  } else if constexpr (std::signed_integral<T>) {
    writer.integer(value);
  } else if constexpr (std::unsigned_integral<T>) {
    writer.unsigned_integer(value);
  } else if constexpr (std::floating_point<T>) {
    writer.number(value);
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    writer.string(value);
  } else if constexpr (IsVector<T>::value) {
    write_sequence(writer, value);
  } else if constexpr (IsMap<T>::value) {
    write_map(writer, value);
  } else {
    writer.begin_object();
    Out out(writer);
    describe(out, const_cast<T&>(value));  // one description for reading and writing; Out changes nothing
    writer.end_object();
  }
}

template <class T>
std::string to_text(const T& value) {
  Writer writer;
  write_value(writer, value);
  return writer.take();
}

// The same document over several lines with two spaces of indentation and a newline at the end, for people and for
// views.
std::string pretty(std::string_view compact);

// ---- reading
// ----------------------------------------------------------------------------------------------------------

// Far deeper than any document of hone's. Whoever walks a document by recursion relies on it.
constexpr size_t k_most_nesting = 128;

// Parses strictly (UTF-8 checked, no trailing text, nested at most k_most_nesting deep).
Result<rapidjson::Document> parse(std::string_view text);
std::string text_of(const rapidjson::Value& value);

class Reader;
template <class T>
Status read_value(const rapidjson::Value& json, const std::string& pointer, T& out);

Error type_error(const std::string& pointer, std::string_view expected, const rapidjson::Value& found);
Status check_no_other_keys(const rapidjson::Value& object, const std::string& pointer,
                           const std::vector<std::string>& known);

// Archive that reads the described fields and remembers the first error.
class Reader {
 public:
  Reader(const rapidjson::Value& object, const std::string& pointer) : object_(object), pointer_(pointer) {}

  template <class T>
  void field(std::string_view name, T& out) {
    known_.emplace_back(name);
    if (!status_) return;
    const auto found = object_.FindMember(rapidjson::Value(rapidjson::StringRef(name.data(), name.size())));
    if (found == object_.MemberEnd()) return missing(name, IsOptional<T>::value);
    status_ = read_value(found->value, pointer_ + "/" + std::string(name), out);
  }
  Status finish() { return status_ ? check_no_other_keys(object_, pointer_, known_) : std::move(status_); }

 private:
  void missing(std::string_view name, bool allowed);
  const rapidjson::Value& object_;
  const std::string& pointer_;
  std::vector<std::string> known_;
  Status status_ = ok();
};

Status read_integer(const rapidjson::Value& json, const std::string& pointer, int64_t low, int64_t high, int64_t& out);
Status read_unsigned(const rapidjson::Value& json, const std::string& pointer, uint64_t high, uint64_t& out);
Status read_string(const rapidjson::Value& json, const std::string& pointer, std::string& out);
Error name_error(const std::string& pointer, std::string_view found, const std::vector<std::string>& known);

template <NamedEnum E>
Status read_enum(const rapidjson::Value& json, const std::string& pointer, E& out) {
  std::string name;
  HONE_CHECK(read_string(json, pointer, name));
  const auto value = value_of<E>(name);
  if (!value) {
    std::vector<std::string> known;
    for (const auto& row : EnumNames<E>::table) known.emplace_back(row.name);
    return name_error(pointer, name, known);
  }
  out = *value;
  return ok();
}

template <class T>
Status read_sequence(const rapidjson::Value& json, const std::string& pointer, std::vector<T>& out) {
  if (!json.IsArray()) return type_error(pointer, "an array", json);
  out.clear();
  out.reserve(json.Size());
  for (const auto& item : json.GetArray()) {
    T value{};
    HONE_CHECK(read_value(item, pointer + "/" + std::to_string(out.size()), value));
    out.push_back(std::move(value));
  }
  return ok();
}

template <class T>
Status read_map(const rapidjson::Value& json, const std::string& pointer, std::map<std::string, T>& out) {
  if (!json.IsObject()) return type_error(pointer, "an object", json);
  out.clear();
  for (const auto& member : json.GetObject()) {
    const std::string name(member.name.GetString(), member.name.GetStringLength());
    HONE_CHECK(read_value(member.value, pointer + "/" + name, out[name]));
  }
  return ok();
}

template <class T>
Status read_object(const rapidjson::Value& json, const std::string& pointer, T& out) {
  if (!json.IsObject()) return type_error(pointer, "an object", json);
  Reader reader(json, pointer);
  describe(reader, out);
  return reader.finish();
}

template <std::integral T>
Status read_number(const rapidjson::Value& json, const std::string& pointer, T& out) {
  if constexpr (std::is_signed_v<T>) {
    int64_t value = 0;
    HONE_CHECK(read_integer(json, pointer, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), value));
    out = static_cast<T>(value);
  } else {
    uint64_t value = 0;
    HONE_CHECK(read_unsigned(json, pointer, std::numeric_limits<T>::max(), value));
    out = static_cast<T>(value);
  }
  return ok();
}

template <class T>
Status read_value(const rapidjson::Value& json, const std::string& pointer, T& out) {
  if constexpr (IsOptional<T>::value) {
    return read_value(json, pointer, out.emplace());
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!json.IsBool()) return type_error(pointer, "true or false", json);
    out = json.GetBool();
    return ok();
  } else if constexpr (std::is_same_v<T, Raw>) {
    out.text = text_of(json);
    return ok();
  } else if constexpr (std::is_same_v<T, Digest>) {
    std::string hex;
    HONE_CHECK(read_string(json, pointer, hex));
    const auto digest = Digest::from_hex(hex);
    if (!digest) return type_error(pointer, "64 hex digits", json);
    out = *digest;
    return ok();
  } else if constexpr (NamedEnum<T>) {
    return read_enum(json, pointer, out);
  } else if constexpr (std::integral<T>) {
    return read_number(json, pointer, out);
  } else if constexpr (std::floating_point<T>) {
    if (!json.IsNumber()) return type_error(pointer, "a number", json);
    out = static_cast<T>(json.GetDouble());
    return ok();
  } else if constexpr (std::is_same_v<T, std::string>) {
    return read_string(json, pointer, out);
  } else if constexpr (IsVector<T>::value) {
    return read_sequence(json, pointer, out);
  } else if constexpr (IsMap<T>::value) {
    return read_map(json, pointer, out);
  } else {
    return read_object(json, pointer, out);
  }
}

template <class T>
Result<T> from_text(std::string_view text) {
  HONE_TRY(const auto document, parse(text));
  T value{};
  HONE_CHECK(read_value(document, "", value));
  return value;
}

// ---- schema
// -----------------------------------------------------------------------------------------------------------

template <class T>
void write_schema(Writer& writer);

// Archive that collects properties and required names.
class SchemaBuilder {
 public:
  explicit SchemaBuilder(Writer& writer) : writer_(writer) {}
  template <class T>
  void field(std::string_view name, const T&) {
    writer_.key(name);
    if constexpr (IsOptional<T>::value) {
      write_schema<typename T::value_type>(writer_);
    } else {
      required_.emplace_back(name);
      write_schema<T>(writer_);
    }
  }
  const std::vector<std::string>& required() const { return required_; }

 private:
  Writer& writer_;
  std::vector<std::string> required_;
};

void write_simple_schema(Writer& writer, std::string_view type);
void write_enum_schema(Writer& writer, const std::vector<std::string>& names);

template <class T>
void write_object_schema(Writer& writer) {
  T sample{};
  writer.key("type");
  writer.string("object");
  writer.key("properties");
  writer.begin_object();
  SchemaBuilder builder(writer);
  describe(builder, sample);
  writer.end_object();
  writer.key("required");
  write_value(writer, builder.required());
  writer.key("additionalProperties");
  writer.boolean(false);
}

template <class T>
void write_container_schema(Writer& writer) {
  writer.begin_object();
  if constexpr (IsVector<T>::value) {
    writer.key("type");
    writer.string("array");
    writer.key("items");
    write_schema<typename T::value_type>(writer);
  } else if constexpr (IsMap<T>::value) {
    writer.key("type");
    writer.string("object");
    writer.key("additionalProperties");
    write_schema<typename T::mapped_type>(writer);
  } else if constexpr (!std::is_same_v<T, Raw>) {
    write_object_schema<T>(writer);
  }
  writer.end_object();
}

template <class T>
void write_schema(Writer& writer) {
  if constexpr (NamedEnum<T>) {
    std::vector<std::string> names;
    for (const auto& row : EnumNames<T>::table) names.emplace_back(row.name);
    write_enum_schema(writer, names);
  } else if constexpr (std::is_same_v<T, bool>) {
    write_simple_schema(writer, "boolean");
  } else if constexpr (std::integral<T>) {
    write_simple_schema(writer, "integer");
  } else if constexpr (std::floating_point<T>) {
    write_simple_schema(writer, "number");
  } else if constexpr (std::is_same_v<T, Digest> || std::is_same_v<T, std::string>) {
    write_simple_schema(writer, "string");
  } else {
    write_container_schema<T>(writer);
  }
}

template <class T>
std::string schema_of(std::string_view id) {
  Writer writer;
  writer.begin_object();
  writer.key("$schema");
  writer.string("https://json-schema.org/draft/2020-12/schema");
  writer.key("$id");
  writer.string(id);
  write_object_schema<T>(writer);
  writer.end_object();
  return pretty(writer.take());
}

}  // namespace hone::json
