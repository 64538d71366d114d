// SharedLibrary: a driver's library, opened at run time, so that one binary works with and without it. A library is
// described by a struct of function pointers and a table of entries, one row a function:
//
//   struct Lib { int (*init)(unsigned flags) = nullptr; };
//   constexpr Entry<Lib> k_entries[] = {entry<&Lib::init>("cuInit")};
//
// Ownership: an opened library stays until the process ends (drivers start threads and register exit handlers, so that
// closing one is not safe). Failure: environment, with what to type; an entry that is missing is named. Any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hone::device {

// How a library is found, and what to say when it is not.
struct LibraryNames {
  std::vector<std::string> files;  // names for the loader's search path, or paths; the first that opens is taken
  std::string_view purpose;        // "NVIDIA's driver library"
  std::string_view help;           // what to type
};

class SharedLibrary {
 public:
  static Result<SharedLibrary> open(const LibraryNames& names);

  void* symbol(const char* name) const;  // nullptr: not there
  const std::string& path() const { return path_; }
  std::string_view help() const { return help_; }

 private:
  SharedLibrary(void* handle, std::string path, std::string_view help);
  void* handle_;
  std::string path_;
  std::string_view help_;
};

// An optional entry that is missing leaves its pointer as it is: null, or what an earlier row for the same member found
// under an older name.
enum class Presence { required, optional };

template <class Library>
struct Entry {
  const char* symbol;
  void (*bind)(Library& library, void* address);
  Presence presence = Presence::required;
};

template <auto member>
struct EntryMember;
template <class L, class Function, Function L::*member>
struct EntryMember<member> {
  using Library = L;
  static void bind(L& library, void* address) { library.*member = reinterpret_cast<Function>(address); }
};

template <auto member>
constexpr Entry<typename EntryMember<member>::Library> entry(const char* symbol,
                                                             Presence presence = Presence::required) {
  return {symbol, EntryMember<member>::bind, presence};
}

Error missing_entries(const SharedLibrary& from, std::span<const std::string> symbols);

// Fills the pointers of the table, in its order.
template <class Library>
Status bind_entries(const SharedLibrary& from, std::span<const Entry<Library>> entries, Library& library) {
  std::vector<std::string> missing;
  for (const Entry<Library>& row : entries) {
    void* address = from.symbol(row.symbol);
    if (address != nullptr)
      row.bind(library, address);
    else if (row.presence == Presence::required)
      missing.emplace_back(row.symbol);
  }
  return missing.empty() ? ok() : Status(missing_entries(from, missing));
}

}  // namespace hone::device
