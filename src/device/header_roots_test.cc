// Header roots: which folder a name is, when it cannot serve, what its digest follows from, and what a build takes.
#include "device/header_roots.h"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/disk.h"

namespace hone::device {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class HeaderRoots : public testing::Test {
 protected:
  void SetUp() override {
    put("lib/axpy.h", "#define AXPY 1\n");
    put("lib/part/more.h", "#define MORE 2\n");
    name("lib", at("lib"));
  }
  ~HeaderRoots() override { unsetenv("HONE_INCLUDE_LIB"); }

  fs::path at(const std::string& path) const { return folder_.path() / path; }
  void put(const std::string& path, const std::string& text) const {
    Disk disk;
    fs::create_directories(at(path).parent_path());
    ASSERT_TRUE(write_file(disk, at(path), text));
  }
  static void name(const std::string& root, const std::string& value) {
    setenv(header_variable(root).c_str(), value.c_str(), 1);
  }
  std::string digest() const {
    const auto tree = read_header_tree(at("lib"));
    EXPECT_TRUE(tree) << to_text(tree.error());
    return tree ? tree->digest : "";
  }
  // Of a root that must not serve: the words of its error.
  static std::string refused(const std::vector<fs::path>& apart = {}) {
    const auto found = find_header_root("lib", apart);
    EXPECT_FALSE(found);
    if (found) return "";
    EXPECT_EQ(exit_code(found.error().code), 2);
    EXPECT_THAT(found.error().help, HasSubstr("export HONE_INCLUDE_LIB=/path"));
    return to_text(found.error());
  }

