#include "loop/store.h"

#include <fmt/format.h>

namespace hone::loop {

namespace {

// A newer hone's event is no fault of the log.
ErrorCode of_newer(const Error& error) {
  return error.code == ErrorCode::environment ? error.code : ErrorCode::refused;
}

// Folds one line; the error says which line of which file.
Status fold_line(campaign::State& state, const fs::path& log, std::string_view line, uint64_t number) {
  const Where where{log.string(), static_cast<uint32_t>(number), 0};
  auto event = campaign::from_line(line);
  if (!event) return Error{of_newer(event.error()), event.error().what, where, event.error().why, event.error().help};
  if (Status applied = campaign::apply(state, *event); !applied)
    return Error{ErrorCode::refused, applied.error().what, where,
                 "the log is not a history that hone could have written",
                 "restore the campaign's folder from a copy, or start a new one with -C"};
  return ok();
}

Result<Digest> digest_of(const std::string& hex) {
  const auto digest = Digest::from_hex(hex);
  if (!digest) return Error{ErrorCode::refused, fmt::format("'{}' is not the name of a blob", hex)};
  return *digest;
}

}  // namespace

Result<Store> Store::open(Disk& disk, Clock& clock, const fs::path& folder, const std::string& command) {
  Store store(disk, clock, folder);
  HONE_CHECK(disk.make_directories(folder));
  HONE_TRY(store.lock_,
           record::Lock::take(disk, folder / "lock", record::note_for(command, clock), "in this campaign"));
  HONE_TRY(store.blobs_, record::Blobs::open(disk, folder / "blobs"));
  HONE_CHECK(store.blobs_->remove_leftovers());
  HONE_CHECK(store.read_log());
  return store;
}

// A history in git without a single event: something took the log away, and a new one would not know what was proven.
Status Store::refuse_lost_log() const {
  if (state_.sequence > 0 || !path_exists(folder_ / "store.git")) return ok();
  return Error{ErrorCode::refused,
               "the log of this campaign is gone or empty, and its store.git is there",
               {(folder_ / "log.jsonl").string(), 0, 0},
               "the log is what a campaign proved; nothing else can replace it",
               "restore log.jsonl from a copy, or start a new campaign with -C NEW"};
}

Status Store::read_log() {
  const fs::path path = folder_ / "log.jsonl";
  HONE_TRY(record::OpenedLog opened, record::Log::open(*disk_, path, [&](std::string_view line, uint64_t number) {
             return fold_line(state_, path, line, number);
           }));
  log_ = std::move(opened.log);
  HONE_CHECK(refuse_lost_log());
  return tell_of_torn(opened.torn);
}

Status Store::tell_of_torn(const std::vector<record::TornTail>& tails) {
  for (const record::TornTail& tail : tails)
    HONE_CHECK(append(campaign::TailTorn{tail.size_bytes, tail.file.filename().string()}));
  return ok();
}

Status Store::append(campaign::EventBody body) {
  if (failed_)
    return Error{ErrorCode::io,
                 "the log could not be written before",
                 {},
                 "nothing may follow an event that is not durable",
                 "free space, then `hone resume`"};
  const campaign::Event event{state_.sequence + 1, to_iso8601(clock_->wall_time()), std::move(body)};
  HONE_CHECK(campaign::apply(state_, event));
  const auto head = log_->append(campaign::to_line(event));
  failed_ = !head;
  if (head) state_.head = head->hash.hex();
  return head ? ok() : Status(head.error());
}

Result<std::string> Store::put(std::string_view bytes) {
  HONE_TRY(const Digest digest, blobs_->put(bytes));
  return digest.hex();
}

Result<std::string> Store::get(const std::string& digest) const {
  HONE_TRY(const Digest name, digest_of(digest));
  return blobs_->get(name);
}

Result<ReadOnly> read_campaign(const fs::path& folder) {
  const fs::path path = folder / "log.jsonl";
  if (!path_exists(path))
    return Error{ErrorCode::usage,
                 fmt::format("there is no campaign in {}", folder.string()),
                 {},
                 "",
                 "start one with `hone run TASK`, or name its folder with -C"};
  ReadOnly campaign;
  HONE_TRY(const record::LogContent content, record::read_log(path, [&](std::string_view line, uint64_t number) {
             return fold_line(campaign.state, path, line, number);
           }));
  campaign.head = content.head;
  campaign.torn_bytes = content.torn.size();
  return campaign;
}

Result<std::string> read_blob(const fs::path& folder, const std::string& digest) {
  Disk disk;
  HONE_TRY(const Digest name, digest_of(digest));
  HONE_TRY(const record::Blobs blobs, record::Blobs::open(disk, folder / "blobs"));
  return blobs.get(name);
}

}  // namespace hone::loop
