#include "task/compile_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"

namespace hone::task {

namespace {

constexpr std::string_view k_missing = "-";
constexpr std::string_view k_default_optimisation = "O2";
constexpr std::string_view k_optimisation_group = "optimisation";

using enum Caution;

// Left out on purpose: -Ofast and -ffast-math (they hide what they allow; the parts stand here one by one),
// -ffinite-math-only (NaN and infinity are judged), -flto (one shared object is linked), flags that both compilers
// ignore.
constexpr CompileOption k_options[] = {
    {"O1", "optimisation", 3, exact, "-O1", "-O1", "fewer optimisations, smaller code", "-", "-", "-O1"},
    {"O2", "optimisation", 3, exact, "-O2", "-O2", "the default", "", "", "-O2"},
    {"O3", "optimisation", 3, exact, "-O3", "-O3", "more inlining, unrolling and vectorisation", "-", "-", "-O3"},
    {"march-native", "march", 5, contraction, "-march=native", "-march=native",
     "every instruction of the machine that builds; may fuse multiply and add"},
    {"march-x86-64-v2", "march", 5, exact, "-march=x86-64-v2", "-march=x86-64-v2", "SSE4.2 and popcnt"},
    {"march-x86-64-v3", "march", 5, contraction, "-march=x86-64-v3", "-march=x86-64-v3",
     "AVX2 and FMA; may fuse multiply and add"},
    {"march-x86-64-v4", "march", 5, contraction, "-march=x86-64-v4", "-march=x86-64-v4",
     "AVX-512; may fuse multiply and add"},
    {"mtune-native", "mtune", 5, exact, "-mtune=native", "-mtune=native",
     "schedules for this machine without its new instructions"},
    {"vector-width-256", "vector-width", 5, exact, "-mprefer-vector-width=256", "-mprefer-vector-width=256",
     "vectors of 32 bytes where there is a choice"},
    {"vector-width-512", "vector-width", 5, exact, "-mprefer-vector-width=512", "-mprefer-vector-width=512",
     "vectors of 64 bytes where there is a choice"},
    {"unroll-loops", "unroll", 4, exact, "-funroll-loops", "-funroll-loops",
     "unrolls loops with a count known on entry"},
    {"no-unroll-loops", "unroll", 4, exact, "-fno-unroll-loops", "-fno-unroll-loops", "keeps loops rolled", "-", "-",
     "-fno-unroll-loops"},
    {"unroll-and-jam", "unroll-and-jam", 2, exact, "-floop-unroll-and-jam", "-mllvm -enable-unroll-and-jam",
     "unrolls outer loops into inner ones"},
    {"loop-interchange", "loop-interchange", 2, exact, "-floop-interchange", "-mllvm -enable-loopinterchange",
     "swaps nested loops for better locality"},
    {"loop-distribution", "loop-distribution", 2, exact, "-ftree-loop-distribution", "-mllvm -enable-loop-distribute",
     "splits loops so that a part vectorises"},
    {"split-loops", "split-loops", 4, exact, "-fsplit-loops", k_missing, "splits a loop where a condition flips once"},
    {"prefetch-loop-arrays", "prefetch", 2, exact, "-fprefetch-loop-arrays", k_missing, "prefetches arrays in loops"},
    {"no-vectorize", "vectorize", 3, exact, "-fno-tree-vectorize", "-fno-vectorize -fno-slp-vectorize",
     "keeps scalar code scalar"},
    {"vect-cost-dynamic", "vect-cost", 3, exact, "-fvect-cost-model=dynamic", k_missing,
     "vectorises where it pays at run time"},
    {"vect-cost-unlimited", "vect-cost", 3, exact, "-fvect-cost-model=unlimited", k_missing,
     "vectorises wherever it is possible"},
    {"interleave-4", "interleave", 4, exact, k_missing, "-mllvm -force-vector-interleave=4",
     "four vector iterations side by side"},
    {"fp-contract-fast", "fp-contract", 3, contraction, "-ffp-contract=fast", "-ffp-contract=fast",
     "fuses multiply and add across statements", "--fmad=true", "-cl-mad-enable", "-ffp-contract=fast"},
    {"fp-contract-off", "fp-contract", 3, exact, "-ffp-contract=off", "-ffp-contract=off",
     "never fuses multiply and add", "--fmad=false", "-", "-ffp-contract=off"},
    {"no-math-errno", "math-errno", 3, exact, "-fno-math-errno", "-fno-math-errno",
     "math functions need not set errno"},
    {"no-trapping-math", "trapping-math", 3, exact, "-fno-trapping-math", "-fno-trapping-math",
     "no floating-point traps are expected"},
    {"associative-math", "associative-math", 3, reassociation,
     "-fassociative-math -fno-signed-zeros -fno-trapping-math",
     "-fassociative-math -fno-signed-zeros -fno-trapping-math", "reorders sums, so that reductions vectorise", "-", "-",
     "-fassociative-math -fno-signed-zeros -fno-trapping-math"},
    {"reciprocal-math", "reciprocal-math", 3, reassociation, "-freciprocal-math", "-freciprocal-math",
     "divides by multiplying with the reciprocal", "-", "-", "-freciprocal-math"},
    {"inline-more", "inline", 3, exact, "-finline-limit=2000", "-mllvm -inline-threshold=2000",
     "inlines larger functions"},
    {"align-loops-32", "align-loops", 4, exact, "-falign-loops=32", "-falign-loops=32",
     "loops start at multiples of 32 bytes"},
    {"align-loops-64", "align-loops", 4, exact, "-falign-loops=64", "-falign-loops=64",
     "loops start at multiples of 64 bytes"},
    {"modulo-sched", "modulo-sched", 4, exact, "-fmodulo-sched", k_missing, "overlaps iterations of inner loops"},
    {"schedule-insns", "schedule-insns", 4, exact, "-fschedule-insns", k_missing,
     "schedules before registers are assigned"},
    {"no-schedule-insns2", "schedule-insns2", 4, exact, "-fno-schedule-insns2", k_missing,
     "keeps the order of register assignment"},
    {"ipa-pta", "ipa-pta", 2, exact, "-fipa-pta", k_missing, "follows pointers through the whole file"},
    {"no-semantic-interposition", "semantic-interposition", 3, exact, "-fno-semantic-interposition",
     "-fno-semantic-interposition", "exported functions may be inlined"},
    {"flush-denormals", "denormals", 3, reassociation, k_missing, k_missing, "single-precision denormals count as 0",
     "--ftz=true", "-cl-denorms-are-zero", "-fgpu-flush-denormals-to-zero"},
    {"approximate-division", "division", 3, reassociation, k_missing, k_missing,
     "single-precision division within 2 ulp", "--prec-div=false"},
    {"approximate-sqrt", "sqrt", 3, reassociation, k_missing, k_missing, "single-precision square root within 1 ulp",
     "--prec-sqrt=false"},
    {"registers-32", "registers", 4, exact, k_missing, k_missing, "at most 32 registers a thread", "--maxrregcount=32"},
    {"registers-64", "registers", 4, exact, k_missing, k_missing, "at most 64 registers a thread", "--maxrregcount=64"},
    {"registers-128", "registers", 4, exact, k_missing, k_missing, "at most 128 registers a thread",
     "--maxrregcount=128"},
};

std::string_view flags_of(const CompileOption& option, Compiler compiler) {
  switch (compiler) {
    case Compiler::gcc:
      return option.gcc;
    case Compiler::clang:
      return option.clang;
    case Compiler::cuda:
      return option.cuda;
    case Compiler::opencl:
      return option.opencl;
    case Compiler::hip:
      return option.hip;
  }
  return k_missing;
}

void append_flags(const CompileOption& option, Compiler compiler, std::vector<std::string>& out) {
  if (!available(option, compiler)) return;
  for (std::string& flag : split(flags_of(option, compiler), ' '))
    if (!flag.empty()) out.push_back(std::move(flag));
}

bool is_optimisation(const std::string& id) {
  const CompileOption* option = find_compile_option(id);
  return option && option->group == k_optimisation_group;
}

Error unknown_option(const std::string& id) {
  std::vector<std::string> known;
  for (const CompileOption& option : k_options) known.emplace_back(option.id);
  return {ErrorCode::contract,
          fmt::format("has the unknown compile option '{}'{}", quote_untrusted(id, 64), did_you_mean(id, known)),
          {},
          "flags are chosen by id, never as free text",
          "ids: " + join(known, ", ")};
}

}  // namespace

std::span<const CompileOption> compile_options() { return k_options; }

const CompileOption* find_compile_option(std::string_view id) {
  const auto found = std::find_if(std::begin(k_options), std::end(k_options),
                                  [id](const CompileOption& option) { return option.id == id; });
  return found == std::end(k_options) ? nullptr : &*found;
}

Status check_compile_options(std::span<const std::string> ids) {
  std::set<std::string_view> groups;
  for (const std::string& id : ids) {
    const CompileOption* option = find_compile_option(id);
    if (!option) return unknown_option(id);
    if (!groups.insert(option->group).second)
      return Error{ErrorCode::contract,
                   fmt::format("has two compile options of the group '{}'", option->group),
                   {},
                   "options of one group exclude each other",
                   "keep one of them"};
  }
  return ok();
}

bool available(const CompileOption& option, Compiler compiler) { return flags_of(option, compiler) != k_missing; }

std::vector<std::string> flags_for(std::span<const std::string> ids, Compiler compiler) {
  std::vector<std::string> flags;
  if (std::none_of(ids.begin(), ids.end(), is_optimisation))
    append_flags(*find_compile_option(k_default_optimisation), compiler, flags);
  for (const std::string& id : ids) {
    if (const CompileOption* option = find_compile_option(id)) append_flags(*option, compiler, flags);
  }
  return flags;
}

}  // namespace hone::task
