#include "task/bind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task/task_folder_for_tests.h"

namespace hone::task {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Task scale() { return *TaskFolder(scale_files()).read().task; }

Expression parsed(std::string_view text) { return *Expression::parse(text); }

Result<BoundCase> bound(const Task& task) { return bind_case(task, task.cases[0]); }

TEST(BindCase, WorksOutSizesAndValues) {
  const Task task = scale();
  const auto one = bind_case(task, task.cases[1]);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->id, "large");
  EXPECT_EQ(one->axes.at("n"), 1'000'000);
  EXPECT_EQ(std::get<double>(one->arguments[0].value), 1.5);
  EXPECT_EQ(one->arguments[0].bytes, 0u);
  EXPECT_EQ(one->arguments[0].count, 1u);
  EXPECT_THAT(one->arguments[1].shape, ElementsAre(1'000'000));
  EXPECT_THAT(one->arguments[1].strides, ElementsAre(1));
  EXPECT_EQ(one->arguments[1].bytes, 4'000'000u);
  EXPECT_EQ(std::get<int64_t>(one->arguments[3].value), 1'000'000);
  EXPECT_EQ(one->input_bytes(), 4'000'000u);
  EXPECT_EQ(one->output_bytes(), 4'000'000u);
  EXPECT_FALSE(one->bytes_read.has_value());
}

TEST(BindCase, WorksOutTheWork) {
  Task task = scale();
  task.work.flops.emplace(DType::f32, parsed("2 * n"));
  task.work.bytes_read = parsed("4 * n / 2");
  const auto one = bound(task);
  EXPECT_EQ(one->flops.at(DType::f32), 2046.0);
  EXPECT_EQ(one->bytes_read, 2046.0);
}

TEST(BindCase, DerivedAxesFollowTheOthers) {
  Task task = scale();
  Axis half;
  half.name = "half";
  half.kind = AxisKind::derived;
  half.expression = parsed("n // 2");
  task.axes.push_back(half);
  task.arguments[2].shape = {parsed("half"), parsed("3")};
  const auto one = bound(task);
  EXPECT_THAT(one->arguments[2].shape, ElementsAre(511, 3));
  EXPECT_THAT(one->arguments[2].strides, ElementsAre(3, 1));
}

TEST(BindCase, StridesDecideTheBytes) {
  Task task = scale();
  task.arguments[1].shape = {parsed("3"), parsed("4")};
  task.arguments[1].strides = {parsed("10"), parsed("2")};
  EXPECT_EQ(bound(task)->arguments[1].bytes, 4u * (2 * 10 + 3 * 2 + 1));
  EXPECT_EQ(bound(task)->arguments[1].count, 12u);
}

TEST(BindCase, ElementsOfAnOutputDoNotShareMemory) {
  Task task = scale();
  task.arguments[2].shape = {parsed("3"), parsed("4")};
  task.arguments[2].strides = {parsed("3"), parsed("1")};
  EXPECT_THAT(to_text(bound(task).error()), HasSubstr("share memory"));
  task.arguments[2].strides = {parsed("4"), parsed("1")};
  EXPECT_TRUE(bound(task));
  task.arguments[1].shape = {parsed("n")};
  task.arguments[1].strides = {parsed("0")};
  EXPECT_EQ(bound(task)->arguments[1].bytes, 4u);  // a broadcast input is fine
}

TEST(BindCase, AnOutputHasNoGaps) {
  Task task = scale();
  task.arguments[2].shape = {parsed("3"), parsed("4")};
  task.arguments[2].strides = {parsed("5"), parsed("1")};
  EXPECT_THAT(to_text(bound(task).error()), HasSubstr("leave gaps"));
  task.arguments[2].strides = {parsed("1"), parsed("3")};  // columns first
  EXPECT_TRUE(bound(task));
}

TEST(BindCase, AnEmptyBufferHasNoBytes) {
  Task task = scale();
  task.axes[0].minimum = 0;
  task.cases[0].bind["n"] = int64_t{0};
  EXPECT_EQ(bound(task)->arguments[1].bytes, 0u);
}

