// SPDX-License-Identifier: BSD-3-Clause
// Tests peers that follow the protocol and peers that do not.
#include "tools/program/bench/peer_answer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

constexpr const char* kFigures = R"("analysis_seconds": 1, "factor_seconds": [4, 3], "solve_seconds": [0.5, 0.25])";

class AskPeer : public ::testing::Test {
 protected:
  PeerAnswer ask(const std::string& body, double seconds_limit = 30) {
    const PeerProgram peer{"fake", folder_.write("fake", "#!/bin/sh\n" + body + "\n")};
    std::filesystem::permissions(peer.executable, std::filesystem::perms::owner_all);
    PeerQuestion question{"A.mtx", "ldlt", "order.txt", 3, 2, seconds_limit};
    question.refines = refines_;
    question.num_again = num_again_;
    question.setting = setting_;
    return ask_peer(peer, question, {});
  }

  // True if `error` contains that text.
  static bool tells(const PeerAnswer& answer, const std::string& text) { return answer.error.find(text) != std::string::npos; }

  testing::ScratchFolder folder_;
  bool refines_ = false;
  int num_again_ = 0;
  ThreadSetting setting_;
};

TEST_F(AskPeer, ReadsTheLastObjectAmongOtherOutput) {
  const PeerAnswer answer =
      ask(std::string("echo 'Fake 1.0 (c)'; echo '{\"error\": \"not yet\"}'; echo '{ broken'; echo '{") + kFigures +
          R"(, "solver": "Fake 1.0", "backward_error": 1e-15, "peak_bytes": 5000000000, "more": null}'; echo bye)");
  EXPECT_EQ(answer.error, "");
  EXPECT_EQ(answer.skipped, "");
  EXPECT_EQ(answer.solver, "Fake 1.0");
  EXPECT_EQ(answer.first_factor_seconds(), 4);
  EXPECT_EQ(answer.warm_factor_seconds(), 3);
  EXPECT_EQ(answer.total_seconds(), 5.5);
  EXPECT_EQ(answer.peak_bytes, 5000000000);
  EXPECT_EQ(answer.estimated_factor_peak_bytes, 0);
  EXPECT_EQ(answer.backward_error, 1e-15);
  EXPECT_TRUE(std::isnan(answer.componentwise_backward_error));
}

TEST_F(AskPeer, ReadsComponentwiseErrors) {
  const std::string begin = std::string("echo '{") + kFigures + R"(, "backward_error": null, "componentwise_backward_error": )";
  EXPECT_EQ(ask(begin + "1e-14}'").componentwise_backward_error, 1e-14);
  const PeerAnswer lost = ask(begin + "null}'");
  EXPECT_TRUE(std::isinf(lost.componentwise_backward_error));
  EXPECT_TRUE(std::isinf(lost.backward_error));
  EXPECT_TRUE(tells(ask(begin + "\"small\"}'"), "does not keep to the protocol"));
}

TEST_F(AskPeer, JudgesByTheComponentwiseErrorIfItIsTold) {
  const std::string begin = std::string("echo '{") + kFigures + R"(, "backward_error": 1e-16, "componentwise_backward_error": )";
  EXPECT_EQ(ask(begin + "1e-9}'").error, "");
  EXPECT_TRUE(tells(ask(begin + "1e-3}'"), "wrong answer: backward error 1.0e-03"));
}

TEST_F(AskPeer, AsksForRefinement) {
  refines_ = true;
  (void)ask("echo \"$@\" > \"$0.arguments\"");
  EXPECT_NE(folder_.read("fake.arguments").find(" --refine"), std::string::npos);
}

TEST_F(AskPeer, AsksForRefactorizations) {
  num_again_ = 4;
  const PeerAnswer answer = ask(std::string("echo \"$@\" > \"$0.arguments\"; echo '{") + kFigures +
                                R"(, "backward_error": 0, "again_factor_seconds": 2, "again_solve_seconds": 0.5}')");
  EXPECT_NE(folder_.read("fake.arguments").find(" --again 4"), std::string::npos);
  EXPECT_EQ(answer.again_seconds(), 2.5);
  EXPECT_TRUE(std::isnan(ask(std::string("echo '{") + kFigures + R"(, "backward_error": 0}')").again_seconds()));
}

TEST_F(AskPeer, PassesTheQuestionOn) {
  (void)ask("echo \"$@\" > \"$0.arguments\"");
  EXPECT_EQ(folder_.read("fake.arguments"), "A.mtx --method ldlt --threads 3 --ranks 2 --repeat 2 --ordering order.txt\n");
}

