// What doctor says is missing follows from what it found.
#include <gmock/gmock.h>

#include "sandbox/layers.h"
#include "surface/cli/doctor_examine.h"

namespace hone::cli {
namespace {

using ::testing::HasSubstr;

DoctorDocument healthy() {
  DoctorDocument document;
  DeviceEntry device;
  device.name = "AMD EPYC 9454";
  device.kind = "cpu";
  device.cores = {3};
  document.devices = {device};
  document.compilers = {{"g++ 12.2.0", "/usr/bin/g++", true, "first on PATH", true}};
  document.git = "git version 2.39.5";
  document.confinement = layer_records(sandbox::LayerSet::all());
  return document;
}

std::vector<std::string> names_of(const std::vector<Lack>& lacks, Need need) {
  std::vector<std::string> names;
  for (const Lack& lack : lacks) {
    if (lack.need == need) names.push_back(lack.what);
  }
  return names;
}

TEST(Doctor, AHealthyMachineLacksNothing) { EXPECT_TRUE(lacks_of(healthy()).empty()); }

TEST(Doctor, WhatHoneCannotDoWithoutIsRequired) {
  DoctorDocument document = healthy();
  document.devices.clear();
  document.compilers[0].in_use = false;
  document.git.reset();
  EXPECT_EQ(names_of(lacks_of(document), Need::required), (std::vector<std::string>{"device", "C++ compiler", "git"}));
}

TEST(Doctor, OpenMpAndLayersAreUseful) {
  DoctorDocument document = healthy();
  document.compilers[0].openmp = false;
  document.confinement = layer_records(sandbox::LayerSet::all().without(sandbox::Layer::own_proc));
  const auto lacks = lacks_of(document);
  EXPECT_TRUE(names_of(lacks, Need::required).empty());
  EXPECT_EQ(names_of(lacks, Need::useful), (std::vector<std::string>{"OpenMP", "own-proc"}));
}

TEST(Doctor, EveryMissingLayerHasARemedyAndNoActiveOneDoes) {
  for (const LayerRecord& layer : layer_records({})) {
    EXPECT_FALSE(layer.without.value_or("").empty()) << layer.name;
    EXPECT_FALSE(layer.remedy.value_or("").empty()) << layer.name;
  }
  for (const LayerRecord& layer : layer_records(sandbox::LayerSet::all())) {
    EXPECT_FALSE(layer.without || layer.remedy) << layer.name;
  }
}

TEST(Doctor, OneWayToTakeIdentitiesAwayIsEnough) {
  for (const auto layer : {sandbox::Layer::user_namespace, sandbox::Layer::other_user}) {
    DoctorDocument document = healthy();
    document.confinement = layer_records(sandbox::LayerSet::all().without(layer));
    EXPECT_TRUE(lacks_of(document).empty());
  }
  DoctorDocument document = healthy();
  document.confinement = layer_records(
      sandbox::LayerSet::all().without(sandbox::Layer::user_namespace).without(sandbox::Layer::other_user));
  EXPECT_EQ(lacks_of(document).size(), 2u);
}

TEST(Doctor, TextSaysWhatToType) {
  DoctorDocument document = healthy();
  document.git.reset();
  document.missing = lacks_of(document);
  document.ready = false;
  const std::string text = to_text(document);
  EXPECT_THAT(text, HasSubstr("git (required)"));
  EXPECT_THAT(text, HasSubstr("do: apt-get install git"));
  EXPECT_THAT(text, HasSubstr("NOT READY"));
}

// The tests' own program knows no roles.
device::AcceleratorRequest this_hone() {
  device::AcceleratorRequest request;
  request.program = HONE_BINARY;
  return request;
}

// Records what it was asked and knows no program.
class NoPrograms final : public Processes {
 public:
  Result<Finished> run(const Command& command) override {
    asked.push_back(command.argv.front());
    return Error{ErrorCode::environment, "no such program"};
  }
  std::vector<std::string> asked;
};

TEST(Doctor, AMachineWithoutProgramsIsNotReady) {
  NoPrograms processes;
  const DoctorDocument document = examine_machine(processes, this_hone());
  EXPECT_FALSE(document.ready);
  EXPECT_FALSE(document.git);
  EXPECT_TRUE(document.compilers.empty());
  EXPECT_THAT(processes.asked, ::testing::Contains("git"));
  EXPECT_EQ(document.confinement.size(), std::size(EnumNames<sandbox::Layer>::table));
}

TEST(Doctor, ThisMachineHasADeviceWithADefaultCore) {
  Processes processes;
  const DoctorDocument document = examine_machine(processes, this_hone());
  ASSERT_GE(document.devices.size(), 1u) << "accelerators come after the processor";
  EXPECT_EQ(document.devices[0].kind, "cpu");
  EXPECT_EQ(document.devices[0].cores.size(), 1u);
  EXPECT_EQ(document.devices[0].key.size(), 64u);
  EXPECT_FALSE(document.devices[0].compute_capability);
}

}  // namespace
}  // namespace hone::cli
