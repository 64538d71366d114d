// The watch's own side: a confined process that opens NVML and looks at one device every few milliseconds until the
// judge hangs up. hone's own code and a vendor's library; no candidate comes near it. Started by spawn in the role
// "watch"; speaks through the page and the descriptors of watch_page.h. The exit status says nothing: the page does.
#pragma once

namespace hone::device::cuda {

int watch_main();

}  // namespace hone::device::cuda
