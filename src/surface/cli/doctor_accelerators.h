// What `hone doctor` says of accelerators: their records, what is missing for them, and the text for a person. Pure but
// for add_accelerators, which asks tools for their versions. A tool is missed where a GPU of its vendor is: nobody
// needs all of them.
#pragma once

#include <string>
#include <vector>

#include "surface/cli/doctor_examine.h"

namespace hone::cli {

DeviceEntry record_of(const device::Accelerator& accelerator);
void add_accelerators(device::Accelerators found, const device::AcceleratorRequest& request, Processes& processes,
                      DoctorDocument& document);
std::vector<Lack> accelerator_lacks(const DoctorDocument& document);

std::string accelerator_text(const DeviceEntry& device);
std::string absent_text(const DoctorDocument& document);
std::string tools_text(const DoctorDocument& document);
std::string platforms_text(const DoctorDocument& document);
std::string python_text(const DoctorDocument& document);

}  // namespace hone::cli