TEST_F(AskPeer, LetsAPeerTakeNoPart) {
  const PeerAnswer answer = ask(R"(echo '{"skipped": "works on one thread"}')");
  EXPECT_EQ(answer.skipped, "works on one thread");
  EXPECT_EQ(answer.error, "");
}

TEST_F(AskPeer, TellsWhyAPeerFails) {
  EXPECT_EQ(ask(R"(echo '{"error": "out of memory"}'; exit 1)").error, "out of memory");
  EXPECT_TRUE(tells(ask("echo 'no licence' >&2; exit 7"), "exit code 7 without an answer: no licence"));
  EXPECT_TRUE(tells(ask("echo ---- >&2; echo 'zero pivot'; exit 255"), "exit code 255 without an answer: zero pivot"));
  EXPECT_TRUE(tells(ask("kill -SEGV $$"), "signal 11"));
  EXPECT_TRUE(tells(ask("exec /no/such/program"), "without an answer"));
}

TEST_F(AskPeer, EndsAPeerThatHangs) {
  const PeerAnswer answer = ask("exec sleep 100", 0.3);
  EXPECT_TRUE(tells(answer, "was stopped after")) << answer.error;
  EXPECT_TRUE(answer.is_over_limit);
}

TEST_F(AskPeer, RefusesGarbage) {
  EXPECT_TRUE(tells(ask("echo '{ not json'; echo '[1, 2]'"), "without an answer"));
  EXPECT_TRUE(tells(ask("echo '{}'"), "does not keep to the protocol"));
  EXPECT_TRUE(tells(ask(std::string("echo '{") + kFigures + "}'"), "backward_error"));
  EXPECT_TRUE(tells(ask(R"(echo '{"analysis_seconds": "fast"}')"), "does not keep to the protocol"));
  EXPECT_TRUE(
      tells(ask(R"(echo '{"analysis_seconds": 1, "factor_seconds": [], "solve_seconds": [1], "backward_error": 0}')"), "no times"));
}

TEST_F(AskPeer, CountsNoTimeWithoutTheRightAnswer) {
  EXPECT_TRUE(
      tells(ask(std::string("echo '{") + kFigures + R"(, "backward_error": 1e-6}')"), "wrong answer: backward error 1.0e-06"));
  EXPECT_TRUE(tells(ask(std::string("echo '{") + kFigures + R"(, "backward_error": null}')"), "wrong answer"));
}

TEST_F(AskPeer, DropsWhatChangesTheSpeedOfLibraries) {
  setenv("OPENBLAS_CORETYPE", "Prescott", 1);
  (void)ask("env > \"$0.environment\"");
  unsetenv("OPENBLAS_CORETYPE");
  const std::string environment = folder_.read("fake.environment");
  EXPECT_EQ(environment.find("OPENBLAS_CORETYPE"), std::string::npos);
  EXPECT_NE(environment.find("GLIBC_TUNABLES=glibc.malloc.hugetlb=1"), std::string::npos);
  EXPECT_NE(environment.find("OMP_NUM_THREADS=3"), std::string::npos);
  EXPECT_NE(environment.find("PATH="), std::string::npos);
  EXPECT_EQ(environment.find("LD_LIBRARY_PATH=/another"), std::string::npos);
}

TEST_F(AskPeer, PassesTheSettingOn) {
  setting_ = {"/another/openblas-openmp", true};
  setenv("LD_LIBRARY_PATH", "/of/peers", 1);
  (void)ask("env > \"$0.environment\"");
  unsetenv("LD_LIBRARY_PATH");
  const std::string environment = folder_.read("fake.environment");
  EXPECT_NE(environment.find("OMP_WAIT_POLICY=active\n"), std::string::npos);
  EXPECT_NE(environment.find("LD_LIBRARY_PATH=/another/openblas-openmp:/of/peers\n"), std::string::npos);
}

TEST(ThreadSettings, ExistOnceForOneThreadAndOncePerBuildAndWayOfWaitingForSeveral) {
  EXPECT_EQ(thread_settings(1), std::vector<ThreadSetting>{ThreadSetting{}});
  const std::vector<ThreadSetting> settings = thread_settings(2);
  EXPECT_EQ(settings[0], ThreadSetting{});
  EXPECT_EQ(settings[1].label(), ", spinning");
  EXPECT_TRUE(settings.size() == 2 || settings.size() == 4);  // Debian has one other build with threads
  for (const ThreadSetting& setting : settings) {
    EXPECT_TRUE(setting.blas_folder.empty() || std::filesystem::exists(setting.blas_folder + "/libopenblas.so.0"));
  }
}

}  // namespace
}  // namespace frond
