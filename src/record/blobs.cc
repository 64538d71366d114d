#include "record/blobs.h"

#include <fmt/format.h>

namespace hone::record {

namespace {

constexpr size_t k_prefix_digits = 2;   // 256 folders keep each small enough to list
constexpr unsigned k_read_only = 0444;  // blobs never change; this stops the hand that slips

std::optional<Digest> digest_of(const fs::path& relative) {
  return Digest::from_hex(relative.parent_path().string() + relative.filename().string());
}

bool is_leftover(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.starts_with('.') && name.ends_with(".tmp");
}

}  // namespace

Result<Blobs> Blobs::open(Disk& disk, const fs::path& folder) {
  HONE_CHECK(disk.make_directories(folder));
  HONE_CHECK(sync_directory(disk, folder.parent_path()));
  return Blobs(disk, folder);
}

fs::path Blobs::path_of(const Digest& digest) const {
  const std::string hex = digest.hex();
  return folder_ / hex.substr(0, k_prefix_digits) / hex.substr(k_prefix_digits);
}

Result<Digest> Blobs::put(std::string_view bytes) {
  const Digest digest = sha256(bytes);
  const fs::path path = path_of(digest);
  if (const auto there = get(digest); !there) {
    HONE_CHECK(disk_->make_directories(path.parent_path()));
    HONE_CHECK(write_file(*disk_, path, bytes, Durable::yes, k_read_only));
  } else {
    // Another writer may have renamed it into place without having come to the sync yet.
    HONE_CHECK(sync_directory(*disk_, path.parent_path()));
  }
  HONE_CHECK(sync_directory(*disk_, folder_));
  return digest;
}

Result<std::string> Blobs::get(const Digest& digest) const {
  const fs::path path = path_of(digest);
  if (!path_exists(path))
    return Error{ErrorCode::io, fmt::format("there is no blob {}", digest.hex()), {path.string()}};
  HONE_TRY(std::string bytes, read_file(path));
  if (sha256(bytes) == digest) return bytes;
  return Error{ErrorCode::refused,
               fmt::format("blob {} does not hold the bytes that it is named after", digest.hex()),
               {path.string()},
               "the file was changed or damaged after it was written",
               "restore it from a copy"};
}

bool Blobs::has(const Digest& digest) const { return path_exists(path_of(digest)); }

Result<std::vector<StoredBlob>> Blobs::list() const {
  HONE_TRY(const auto files, list_files(folder_));
  std::vector<StoredBlob> blobs;
  for (const fs::path& file : files) {
    const auto digest = digest_of(file);
    if (!digest || path_of(*digest) != folder_ / file) continue;
    std::error_code gone;  // removed since it was listed
    const uint64_t size = fs::file_size(folder_ / file, gone);
    if (!gone) blobs.push_back({*digest, size});
  }
  return blobs;
}

Status Blobs::remove(const Digest& digest) { return disk_->remove(path_of(digest)); }

Status Blobs::remove_leftovers() {
  HONE_TRY(const auto files, list_files(folder_));
  for (const fs::path& file : files) {
    if (is_leftover(file)) HONE_CHECK(disk_->remove(folder_ / file));
  }
  return ok();
}

}  // namespace hone::record
