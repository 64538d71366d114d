#include "device/cpu/oracle_process.h"

#include "device/cpu/testing/arm_fixture.h"

namespace hone::device::cpu {
namespace {

using namespace std::chrono_literals;

class OracleTest : public ArmTest {
 protected:
  static Artefact compile_reference(const std::string& body) {
    CompileRequest request;
    request.files = {{"reference.cpp", false,
                      "#include <unistd.h>\n#include <stdlib.h>\nextern \"C\" void ref(const double* x, double* y, "
                      "long n, double a, double* m) {\n" +
                          body + "\n}\n"}};
    request.sources = {"reference.cpp"};
    request.entry = "ref";
    auto outcome = device()->compile(request);
    EXPECT_TRUE(outcome && outcome->artefact) << (outcome ? outcome->messages : to_text(outcome.error()));
    return outcome && outcome->artefact ? *outcome->artefact : Artefact{};
  }

  static std::unique_ptr<OracleProcess> start(const std::string& body) {
    OracleRequest request;
    request.artefact = compile_reference(body);
    request.entry = "ref";
    request.parameters = {{ParameterKind::buffer, task::DType::f64, 800, 64, false},
                          {ParameterKind::buffer, task::DType::f64, 800, 64, true},
                          {ParameterKind::value, task::DType::i64, 0, 1, false},
                          {ParameterKind::value, task::DType::f64, 0, 1, false},
                          {ParameterKind::buffer, task::DType::f64, 800, 64, true}};
    auto started = OracleProcess::start(*device(), request);
    EXPECT_TRUE(started) << to_text(started.error());
    EXPECT_TRUE(started && started->oracle);
    return started ? std::move(started->oracle) : nullptr;
  }

  static std::span<double> doubles(const OracleProcess& oracle, size_t parameter) {
    const auto bytes = oracle.buffer(parameter, 800);
    return {reinterpret_cast<double*>(bytes.data()), bytes.size() / sizeof(double)};
  }
};

constexpr const char* k_reference = "for (long i = 0; i < n; ++i) { y[i] = a * x[i]; m[i] = a; }";

TEST_F(OracleTest, AnswersManyCallsOfDifferentSizes) {
  const auto oracle = start(k_reference);
  ASSERT_TRUE(oracle);
  for (const int64_t n : {1, 100, 7}) {
    doubles(*oracle, 0)[static_cast<size_t>(n) - 1] = static_cast<double>(n);
    oracle->set_scalar(2, n);
    oracle->set_scalar(3, 0.5);
    const auto fault = oracle->call(10s);
    ASSERT_TRUE(fault && !*fault);
    EXPECT_EQ(doubles(*oracle, 1)[static_cast<size_t>(n) - 1], 0.5 * static_cast<double>(n));
    EXPECT_EQ(doubles(*oracle, 4)[0], 0.5);
  }
}

TEST_F(OracleTest, ADeathIsAFaultThatStays) {
  const auto oracle = start("abort();");
  const auto fault = oracle->call(10s);
  ASSERT_TRUE(fault && *fault);
  EXPECT_EQ((*fault)->kind, FaultKind::crashed);
  EXPECT_TRUE(oracle->call(10s)->has_value());
}

TEST_F(OracleTest, ADeadlineIsAFault) {
  const auto oracle = start("for (;;) pause();");
  const auto fault = oracle->call(50ms);
  ASSERT_TRUE(fault && *fault);
  EXPECT_EQ((*fault)->kind, FaultKind::timed_out);
}

TEST_F(OracleTest, InputsAreSealed) {
  const auto oracle = start("const_cast<double*>(x)[0] = 1;");
  EXPECT_EQ((*oracle->call(10s))->signal_or_code, SIGSEGV);
}

}  // namespace
}  // namespace hone::device::cpu
