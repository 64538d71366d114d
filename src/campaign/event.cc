#include "campaign/event.h"

#include <fmt/format.h>

#include <array>

namespace hone::campaign {

namespace {

// type name → how to read a body of that type; filled from the variant's alternatives.
struct BodyReader {
  std::string_view type;
  Status (*read)(const rapidjson::Value& object, EventBody& out);
};

template <class Body>
Status read_body(const rapidjson::Value& object, EventBody& out) {
  return json::read_value(object, "", out.emplace<Body>());
}

template <size_t... I>
constexpr auto make_readers(std::index_sequence<I...>) {
  return std::array{BodyReader{std::variant_alternative_t<I, EventBody>::type,
                               &read_body<std::variant_alternative_t<I, EventBody>>}...};
}

constexpr auto k_readers = make_readers(std::make_index_sequence<std::variant_size_v<EventBody>>());

Status take_string(rapidjson::Value& object, const char* name, std::string& out) {
  const auto found = object.FindMember(name);
  if (found == object.MemberEnd() || !found->value.IsString())
    return Error{ErrorCode::refused, fmt::format("the event lacks the text field '{}'", name)};
  out.assign(found->value.GetString(), found->value.GetStringLength());
  object.EraseMember(found);
  return ok();
}

Status take_sequence(rapidjson::Value& object, uint64_t& out) {
  const auto found = object.FindMember("seq");
  if (found == object.MemberEnd() || !found->value.IsUint64())
    return Error{ErrorCode::refused, "the event lacks the number 'seq'"};
  out = found->value.GetUint64();
  object.EraseMember(found);
  return ok();
}

void drop(rapidjson::Value& object, const char* name) {
  const auto found = object.FindMember(name);
  if (found != object.MemberEnd()) object.EraseMember(found);
}

}  // namespace

std::string_view type_of(const EventBody& body) {
  return std::visit([](const auto& one) { return std::decay_t<decltype(one)>::type; }, body);
}

std::string to_line(const Event& event) {
  json::Writer writer;
  writer.begin_object();
  json::Out out(writer);
  out.field("seq", event.sequence);
  out.field("time", event.time);
  out.field("type", std::string(type_of(event.body)));
  std::visit([&](const auto& body) { describe(out, const_cast<std::decay_t<decltype(body)>&>(body)); }, event.body);
  writer.end_object();
  return writer.take();
}

Result<Event> from_line(std::string_view line) {
  HONE_TRY(auto document, json::parse(line));
  if (!document.IsObject()) return Error{ErrorCode::refused, "a log line must be a JSON object"};
  Event event;
  std::string type;
  HONE_CHECK(take_sequence(document, event.sequence));
  HONE_CHECK(take_string(document, "time", event.time));
  HONE_CHECK(take_string(document, "type", type));
  drop(document, "prev");
  if (document.HasMember("hash")) HONE_CHECK(take_string(document, "hash", event.hash));
  for (const BodyReader& reader : k_readers) {
    if (reader.type != type) continue;
    HONE_CHECK(reader.read(document, event.body));
    return event;
  }
  return Error{ErrorCode::environment,
               fmt::format("unknown event type '{}'", type),
               {},
               "an older hone must not guess what a newer one meant",
               "use the hone version that wrote this campaign"};
}

}  // namespace hone::campaign
