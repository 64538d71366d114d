#include "device/shared_library.h"

#include <gmock/gmock.h>

#include "device/testing/fake_library.h"

namespace hone::device {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view k_text = "int twice(int x) { return 2 * x; } int again(int x) { return x; }";

struct Small {
  int (*twice)(int x) = nullptr;
  int (*maybe)(int x) = nullptr;
  int (*gone)(int x) = nullptr;
};

Result<SharedLibrary> open_one(const std::vector<std::string>& files) {
  return SharedLibrary::open({files, "a small library", "build it"});
}

TEST(SharedLibrary, EntriesAreBoundByName) {
  const FakeLibrary fake(k_text);
  const auto library = open_one({fake.path()});
  ASSERT_TRUE(library);
  EXPECT_EQ(library->path(), fake.path());
  constexpr Entry<Small> rows[] = {entry<&Small::twice>("twice"), entry<&Small::maybe>("thrice", Presence::optional)};
  Small small;
  ASSERT_TRUE(bind_entries<Small>(*library, rows, small));
  EXPECT_EQ(small.twice(21), 42);
  EXPECT_EQ(small.maybe, nullptr);
}

TEST(SharedLibrary, EveryMissingEntryIsNamed) {
  const FakeLibrary fake(k_text);
  const auto library = open_one({fake.path()});
  ASSERT_TRUE(library);
  constexpr Entry<Small> rows[] = {entry<&Small::twice>("twice"), entry<&Small::maybe>("thrice"),
                                   entry<&Small::gone>("gone")};
  Small small;
  const Status status = bind_entries<Small>(*library, rows, small);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::environment);
  EXPECT_THAT(status.error().what, HasSubstr("thrice, gone"));
  EXPECT_THAT(status.error().what, Not(HasSubstr("twice,")));
  EXPECT_EQ(status.error().help, "build it");
}

TEST(SharedLibrary, TheFirstThatOpensIsTaken) {
  const FakeLibrary fake(k_text);
  const auto library = open_one({"libhone-does-not-exist.so.7", fake.path()});
  ASSERT_TRUE(library);
  EXPECT_EQ(library->path(), fake.path());
}

TEST(SharedLibrary, NoneIsAnEnvironmentErrorThatSaysWhatToType) {
  const auto library = open_one({"libhone-does-not-exist.so.7", "/nowhere/at/all.so"});
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().code, ErrorCode::environment);
  EXPECT_EQ(library.error().what,
            "a small library cannot be opened: not found as libhone-does-not-exist.so.7, /nowhere/at/all.so");
  EXPECT_EQ(library.error().help, "build it");
}

TEST(SharedLibrary, AFileThatIsThereButIsNoLibraryIsExplained) {
  const auto library = open_one({"libhone-does-not-exist.so.7", "/etc/passwd"});
  ASSERT_FALSE(library);
  EXPECT_THAT(library.error().what, HasSubstr("not found as libhone-does-not-exist.so.7; /etc/passwd: "));
}

}  // namespace
}  // namespace hone::device
