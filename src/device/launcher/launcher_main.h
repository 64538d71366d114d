// The launcher's own side: a confined process that owns one context on one device and does what the judge says
// (docs/launcher-protocol.md). hone's own code throughout; what is foreign is what it loads. Started by spawn in the
// role "launcher"; speaks over the descriptors of wire.h; ends when the judge hangs up.
#pragma once

namespace hone::device::launcher {

int launcher_main();

}  // namespace hone::device::launcher
