#include "record/log_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <vector>

namespace hone::record {

namespace {

constexpr size_t k_chunk_bytes = 1 << 20;  // large enough that system calls do not show beside the hashing

// Yields the newline-terminated lines of a file, each a view that lives until the next call.
class LineSource {
 public:
  LineSource(Fd fd, fs::path path) : fd_(std::move(fd)), path_(std::move(path)) {}

  // False at the end; what has no newline then stays in rest().
  Result<bool> next(std::string_view& line) {
    while (true) {
      const std::string_view waiting = rest();
      const size_t newline = waiting.find('\n');
      if (newline != std::string_view::npos) {
        line = waiting.substr(0, newline);
        begin_ += newline + 1;
        return true;
      }
      if (waiting.size() >= k_max_line_bytes) return false;
      HONE_TRY(const bool more, refill());
      if (!more) return false;
    }
  }

  std::string_view rest() const { return std::string_view(buffer_.data() + begin_, end_ - begin_); }

 private:
  Result<bool> refill() {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    ssize_t got = -1;
    do {
      got = ::read(fd_.get(), buffer_.data() + end_, buffer_.size() - end_);
    } while (got < 0 && errno == EINTR);
    if (got < 0) return io_error("read", path_, errno);
    end_ += static_cast<size_t>(got);
    return got > 0;
  }

  Fd fd_;
  fs::path path_;
  std::string buffer_ = std::string(k_chunk_bytes, '\0');
  size_t begin_ = 0;
  size_t end_ = 0;
};

Error broken(const fs::path& path, uint64_t number, std::string_view difference) {
  return {ErrorCode::refused,
          fmt::format("log line {}: {}", number, difference),
          {path.string(), static_cast<uint32_t>(number), 0},
          "the log was changed after it was written, so nothing that follows can be believed",
          "restore the file from a copy; hone never repairs a changed log"};
}

// What is wrong with a line that should follow the line with hash `prev_hex`; "" when nothing is.
std::string difference(const ChainFields* chain, size_t line_bytes, std::string_view prev_hex, uint64_t number) {
  if (line_bytes + 1 > k_max_line_bytes) return fmt::format("longer than {} bytes", k_max_line_bytes);
  if (chain == nullptr) return "does not end in 'prev' and 'hash'";
  if (sha256(chain->hashed).hex() != chain->hash) return "the hash does not match its bytes";
  if (chain->prev != prev_hex) {
    return number == 1 ? "'prev' of the first line is not 64 zeros"
                       : fmt::format("'prev' is not the hash of line {}", number - 1);
  }
  return "";
}

// Walks the chain: knows the hash that the next line must name.
class ChainWalk {
 public:
  explicit ChainWalk(const fs::path& path) : path_(path) {}

  Status step(std::string_view line) {
    const auto chain = chain_of(line);
    const std::string problem = difference(chain ? &*chain : nullptr, line.size(), prev_hex_, lines_ + 1);
    if (!problem.empty()) return broken(path_, lines_ + 1, problem);
    ++lines_;
    prev_hex_ = chain->hash;
    return ok();
  }

  uint64_t lines() const { return lines_; }
  Head head() const { return {lines_, Digest::from_hex(prev_hex_).value_or(Digest{})}; }

 private:
  const fs::path& path_;
  uint64_t lines_ = 0;
  std::string prev_hex_ = Digest{}.hex();
};

}  // namespace

Result<LogContent> read_log(const fs::path& path, const LineVisitor& visit) {
  Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return io_error("open", path, errno);
  LineSource source(std::move(fd), path);
  ChainWalk walk(path);
  LogContent content;
  std::string_view line;
  while (true) {
    HONE_TRY(const bool more, source.next(line));
    if (!more) break;
    HONE_CHECK(walk.step(line));
    HONE_CHECK(visit(line, walk.lines()));
    content.good_bytes += line.size() + 1;
  }
  // A torn append is shorter than a line may be; anything longer was never written by hone.
  if (source.rest().size() >= k_max_line_bytes)
    return broken(path, walk.lines() + 1, fmt::format("longer than {} bytes", k_max_line_bytes));
  content.head = walk.head();
  content.torn = source.rest();
  return content;
}

namespace {

Error cut(const fs::path& path, uint64_t lines, const Head& anchor) {
  return {ErrorCode::refused,
          fmt::format("the log ends at line {}, but line {} was anchored elsewhere", lines, anchor.lines),
          {.file = path.string()},
          "lines were cut from its end",
          "restore the file from a copy"};
}

}  // namespace

Status check_anchors(const fs::path& path, std::span<const Head> anchors) {
  std::vector<Head> wanted(anchors.begin(), anchors.end());
  std::erase_if(wanted, [](const Head& anchor) { return anchor.lines == 0; });
  std::ranges::sort(wanted, {}, &Head::lines);
  auto next = wanted.begin();
  const auto compare = [&](std::string_view line, uint64_t number) -> Status {
    for (; next != wanted.end() && next->lines == number; ++next) {
      if (chain_of(line)->hash != next->hash.hex())
        return broken(path, number, "is not the line that was anchored elsewhere");
    }
    return ok();
  };
  HONE_TRY(const LogContent content, read_log(path, compare));
  return next == wanted.end() ? ok() : Status(cut(path, content.head.lines, *next));
}

}  // namespace hone::record
