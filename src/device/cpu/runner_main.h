// The roles `hone runner` and `hone oracle`: a confined process that loads one shared object and calls one function,
// over and over, as docs/runner-protocol.md says. Order: map what was handed over, drop everything else, install the
// system-call filter, and only then load foreign code. Never returns to hone; the status is that of control_page.h when
// the set-up fails.
#pragma once

namespace hone::device::cpu {

int runner_main();

}  // namespace hone::device::cpu
