// Content-addressed bytes: sources, artefacts, profiles, raw samples. A blob's name is the SHA-256 of its bytes, its
// place blobs/ab/cdef… (docs/blobs.md). A put that returned is durable, so an event may name it; a get proves the bytes
// by their name. Ownership: the Disk must outlive the Blobs. Several processes may put at once; remove and
// remove_leftovers need the campaign's lock. Failure: io; refused (exit 1) when a blob's bytes are not those that it is
// named after. One thread per object.
#pragma once

#include <optional>
#include <vector>

#include "base/disk.h"

namespace hone::record {

struct StoredBlob {
  Digest digest;
  uint64_t size_bytes = 0;
};

class Blobs {
 public:
  // Makes the folder when there is none.
  static Result<Blobs> open(Disk& disk, const fs::path& folder);

  // Idempotent; writes anew what is there but damaged.
  Result<Digest> put(std::string_view bytes);
  Result<std::string> get(const Digest& digest) const;
  bool has(const Digest& digest) const;
  // Sorted by digest. Sizes as on disk; nothing is read.
  Result<std::vector<StoredBlob>> list() const;
  Status remove(const Digest& digest);
  // Temporary files of writers that died. Only while nobody else writes.
  Status remove_leftovers();

  fs::path path_of(const Digest& digest) const;

 private:
  Blobs(Disk& disk, fs::path folder) : disk_(&disk), folder_(std::move(folder)) {}

  Disk* disk_;
  fs::path folder_;
};

}  // namespace hone::record
