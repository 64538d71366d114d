// The file of hidden cases: what it holds, what a contract's commitment holds it to, and that nobody is told of it.
#include "task/hidden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "task/bind.h"
#include "task/task_folder_for_tests.h"

namespace hone::task {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string k_nonce = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

std::string hidden_text(const std::string& cases, const std::string& nonce = k_nonce) {
  return "schema = \"hidden/1\"\nnonce = \"" + nonce + "\"\n" + cases;
}

const std::string k_cases =
    "[[cases]]\nuse = [\"verify\"]\nbind = { n = 4242, a = 0.5 }\n"
    "[[cases]]\nuse = [\"verify\", \"time\"]\nweight = 3\nbind = { n = 77, a = 2.5 }\n"
    "[[cases]]\nuse = [\"time\"]\nbind = { n = 12, a = -1 }\n";

class Hidden : public ::testing::Test {
 protected:
  fs::path write(const std::string& text) const {
    outside_.write("hidden.toml", text);
    return outside_.path() / "hidden.toml";
  }
  // The contract, committed to these bytes.
  Task committed_to(const std::string& text) const {
    Task task = *TaskFolder(scale_files()).read().task;
    task.hidden_commitment = sha256(text);
    return task;
  }
  ReadHidden read(const std::string& text) const { return *read_hidden(committed_to(text), write(text)); }
  std::string first_error(const std::string& text) const {
    const ReadHidden found = read(text);
    EXPECT_TRUE(found.cases.empty());
    return found.diagnostics.errors.empty() ? "" : to_text(found.diagnostics.errors.front());
  }

