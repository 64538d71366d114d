// The role `hone judge`: one judging job over the descriptor k_protocol_descriptor, then the end.
// Trusted: it draws the secret, holds the clock and decides; it loads no candidate. Exit status 0 when the last message
// was sent.
#pragma once

namespace hone::judge {

int judge_main();

}  // namespace hone::judge
