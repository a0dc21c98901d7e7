// SPDX-License-Identifier: BSD-3-Clause
// Runs frond bench as a whole, on problems that take hardly any time.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/support/programs/json_values.hpp"
#include "tests/support/programs/scratch_folder.hpp"
#include "tools/program/process/child_process.hpp"

namespace frond {
namespace {

using Json = nlohmann::json;

class BenchProgram : public ::testing::Test {
 protected:
  ChildResult run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {FROND_PROGRAM, "bench"});
    arguments.insert(arguments.end(), {"--json", folder_.path("run.json")});
    return run_child(arguments, 250);
  }
  [[nodiscard]] Json record() const { return Json::parse(folder_.read("run.json")); }

  // Writes a peer that is a shell script, and returns NAME=PATH.
  std::string fake(const std::string& name, const std::string& body) {
    const std::string path = folder_.write(name, "#!/bin/sh\n" + body + "\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return name + "=" + path;
  }

  testing::ScratchFolder folder_;
};

TEST_F(BenchProgram, MeasuresFrondAlone) {
  const ChildResult result = run({"laplacian3d7", "6", "helmholtz3d", "4", "--threads", "1,2", "--peers", "none", "--repeat", "2",
                                  "--tsv", folder_.path("run.tsv"), "--html", folder_.path("run.html")});
  ASSERT_EQ(result.exit_code, 0) << result.output << result.errors;
  EXPECT_NE(result.output.find("frond, 2 threads"), std::string::npos) << result.output;
  const Json json = record();
  EXPECT_EQ(json["rounds"], 2);
  EXPECT_EQ(json["machine"].size(), 4u);
  EXPECT_GT(json["machine"][0]["dgemm_flops_per_second"], 0);
  testing::expect_values(json["problems"][0], {{"n", 216}, {"method", "cholesky"}});
  EXPECT_EQ(json["problems"][1]["field"], "complex");
  int num_measured = 0;
  for (const Json& problem : json["problems"]) {
    for (const Json& entry : problem["entries"]) {
      num_measured +=
          entry["peer"] == "frond" && entry["runs"].size() == 2 && entry["medians"]["peak_bytes"].get<double>() > 0 ? 1 : 0;
    }
  }
  EXPECT_EQ(num_measured, 4);
  EXPECT_EQ(folder_.read("run.html").substr(0, 15), "<!DOCTYPE html>");
  EXPECT_EQ(folder_.read("run.tsv").substr(0, 8), "problem\t");
}

// All blocks of a triangular matrix have order 1, and only blocks are factorized: sweeps through the tree would miss the couplings.
TEST_F(BenchProgram, MeasuresSolvesWithBlocks) {
  std::string entries = "%%MatrixMarket matrix coordinate real general\n1200 1200 2399\n";
  for (int i = 1; i <= 1200; ++i) {
    entries += std::to_string(i) + " " + std::to_string(i) + " 2\n";
    if (i < 1200) {
      entries += std::to_string(i) + " " + std::to_string(i + 1) + " 1\n";
    }
  }
  const ChildResult result = run({folder_.write("T.mtx", entries), "--threads", "1", "--peers", "none", "--repeat", "1"});
  ASSERT_EQ(result.exit_code, 0) << result.output << result.errors;
  const Json entry = record()["problems"][0]["entries"][0];
  EXPECT_EQ(entry["peer"], "frond");
  EXPECT_EQ(entry["runs"].size(), 1u) << entry;
}

TEST_F(BenchProgram, RefactorizesWithOtherValues) {
  const ChildResult result = run({"nodal", "60", "laplacian2d5", "8", "helmholtz3d", "3", "--threads", "1", "--peers", "none",
                                  "--repeat", "1", "--again", "3"});
  ASSERT_EQ(result.exit_code, 0) << result.output << result.errors;
  const Json whole = record();
  for (const Json& problem : whole["problems"]) {
    const Json& run = problem["entries"][0]["runs"][0];
    EXPECT_GT(run["again_factor_seconds"], 0);
    EXPECT_GT(run["again_solve_seconds"], 0);
    EXPECT_EQ(run["factor_seconds"].size(), 2u);
  }
}

TEST_F(BenchProgram, MeasuresAClassAndWhatIsNamedInAddition) {
  const ChildResult result = run({"--class", "small", "laplacian2d5", "5", "--threads", "1", "--peers", "none", "--repeat", "1"});
  ASSERT_EQ(result.exit_code, 0) << result.output << result.errors;
  const Json problems = record()["problems"];
  EXPECT_EQ(problems.size(), 22u);
  EXPECT_TRUE(std::all_of(problems.begin(), problems.end(), [](const Json& problem) { return problem["error"] == ""; }));
  EXPECT_EQ(problems.back()["problem"], "laplacian2d5 5");
}

// Every peer that takes part has refactorized, and none gave a wrong answer.
TEST_F(BenchProgram, RefactorizesByEveryPeerThatIsBuilt) {
  if (FROND_IS_SANITIZED) {
    GTEST_SKIP() << "the libraries of the peers are not instrumented";
  }
  const ChildResult result = run({"nodal", "200", "laplacian2d5", "12", "basis_stairs", "100", "helmholtz3d", "4", "--threads", "1",
                                  "--repeat", "1", "--again", "3"});
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
  const Json whole = record();
  for (const Json& problem : whole["problems"]) {
    for (const Json& entry : problem["entries"]) {
      EXPECT_EQ(entry["error"], "") << entry["peer"] << " on " << problem["problem"];
      EXPECT_TRUE(entry["runs"].empty() || entry["runs"][0]["again_factor_seconds"] > 0) << entry;
    }
  }
}

TEST_F(BenchProgram, GoesOnWhenAPeerFails) {
  const ChildResult result =
      run({"laplacian2d5", "5", "--threads", "1", "--peers", "none", "--repeat", "2", "--time-limit", "20", "--peer",
           fake("wrong", "echo oops >&2; exit 9"), "--peer",
           fake("right", R"(echo '{"analysis_seconds": 1, "factor_seconds": [4], "solve_seconds": [1], "backward_error": 0}')")});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const Json entries = record()["problems"][0]["entries"];
  const auto entry_of = [&entries](const char* name) {
    return *std::find_if(entries.begin(), entries.end(), [name](const Json& entry) { return entry["peer"] == name; });
  };
  EXPECT_EQ(entry_of("wrong")["error"], "ended with exit code 9 without an answer: oops");
  EXPECT_EQ(entry_of("wrong")["runs"].size(), 0u);
  EXPECT_EQ(entry_of("right")["runs"].size(), 2u);
  EXPECT_EQ(entry_of("right")["medians"]["total_over_best_peer"], 1);
  EXPECT_LT(entry_of("frond")["medians"]["total_over_best_peer"], 1);
}

TEST_F(BenchProgram, TellsWhatThereIsWhenInterrupted) {
  const std::string slow = fake("slow", "exec sleep 200");
  const ChildResult result =
      run_child({"sh", "-c",
                 R"("$0" bench laplacian2d5 5 --threads 1 --peers none --time-limit 200 --peer "$1" --json "$2" & bench=$!
                    until pgrep -P $bench sleep >/dev/null; do sleep 0.1; done; kill -TERM $bench; wait $bench)",
                 FROND_PROGRAM, slow, folder_.path("run.json")},
                100);
  EXPECT_EQ(result.exit_code, 3) << result.errors;
  EXPECT_LT(result.seconds, 90);
  EXPECT_NE(result.output.find("interrupted"), std::string::npos) << result.output;
  EXPECT_EQ(record()["problems"][0]["entries"][0]["runs"].size(), 1u);
}