TEST(BindCase, OverflowIsAnError) {
  Task task = scale();
  task.arguments[1].shape = {parsed("2 ** 40"), parsed("2 ** 40")};
  EXPECT_THAT(to_text(bound(task).error()), HasSubstr("size of argument 'x' does not fit into 64 bits"));
  task.arguments[1].shape = {parsed("2 ** 62")};
  EXPECT_THAT(to_text(bound(task).error()), HasSubstr("does not fit into 64 bits"));
  task.arguments[1].shape = {parsed("2 ** 62"), parsed("0"), parsed("2 ** 62")};
  EXPECT_FALSE(bound(task));
}

TEST(BindCase, DeviceBytesBoundTheSum) {
  Task task = scale();
  task.limits.device_bytes = 2 * 4 * 1023;
  EXPECT_TRUE(bound(task));
  task.limits.device_bytes -= 1;
  EXPECT_THAT(to_text(bound(task).error()), HasSubstr("needs more than"));
}

TEST(BindCase, NegativeExtentsAreErrors) {
  Task task = scale();
  task.arguments[1].shape = {parsed("n - 2000")};
  EXPECT_THAT(to_text(bound(task).error()), HasSubstr("an extent is -977, below 0"));
}

TEST(BindCase, SizesMustFitTheirType) {
  Task task = scale();
  task.arguments[3].value = parsed("2 ** 31");
  EXPECT_THAT(to_text(bound(task).error()), HasSubstr("does not fit into i32"));
  task.arguments[3].value = parsed("2 ** 31 - 1");
  EXPECT_TRUE(bound(task));
  task.arguments[3].dtype = DType::u8;
  task.arguments[3].value = parsed("256");
  EXPECT_FALSE(bound(task));
  task.arguments[3].value = parsed("-1");
  EXPECT_FALSE(bound(task));
}

TEST(BindCase, TermsAreAtLeastOne) {
  Task task = scale();
  task.arguments[2].compare.terms = parsed("n - 1023");
  EXPECT_EQ(bound(task)->arguments[2].terms, 1u);
  task.arguments[2].compare.terms = parsed("n");
  EXPECT_EQ(bound(task)->arguments[2].terms, 1023u);
  task.arguments[2].compare.terms = parsed("n - 1024");
  EXPECT_FALSE(bound(task));
}

TEST(BindCase, AMissingBindingIsNamed) {
  Task task = scale();
  task.cases[0].bind.erase("n");
  EXPECT_THAT(to_text(bound(task).error()), HasSubstr("no integer to axis 'n'"));
  task = scale();
  task.cases[0].bind.erase("a");
  EXPECT_THAT(to_text(bound(task).error()), HasSubstr("scalar 'a'"));
}

TEST(SyntheticCase, StaysInsideThePublicRange) {
  const Task task = scale();
  const auto one = synthetic_case(task, {{"n", int64_t{77}}}, "probe");
  ASSERT_TRUE(one);
  EXPECT_EQ(std::get<int64_t>(one->bind.at("n")), 77);
  EXPECT_EQ(std::get<double>(one->bind.at("a")), -0.5);
  EXPECT_TRUE(one->is(Purpose::time));
  EXPECT_TRUE(synthetic_case(task, {{"n", int64_t{1'000'000}}}, "probe"));
  EXPECT_FALSE(synthetic_case(task, {{"n", int64_t{1'000'001}}}, "probe"));  // no case is larger
  EXPECT_FALSE(synthetic_case(task, {{"n", int64_t{0}}}, "probe"));
  EXPECT_FALSE(synthetic_case(task, {{"n", 7.0}}, "probe"));
  EXPECT_THAT(to_text(synthetic_case(task, {{"m", int64_t{7}}}, "probe").error()), HasSubstr("binds no 'm'"));
  EXPECT_TRUE(synthetic_case(task, {{"a", 3.0}}, "probe"));
}

TEST(SyntheticCase, KeepsToMultiples) {
  Task task = scale();
  task.axes[0].multiple_of = 8;
  EXPECT_FALSE(synthetic_case(task, {{"n", int64_t{12}}}, "probe"));
  EXPECT_TRUE(synthetic_case(task, {{"n", int64_t{16}}}, "probe"));
}

}  // namespace
}  // namespace hone::task
