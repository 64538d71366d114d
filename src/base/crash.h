// Crash points: in a build with HONE_CRASH_POINTS, HONE_CRASH_AT=N kills the process (SIGKILL, as a power cut would) at
// the N-th point it passes. Points stand before and after every write, sync, rename and spawn that changes durable
// state. HONE_CRASH_COUNT=1 says each on standard error. In other builds they are nothing. Any thread; which
// point is the N-th is certain in single-threaded code alone.
#pragma once

namespace hone {

#ifdef HONE_CRASH_POINTS
void crash_point(const char* name);
#else
inline void crash_point(const char*) {}
#endif

}  // namespace hone
