// What the sanitizers' runtimes ask of every program of a sanitized build. The environment cannot say it: a confined
// process is this very program with a clean environment.
#include <sys/prctl.h>
#include <unistd.h>

extern "C" {

// A crash is an answer here: what a kernel's SIGSEGV means is for the judge to say, not for the runtime.
#define HONE_CRASHES_STAY_SIGNALS "handle_segv=0:handle_sigbus=0:handle_sigill=0:handle_sigfpe=0:handle_abort=0"
const char* __asan_default_options() { return HONE_CRASHES_STAY_SIGNALS; }
const char* __tsan_default_options() { return HONE_CRASHES_STAY_SIGNALS; }

// A search for leaks traces its own process, which a confined one forbids: it is the first of its namespace, or says
// so.
int __lsan_is_turned_off() { return getpid() == 1 || prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 1; }

// PoCL keeps what it knows of a program until the process ends.
const char* __lsan_default_suppressions() { return "leak:libpocl\n"; }
}