  TemporaryFolder folder_ = *TemporaryFolder::make(fs::canonical("/tmp"), "hone-headers-");
};

TEST_F(HeaderRoots, ANameIsTheFolderThatItsVariableSays) {
  const auto found = find_header_root("lib", {});
  ASSERT_TRUE(found) << to_text(found.error());
  EXPECT_EQ(found->root, (HeaderRoot{"lib", at("lib").string(), digest()}));
  EXPECT_EQ(found->files, 2u);
  EXPECT_EQ(found->bytes, 30u);
  EXPECT_EQ(header_variable("cutlass_3"), "HONE_INCLUDE_CUTLASS_3");
  EXPECT_THAT(names_of_header_roots(), testing::Contains("lib"));
}

TEST_F(HeaderRoots, ALinkToTheRootIsResolved) {
  fs::create_directory_symlink(at("lib"), at("link"));
  name("lib", at("link"));
  const auto found = find_header_root("lib", {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->root.folder, at("lib").string());
}

TEST_F(HeaderRoots, ANameThatNothingIsSetForSaysWhatToSet) {
  unsetenv("HONE_INCLUDE_LIB");
  EXPECT_THAT(refused(), HasSubstr("HONE_INCLUDE_LIB is not set"));
  name("lib", "");
  EXPECT_THAT(refused(), HasSubstr("HONE_INCLUDE_LIB is not set"));
}

TEST_F(HeaderRoots, WhatIsNoAbsoluteFolderIsRefused) {
  name("lib", "lib");
  EXPECT_THAT(refused(), HasSubstr("no absolute path"));
  name("lib", at("nothing"));
  EXPECT_THAT(refused(), HasSubstr("no folder here"));
  name("lib", at("lib/axpy.h"));
  EXPECT_THAT(refused(), HasSubstr("no folder here"));
}

TEST_F(HeaderRoots, ANameThatCompilersTakeApartIsRefused) {
  for (const char* folder : {"a b", "a,b", "a\"b", "a;b"}) {
    put(folder + std::string("/x.h"), "");
    name("lib", at(folder));
    EXPECT_THAT(refused(), HasSubstr("compilers take that name apart")) << folder;
  }
}

TEST_F(HeaderRoots, WhatOverlapsTheFoldersOfWorkIsRefused) {
  put("lib/task/task.toml", "");
  EXPECT_THAT(refused({at("lib")}), HasSubstr("overlaps"));
  EXPECT_THAT(refused({at("lib/task")}), HasSubstr("overlaps")) << "the root holds the task";
  EXPECT_THAT(refused({folder_.path()}), HasSubstr("overlaps")) << "the task holds the root";
  EXPECT_THAT(refused({at("other"), at("lib/task/")}), HasSubstr("overlaps"));
  EXPECT_TRUE(find_header_root("lib", std::vector<fs::path>{at("li"), at("library"), at("lib.hone")}));
}

TEST_F(HeaderRoots, ALinkThatWouldMatterMustStayInside) {
  fs::create_symlink("axpy.h", at("lib/same.h"));
  EXPECT_TRUE(find_header_root("lib", {}));
  put("secret.h", "#define SECRET 1\n");
  fs::create_symlink("../../secret.h", at("lib/part/out.h"));
  EXPECT_THAT(refused(), HasSubstr("a link that leads out"));
  fs::remove(at("lib/part/out.h"));
  fs::create_directory_symlink("..", at("lib/up"));
  EXPECT_THAT(refused(), HasSubstr("a link that leads out"));
}

TEST_F(HeaderRoots, WhatIsNoFileIsRefused) {
  ASSERT_EQ(mkfifo(at("lib/pipe.h").c_str(), 0600), 0);
  EXPECT_THAT(refused(), HasSubstr("neither a file nor a folder"));
}

TEST_F(HeaderRoots, WhatABuildsOwnUserCannotReadIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "builds run as the user who asks for them";
  fs::permissions(at("lib/part/more.h"), fs::perms::owner_read);
  EXPECT_THAT(refused(), HasSubstr("more.h is not open to others"));
  fs::permissions(at("lib/part"), fs::perms::owner_all);
  EXPECT_THAT(refused(), HasSubstr("part is not open to others"));
  fs::permissions(at("lib"), fs::perms::owner_all);
  EXPECT_THAT(refused(), HasSubstr("lib is not open to others"));
}

TEST_F(HeaderRoots, TooMuchIsRefused) {
  fs::resize_file(at("lib/axpy.h"), k_header_bytes);
  EXPECT_THAT(refused(), HasSubstr("more than 20000 files or 256"));
}

TEST_F(HeaderRoots, TheDigestFollowsFromNamesAndContentsAlone) {
  const std::string before = digest();
  fs::copy(at("lib"), at("copy"), fs::copy_options::recursive);
  EXPECT_EQ(read_header_tree(at("copy"))->digest, before) << "wherever it stands";
  put("lib/axpy.h", "#define AXPY 3\n");
  const std::string edited = digest();
  EXPECT_NE(edited, before);
  put("lib/axpy.h", "#define AXPY 1\n");
  EXPECT_EQ(digest(), before);
  fs::rename(at("lib/axpy.h"), at("lib/axpy2.h"));
  EXPECT_NE(digest(), before) << "a name";
  fs::rename(at("lib/axpy2.h"), at("lib/axpy.h"));
  put("lib/new.h", "");
  EXPECT_NE(digest(), before) << "a file more";
}

TEST_F(HeaderRoots, AChangedRootIsNoticed) {
  const std::vector<std::string> names{"lib"};
  const auto roots = find_header_roots(names, {});
  ASSERT_TRUE(roots);
  EXPECT_TRUE(require_unchanged(*roots));
  put("lib/part/more.h", "#define MORE 3\n");
  const auto changed = require_unchanged(*roots);
  ASSERT_FALSE(changed);
  EXPECT_EQ(exit_code(changed.error().code), 3);
  EXPECT_THAT(changed.error().what, HasSubstr("'lib'"));
  fs::remove_all(at("lib"));
  EXPECT_FALSE(require_unchanged(*roots));
}

TEST_F(HeaderRoots, ABuildTakesFlagsMountsAndAKey) {
  const std::vector<HeaderRoot> roots{{"b", "/opt/b", std::string(64, '1')}, {"a", "/opt/a", std::string(64, '2')}};
  EXPECT_THAT(include_flags(roots), ElementsAre("-I/opt/b", "-I/opt/a"));
  const auto mounts = header_mounts(roots);
  ASSERT_EQ(mounts.size(), 2u);
  EXPECT_EQ(mounts[0].path, "/opt/b");
  EXPECT_EQ(mounts[0].access, sandbox::Access::read_only);
  EXPECT_EQ(words_of(roots), "b 111111111111, a 222222222222");
  EXPECT_EQ(words_of({}), "");
}

}  // namespace
}  // namespace hone::device
