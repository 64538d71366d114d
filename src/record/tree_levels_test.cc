#include "record/tree_levels.h"

#include <gtest/gtest.h>

namespace hone::record {
namespace {

std::vector<TreeFile> files_at(const std::vector<std::string>& paths) {
  std::vector<TreeFile> files;
  for (const std::string& path : paths) files.push_back({path, FileMode::plain, ""});
  return files;
}

using Levels = std::vector<std::vector<std::string>>;

TEST(TreeLevels, TheRootIsAlwaysThereAndLast) {
  EXPECT_EQ(folders_by_depth({}), (Levels{{""}}));
  EXPECT_EQ(folders_by_depth(files_at({"a", "b"})), (Levels{{""}}));
}

TEST(TreeLevels, DeeperFoldersComeFirst) {
  EXPECT_EQ(folders_by_depth(files_at({"a/b/c/x", "a/y", "d/z"})), (Levels{{"a/b/c"}, {"a/b"}, {"a", "d"}, {""}}));
}

TEST(TreeLevels, PathsComeApart) {
  EXPECT_EQ(parent_of("a/b/c"), "a/b");
  EXPECT_EQ(parent_of("c"), "");
  EXPECT_EQ(name_in_parent("a/b/c"), "c");
  EXPECT_EQ(name_in_parent("c"), "c");
}

TEST(TreeLevels, OrdinaryPathsAreFine) {
  EXPECT_TRUE(check_paths(files_at({"kernel.cpp", "a b/ä.h", "..x", ".gitignore", "x.git/y", "a/.hidden"})));
}

class BadPath : public ::testing::TestWithParam<std::string> {};

TEST_P(BadPath, IsRefused) {
  const Status checked = check_paths(files_at({GetParam()}));
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::internal);
}

INSTANTIATE_TEST_SUITE_P(All, BadPath,
                         ::testing::Values("", "/a", "a/", "a//b", ".", "..", "a/../b", "./a", ".git", "a/.GIT/hooks/x",
                                           "a\nb", std::string("a\0b", 3), "a\x7f"));

TEST(TreeLevels, NoPathStandsTwice) {
  EXPECT_FALSE(check_paths(files_at({"a", "a"})));
  EXPECT_FALSE(check_paths(files_at({"a", "a/b"})));
  EXPECT_FALSE(check_paths(files_at({"a/b/c", "a/b"})));
}

}  // namespace
}  // namespace hone::record
