#include "device/workshop.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/disk.h"

namespace hone::device {
namespace {

using testing::HasSubstr;

class WorkshopTest : public testing::Test {
 protected:
  fs::path path(const std::string& name) const { return folder_.path() / name; }
  void write(const std::string& name, const std::string& bytes) {
    Disk disk;
    ASSERT_TRUE(disk.make_directories(path(name).parent_path()));
    ASSERT_TRUE(write_file(disk, path(name), bytes));
  }
  TemporaryFolder folder_ = *TemporaryFolder::make(fs::temp_directory_path(), "hone-workshop-");
};

TEST_F(WorkshopTest, HoldsTheSourcesAndGoesWithTheBuild) {
  const std::vector<task::CandidateFile> files{{"a.cl", false, "one"}, {"include/b.h", false, "two"}};
  fs::path where;
  {
    const auto workshop = open_workshop(folder_.path(), files);
    ASSERT_TRUE(workshop) << to_text(workshop.error());
    where = workshop->folder.path();
    EXPECT_EQ(*read_file(workshop->source() / "include/b.h"), "two");
    EXPECT_TRUE(fs::is_empty(workshop->objects()));
  }
  EXPECT_FALSE(path_exists(where));
}

TEST_F(WorkshopTest, AFileOutsideIsRefused) {
  for (const char* name : {"../a.cl", "/a.cl", "b/../../a.cl"}) {
    const std::vector<task::CandidateFile> files{{name, false, "one"}};
    const auto workshop = open_workshop(folder_.path(), files);
    ASSERT_FALSE(workshop) << name;
    EXPECT_EQ(workshop.error().code, ErrorCode::contract);
  }
}

TEST_F(WorkshopTest, OnlyPlainFilesAreRead) {
  write("real", "bytes");
  fs::create_symlink(path("real"), path("link"));
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(*read_built(path("real")), "bytes");
  EXPECT_FALSE(read_built(path("link")));
  EXPECT_EQ(read_built(path("pipe")).error().code, ErrorCode::refused) << "and it does not wait for a writer";
  EXPECT_EQ(read_built(folder_.path()).error().code, ErrorCode::refused);
  EXPECT_EQ(read_built(path("absent")).error().code, ErrorCode::io);
}

TEST_F(WorkshopTest, ATreeComesBackAsItWas) {
  write("from/b/two", "2");
  write("from/a", "1");
  const auto files = read_tree(path("from"));
  ASSERT_TRUE(files);
  ASSERT_EQ(files->size(), 2u);
  EXPECT_EQ(files->at(0).name, "a");
  EXPECT_EQ(files->at(1).name, "b/two");
  ASSERT_TRUE(write_tree(path("to"), *files));
  EXPECT_EQ(*read_file(path("to/b/two")), "2");
}

TEST_F(WorkshopTest, ALinkInATreeIsNotFollowed) {
  write("secret/file", "secret");
  write("from/a", "1");
  fs::create_directory_symlink(path("secret"), path("from/door"));
  EXPECT_FALSE(read_tree(path("from")));
}

TEST_F(WorkshopTest, AnArtefactAppearsWholeOrNotAtAll) {
  const BuiltFile files[] = {{"kernel.bin", "code"}, {"messages.txt", "none"}};
  const fs::path folder = path("artefacts/key");
  ASSERT_TRUE(Disk().make_directories(path("artefacts")));
  ASSERT_TRUE(Disk().make_directories(builds_folder(folder_.path())));
  ASSERT_TRUE(store_artefact(folder, files));
  EXPECT_EQ(*read_file(folder / "kernel.bin"), "code");
  const BuiltFile others[] = {{"kernel.bin", "other"}};
  EXPECT_TRUE(store_artefact(folder, others)) << "somebody else was first";
  EXPECT_EQ(*read_file(folder / "kernel.bin"), "code");
  EXPECT_TRUE(fs::is_empty(builds_folder(folder_.path())));
}

TEST_F(WorkshopTest, OnlyWhatTheDeadLeftIsSwept) {
  const std::string mine = std::to_string(getpid()) + "-x";
  for (const std::string& name : {mine, std::string("999999999-x"), std::string("notes")}) write(name + "/file", "");
  sweep_left_overs(folder_.path());
  EXPECT_TRUE(path_exists(path(mine)));
  EXPECT_FALSE(path_exists(path("999999999-x")));
  EXPECT_TRUE(path_exists(path("notes")));
}

}  // namespace
}  // namespace hone::device