  TaskFolder outside_{{}};
};

TEST_F(Hidden, CasesStandBehindThePublicOnesUnderOpaqueIds) {
  const std::string text = hidden_text(k_cases);
  const auto task = with_hidden_cases(committed_to(text), write(text));
  ASSERT_TRUE(task) << to_text(task.error());
  ASSERT_EQ(task->cases.size(), 5u);
  std::set<std::string> ids;
  std::set<int64_t> sizes;
  for (size_t i = 2; i < 5; ++i) {
    EXPECT_TRUE(task->cases[i].hidden);
    ids.insert(task->cases[i].id);
    sizes.insert(std::get<int64_t>(task->cases[i].bind.at("n")));
  }
  EXPECT_EQ(ids, (std::set<std::string>{"hidden-1", "hidden-2", "hidden-3"}));
  EXPECT_EQ(sizes, (std::set<int64_t>{4242, 77, 12}));
  EXPECT_EQ(task->cases_for(Purpose::time).size(), 3u);
  EXPECT_EQ(task->cases_for(Purpose::verify).size(), 4u);
  for (const Case& one : task->cases) {
    const bool heavy = one.bind.at("n") == BoundValue(int64_t{77});
    EXPECT_EQ(one.weight, heavy ? 3.0 : 1.0);
  }
  EXPECT_FALSE(task->cases[0].hidden);
}

// The order is the file's own secret: the same whenever it is read, another for another nonce.
TEST_F(Hidden, TheOrderFollowsTheNonce) {
  const auto order = [&](const std::string& nonce) {
    std::vector<int64_t> sizes;
    for (const Case& one : read(hidden_text(k_cases, nonce)).cases)
      sizes.push_back(std::get<int64_t>(one.bind.at("n")));
    return sizes;
  };
  std::set<std::vector<int64_t>> orders;
  for (const char digit : std::string("0123456789abcdef")) orders.insert(order(std::string(64, digit)));
  EXPECT_GE(orders.size(), 3u);
  EXPECT_EQ(order(k_nonce), order(k_nonce));
}

TEST_F(Hidden, ThePublicDomainDoesNotGrowByThem) {
  const std::string text = hidden_text(k_cases);
  const auto task = with_hidden_cases(committed_to(text), write(text));
  ASSERT_TRUE(task);
  EXPECT_EQ(public_range(*task, *task->find_axis("n")).maximum, 1'000'000);
}

TEST_F(Hidden, TheDigestIsThatOfTheBytes) {
  const std::string text = hidden_text(k_cases);
  EXPECT_EQ(read(text).digest, sha256(text));
}

TEST_F(Hidden, OneByteMoreIsAnotherFile) {
  const std::string text = hidden_text(k_cases);
  const auto task = with_hidden_cases(committed_to(text), write(text + "\n"));
  ASSERT_FALSE(task);
  EXPECT_EQ(task.error().code, ErrorCode::contract);
  EXPECT_THAT(to_text(task.error()), HasSubstr("not the file of hidden cases that the contract commits to"));
}

TEST_F(Hidden, WithoutACommitmentNoFileIsUsed) {
  Task task = committed_to("");
  task.hidden_commitment.reset();
  const auto with = with_hidden_cases(task, write(hidden_text(k_cases)));
  ASSERT_FALSE(with);
  EXPECT_EQ(with.error().code, ErrorCode::usage);
  EXPECT_THAT(to_text(with.error()), HasSubstr("hone check --hidden FILE"));
}

TEST_F(Hidden, AFileThatIsNotThereIsOneClearError) {
  const auto task = with_hidden_cases(committed_to("x"), outside_.path() / "gone.toml");
  ASSERT_FALSE(task);
  EXPECT_THAT(to_text(task.error()), HasSubstr("gone.toml"));
  EXPECT_THAT(to_text(task.error()), HasSubstr("hidden cases stand in a file of their own"));
}

TEST_F(Hidden, AMissingNonceBringsAFreshOne) {
  const auto nonce_of = [&] {
    const std::string error = first_error("schema = \"hidden/1\"\n" + k_cases);
    const size_t at = error.find("nonce = \"");
    EXPECT_NE(at, std::string::npos) << error;
    return error.substr(at + 9, 64);
  };
  const std::string first = nonce_of();
  EXPECT_TRUE(Digest::from_hex(first)) << first;
  EXPECT_NE(first, nonce_of());
  EXPECT_THAT(first_error(hidden_text(k_cases, "abc")), HasSubstr("64 lower-case hex digits"));
}

TEST_F(Hidden, TheAuthorIsToldWhatIsWrong) {
  EXPECT_THAT(first_error(hidden_text("[[cases]]\nuse = [\"verify\"]\nbind = { n = 0, a = 1 }\n")), HasSubstr("'n'"));
  EXPECT_THAT(first_error(hidden_text("[[cases]]\nuse = [\"verify\"]\nbind = { n = 2_000_000, a = 1 }\n")),
              HasSubstr("outside its public range"));
  EXPECT_THAT(first_error(hidden_text("[[cases]]\nuse = [\"verify\"]\nbind = { n = 5 }\n")), HasSubstr("'a'"));
  EXPECT_THAT(first_error(hidden_text("[[cases]]\nuse = [\"verify\"]\nid = \"x\"\nbind = { n = 5, a = 1 }\n")),
              HasSubstr("'id'"));
  EXPECT_THAT(first_error(hidden_text("")), HasSubstr("cases"));
  EXPECT_THAT(first_error("schema = \"hidden/2\"\nnonce = \"" + k_nonce + "\"\n" + k_cases), HasSubstr("hidden/1"));
}

TEST_F(Hidden, AThousandCasesAreTheMost) {
  std::string cases;
  for (int i = 1; i <= 1000; ++i)
    cases += "[[cases]]\nuse = [\"verify\"]\nbind = { n = " + std::to_string(i) + ", a = 1 }\n";
  EXPECT_EQ(read(hidden_text(cases)).cases.size(), 1000u);
  cases += "[[cases]]\nuse = [\"verify\"]\nbind = { n = 1001, a = 1 }\n";
  EXPECT_THAT(first_error(hidden_text(cases)), HasSubstr("more than 1000"));
}

// The commitment alone, as it is asked before a job begins.
TEST_F(Hidden, ACommitmentHoldsForItsBytesAlone) {
  const std::string text = hidden_text(k_cases);
  EXPECT_TRUE(check_commitment(committed_to(text), write(text)));
  EXPECT_FALSE(check_commitment(committed_to(text), write(text + "#\n")));
  Task task = committed_to(text);
  task.hidden_commitment.reset();
  EXPECT_FALSE(check_commitment(task, write(text)));
}

TEST_F(Hidden, NobodyElseIs) {
  const std::string text = hidden_text("[[cases]]\nuse = [\"verify\"]\nbind = { n = 2_000_000, a = 1 }\n");
  const auto task = with_hidden_cases(committed_to(text), write(text));
  ASSERT_FALSE(task);
  EXPECT_THAT(to_text(task.error()), HasSubstr("the hidden cases do not fit the contract"));
  EXPECT_THAT(to_text(task.error()), Not(HasSubstr("000")));
  EXPECT_THAT(to_text(task.error()), Not(HasSubstr("'n'")));
}

TEST_F(Hidden, NoPublicCaseMayBeCalledLikeOne) {
  const TaskFolder folder(scale_files());
  folder.write("task.toml", replaced(std::string(k_scale_toml), "id = \"odd\"", "id = \"hidden-1\""));
  EXPECT_THAT(to_text(folder.read().diagnostics.errors.at(0)), HasSubstr("stands for hidden cases"));
}

}  // namespace
}  // namespace hone::task