TEST_F(BenchProgram, LeavesOutWhatFrondDoesNotSolve) {
  const std::string singular = folder_.write("S.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n");
  const ChildResult result = run({singular, "laplacian2d5", "4", "--threads", "1", "--peers", "none", "--repeat", "1"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("S.mtx: left out: "), std::string::npos) << result.output;
  ASSERT_EQ(
      run({"laplacian2d5", "4", "--threads", "1", "--peers", "none", "--repeat", "1", "--least-factor-seconds", "60"}).exit_code,
      0);
  EXPECT_NE(record()["problems"][0]["error"].get<std::string>().find("less than asked for"), std::string::npos);
}

TEST_F(BenchProgram, RefusesWhatItCannotDo) {
  EXPECT_EQ(run({"no-such-matrix"}).exit_code, 2);
  EXPECT_EQ(run({"laplacian2d5", "5", "--peers", "nobody"}).exit_code, 2);
  EXPECT_EQ(run({"laplacian2d5", "5", "--peer", "alone"}).exit_code, 2);
  EXPECT_EQ(run({"laplacian2d5", "5", "--peer", "frond=/bin/true"}).exit_code, 2);
  EXPECT_EQ(run({"laplacian2d5", "5", "--repeat", "0"}).exit_code, 2);
  EXPECT_EQ(run({"laplacian2d5", "5", "--again", "-1"}).exit_code, 2);
  EXPECT_EQ(run({"--class", "large"}).exit_code, 2);
  EXPECT_EQ(run({"laplacian2d5", "5", "--html", folder_.path("missing/run.html")}).exit_code, 10);
}

// Solves positive definite, indefinite, unsymmetric and complex problems, with the peers' own orderings and with Frond's. Every
// adapter must solve at least one of them, and none may fail.
TEST_F(BenchProgram, RunsEveryPeerThatIsBuilt) {
  if (FROND_IS_SANITIZED) {
    GTEST_SKIP() << "the libraries of the peers are not instrumented";
  }
  for (const bool same : {false, true}) {
    std::vector<std::string> arguments = {"laplacian3d7", "6",   "kkt3d",   "4",   "convection3d", "6", "helmholtz3d", "5",
                                          "--threads",    "1,2", "--ranks", "1,2", "--repeat",     "1"};
    if (same) {
      arguments.emplace_back("--same-ordering");
    }
    const ChildResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
    const Json json = record();
    std::set<std::string> idle;
    std::set<std::string> busy;
    for (const Json& problem : json["problems"]) {
      for (const Json& entry : problem["entries"]) {
        const bool may_fail = entry["peer"] == "superlu_dist" && problem["problem"] == "kkt3d 4";
        EXPECT_TRUE(may_fail || entry["error"] == "") << entry["peer"] << " on " << problem["problem"] << ": " << entry["error"];
        (entry["runs"].empty() ? idle : busy).insert(entry["peer"].get<std::string>());
      }
    }
    for (const std::string& peer : busy) {
      idle.erase(peer);
    }
    EXPECT_TRUE(idle.empty()) << *idle.begin() << " never took part";
    if (busy == std::set<std::string>{"frond"} || busy == std::set<std::string>{"frond", "frond_mpi"}) {
      GTEST_SKIP() << "no peer was built";
    }
  }
}

}  // namespace
}  // namespace frond
