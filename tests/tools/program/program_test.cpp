// SPDX-License-Identifier: BSD-3-Clause
// Tests the commands, their usage, the files they read and write, and how they end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "frond/types.hpp"
#include "tests/support/programs/documented_keys.hpp"
#include "tests/support/programs/program_fixture.hpp"
#include "tools/program/process/child_process.hpp"

namespace frond::testing {
namespace {

TEST_F(Program, HelpsWithExamples) {
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{{"--help"},
                                                                                       {"solve", "--help"},
                                                                                       {"analyze", "--help"},
                                                                                       {"generate", "--help"},
                                                                                       {"check-labels", "--help"},
                                                                                       {"bench", "--help"},
                                                                                       {"machine", "--help"}}) {
    const ChildResult result = run(command);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_NE(result.output.find("Example"), std::string::npos) << command.front();
  }
  EXPECT_NE(run({"generate", "--help"}).output.find("elasticity3d"), std::string::npos);
  EXPECT_EQ(run({"--version"}).output.substr(0, 6), "frond ");
}

// Everyday options come first; all others are listed by group.
TEST_F(Program, ShowsOptionsByGroups) {
  const std::string help = run({"solve", "--help"}).output;
  const std::string all = run({"solve", "--help-all"}).output;
  EXPECT_LT(std::count(help.begin(), help.end(), '\n'), 60);
  for (const char* group :
       {"Analysis", "Pivots", "Accuracy", "Less memory", "Schur complement", "Other answers", "Several processes"}) {
    EXPECT_NE(help.find(group), std::string::npos) << group;
    EXPECT_NE(all.find(std::string("\n") + group + ":\n"), std::string::npos) << group;
  }
  for (const char* option :
       {"--ordering", "pivot-threshold=U", "krylov-steps=STEPS", "--once", "--expand", "--null-space", "watchdog=SECONDS"}) {
    const std::string described = std::string("\n  ") + option + ' ';
    EXPECT_EQ((help + ' ').find(described), std::string::npos) << option;
    EXPECT_NE(all.find(described), std::string::npos) << option;
  }
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 120U) << line;
  }
}

// Every description begins with a verb.
TEST_F(Program, DescribesOptionsInOneWay) {
  for (const char* command :
       {"solve", "analyze", "batch", "simulate", "simulate-batch", "generate", "check-labels", "bench", "machine", "calibrate"}) {
    std::istringstream lines(run({command, "--help-all"}).output);
    bool is_after_name = false;  // the description begins on the next line
    for (std::string line; std::getline(lines, line);) {
      const bool is_option = line.rfind("  -", 0) == 0;
      if (is_option || is_after_name) {
        is_after_name = is_option && (line.size() <= 30 || line[29] != ' ');
        if (!is_after_name) {
          ASSERT_GT(line.size(), 30U) << command << ": " << line;
          EXPECT_TRUE(std::isupper(static_cast<unsigned char>(line[30]))) << command << ": " << line;
        }
      }
    }
  }
}

// What more is to be said to frond solve is said by --set.
TEST_F(Program, HasFewOptions) {
  std::istringstream lines(run({"solve", "--help-all"}).output);
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    count += line.starts_with("  --") && !line.starts_with("  --help-all ") ? 1 : 0;
  }
  EXPECT_GT(count, 30);
  EXPECT_LE(count, 42);
}

TEST_F(Program, RefusesWrongUsageWithCode2) {
  EXPECT_EQ(run({}).exit_code, 2);
  EXPECT_EQ(run({"dissolve"}).exit_code, 2);
  EXPECT_EQ(run({"solve"}).exit_code, 2);
  EXPECT_EQ(run({"solve", small(), "--method", "gauss"}).exit_code, 2);
  EXPECT_EQ(run({"solve", small(), "--method", "cholesky"}).exit_code, 2) << "not symmetric";
  EXPECT_EQ(run({"solve", small(), "--rhs", "b.mtx", "--nrhs", "2"}).exit_code, 2);
  EXPECT_EQ(run({"solve", small(), "--threads", "-1"}).exit_code, 2);
  EXPECT_EQ(run({"solve", small(), "--memory-limit", "much"}).exit_code, 2);
  EXPECT_EQ(run({"solve", small(), "--set", "chunks=gss"}).exit_code, 2) << "--work pool alone gives chunks";
  EXPECT_EQ(run({"generate", "laplacian4d", "3", "-o", folder_.path("x")}).exit_code, 2);
  EXPECT_EQ(run({"generate", "laplacian3d7", "0", "-o", folder_.path("x")}).exit_code, 2);
}

TEST_F(Program, RefusesBadFilesWithCode2AndTheirPlace) {
  expect_end({"solve", folder_.path("none.mtx")}, 2, "none.mtx");
  expect_end({"solve", folder_.write("bad.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n3 1 1\n")}, 2,
             "bad.mtx:4:");
  EXPECT_EQ(run({"analyze", folder_.write("flat.mtx", "%%MatrixMarket matrix coordinate real general\n1 2 1\n1 1 1\n")}).exit_code,
            2);
  EXPECT_EQ(run({"solve", small(), "--rhs", folder_.write("b.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n1\n1\n")})
                .exit_code,
            2);
  EXPECT_EQ(run({"solve", small(), "--ordering", folder_.write("order", "1\n1\n")}).exit_code, 2) << "no permutation";
}

TEST_F(Program, GeneratesSolvesAndTellsEverythingInJson) {
  const Json run = solve(generate("laplacian3d7", "10"), {"--threads", "2"});
  expect_values(
      run, {{"n", 1000}, {"nnz", 1000 + 2 * 3 * 900}, {"method", "cholesky"}, {"threads", 2}, {"ranks", 1}, {"verdict", "solved"}});
  EXPECT_LT(run["backward_error"].get<double>(), 1e-14);
  EXPECT_LT(run["forward_error"].get<double>(), 1e-12);
  for (const char* key :
       {"n", "nnz", "factor_entries", "estimated_peak_bytes", "peak_bytes", "delayed_pivots", "predicted_factor_bytes"}) {
    EXPECT_TRUE(run[key].is_number_integer()) << key;
  }
  for (const char* key : {"analysis_seconds", "factor_seconds", "solve_seconds", "factor_flops"}) {
    EXPECT_TRUE(run[key].is_number() && run[key].get<double>() > 0) << key;
  }
  EXPECT_TRUE(run["ordering"].is_string());
  EXPECT_NEAR(run["peak_bytes"].get<double>(), run["estimated_peak_bytes"].get<double>(), 8e6);
}

TEST_F(Program, WritesTheKeysThatAreDocumentedAndNoOthers) { expect_documented_keys(solve(small()), FROND_DOCS "/json.md"); }

TEST_F(Program, TellsPeopleAndPipesApart) {
  const ChildResult summary = run({"solve", small()});
  EXPECT_EQ(summary.exit_code, 0);
  for (const char* word :
       {"matrix", "ordering", "tree", "prediction", "memory limit", "seconds", "forward error", "verdict", "solved"}) {
    EXPECT_NE(summary.output.find(word), std::string::npos) << word;
  }
  EXPECT_EQ(summary.output.find('\r'), std::string::npos) << "a progress bar in a pipe";
  EXPECT_EQ(summary.errors, "");
  const ChildResult json = run({"solve", small(), "--json", "-"});
  EXPECT_TRUE(Json::accept(json.output));
  EXPECT_NE(json.errors.find("verdict"), std::string::npos);
}

TEST_F(Program, EndsSingularMatricesWithCode3AndNamesThePivot) {
  expect_end({"solve", singular(), "--json", folder_.path("run.json")}, 3, "singular: variable 2 ");
  const Json json = Json::parse(folder_.read("run.json"));
  expect_values(json,
                {{"verdict", "singular"}, {"first_null_pivot", 2}, {"null_pivots", 1}, {"null_pivot_variables", Json::array({2})}});
  EXPECT_EQ(json["determinant"]["real"], 0);
}

TEST_F(Program, ListsNullPivots) {
  const std::string nothing = folder_.write("Z.mtx", "%%MatrixMarket matrix coordinate real symmetric\n12 12 1\n5 5 1\n");
  expect_end({"solve", nothing, "--json", folder_.path("run.json")}, 3, "\nnull pivots    of variables ",
             " and 1 more, see --json\n");
  const auto variables = Json::parse(folder_.read("run.json"))["null_pivot_variables"].get<std::set<Index>>();
  EXPECT_EQ(variables, (std::set<Index>{1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12}));
}

TEST_F(Program, EndsForcedCholeskyOfAnIndefiniteMatrixWithCode3) {
  const std::string indefinite =
      folder_.write("I.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 3\n2 2 1\n");
  const ChildResult forced = run({"solve", indefinite, "--method", "cholesky", "--json", "-", "--out", folder_.path("x.mtx")});
  EXPECT_EQ(forced.exit_code, 3);
  EXPECT_EQ(Json::parse(forced.output)["verdict"], "not_positive_definite");
  EXPECT_TRUE(Json::parse(forced.output)["determinant"].is_null());
  EXPECT_TRUE(Json::parse(forced.output)["forward_error"].is_null());
  EXPECT_TRUE(Json::parse(forced.output)["backward_error"].is_null());
  EXPECT_EQ(folder_.num_files(), 1) << "there is no solution to write";
  const Json fallen_back = solve(indefinite);
  EXPECT_EQ(fallen_back["method"], "ldlt");
  EXPECT_EQ(fallen_back["notes"].size(), 1u);
}

TEST_F(Program, EndsAtTheMemoryLimitWithCode4) {
  expect_end({"solve", generate("laplacian3d7", "12"), "--memory-limit", "100KiB"}, 4, "102400");
}

TEST_F(Program, ReportsWhichMemoryLimitHolds) {
  const Json chosen = solve(small(), {"--memory-limit", "5MB"});
  expect_values(chosen, {{"memory_limit_bytes", 5000000}, {"memory_limit_reason", "--memory-limit"}});
  expect_end({"analyze", small(), "--json", folder_.path("run.json")}, 0, "\nmemory limit   ");
  const Json json = Json::parse(folder_.read("run.json"));
  EXPECT_GT(json["memory_limit_bytes"].get<Count>(), 0);
  EXPECT_NE(json["memory_limit_reason"].get<std::string>().find("kept free"), std::string::npos);
}

TEST_F(Program, NamesTheWordThatIsNoCommand) {
  expect_end({"dissolve", small()}, 2, "'dissolve' is no command; there are solve, batch, analyze,");
}

TEST_F(Program, TakesNoNegativeSeed) {
  EXPECT_EQ(run({"solve", small(), "--set", "seed=-1"}).exit_code, 2);
  EXPECT_EQ(run({"generate", "circuit", "9", "-o", folder_.path("C.mtx"), "--seed", "-1"}).exit_code, 2);
}

TEST_F(Program, RefusesEmptyNames) {
  for (const char* option : {"--rhs", "--out", "--json", "--write-ordering", "--save-factors", "--load-factors"}) {
    const ChildResult result = run({"solve", small(), option, ""});
    EXPECT_EQ(result.exit_code, 2) << option;
    EXPECT_NE((result.errors + result.output).find("the name is empty"), std::string::npos) << option << ' ' << result.errors;
  }
}

TEST_F(Program, ReplacesNoFileThatItReads) {
  const std::string matrix = small();
  const std::string text = folder_.read("s.mtx");
  for (const char* option : {"--out", "--json", "--write-ordering", "--save-factors"}) {
    expect_end({"solve", matrix, option, matrix}, 2, std::string(option) + " and the matrix name the same file");
  }
  EXPECT_EQ(run({"analyze", matrix, "--json", matrix}).exit_code, 2);
  EXPECT_EQ(folder_.read("s.mtx"), text);
}

TEST_F(Program, ChecksItsOutputsBeforeItWorks) {
  const std::vector<std::string> command = {"solve", small(), "--json", folder_.path("missing/run.json")};
  expect_end(command, 10, "--json: no file can be created in the folder");
  EXPECT_EQ(run(command).output, "") << "it was solved first";
  EXPECT_EQ(run({"generate", "laplacian2d5", "5", "-o", "-"}).exit_code, 2);
}

TEST_F(Program, ReportsStandardOutputThatIsLost) {
  const ChildResult result = run_child({"sh", "-c", "exec \"$0\" solve \"$1\" > /dev/full", FROND_PROGRAM, small()}, 60);
  EXPECT_EQ(result.exit_code, 10);
  EXPECT_NE(result.errors.find("standard output"), std::string::npos) << result.errors;
}

TEST_F(Program, LosesNothingWhenTheOutputCannotBeWritten) {
  EXPECT_EQ(run({"solve", small(), "--out", "/dev/full"}).exit_code, 10);
  EXPECT_EQ(run({"solve", small(), "--out", folder_.path("missing/x.mtx")}).exit_code, 10);
  EXPECT_EQ(run({"solve", small(), "--json", "/dev/full"}).exit_code, 10);
  EXPECT_EQ(run({"generate", "laplacian2d5", "5", "-o", "/dev/full"}).exit_code, 10);
}

TEST_F(Program, ReadsTheOrderingItWrote) {
  const std::string matrix = generate("convection3d", "8");
  const Json first = solve(matrix, {"--ordering", "metis", "--write-ordering", folder_.path("order")});
  const Json second = solve(matrix, {"--ordering", folder_.path("order")});
  expect_values(second, {{"ordering", "given"}, {"elimination_flops", first["elimination_flops"]}});
  const Json natural = solve(matrix, {"--ordering", "natural"});
  EXPECT_GT(natural["elimination_flops"].get<double>(), first["elimination_flops"].get<double>());
}

TEST_F(Program, AnalyzesWithoutFactorizing) {
  const std::string matrix = generate("kkt3d", "5");
  const ChildResult result = run({"analyze", matrix, "--threads", "2", "--json", folder_.path("run.json")});
  EXPECT_EQ(result.exit_code, 0);
  const Json predicted = Json::parse(folder_.read("run.json"));
  const Json done = solve(matrix, {"--threads", "2"});
  for (const char* key :
       {"n", "nnz", "method", "ordering", "fronts", "predicted_peak_bytes", "upper_bound_bytes", "predicted_factor_flops"}) {
    EXPECT_EQ(predicted[key], done[key]) << key;
  }
  EXPECT_FALSE(predicted.contains("factor_seconds"));
  EXPECT_GE(predicted["upper_bound_bytes"].get<Count>(), predicted["predicted_peak_bytes"].get<Count>());
}

TEST_F(Program, MapsToRanksThatItDoesNotHave) {
  const std::string matrix = generate("laplacian3d7", "25");
  const auto analyze = [&](const std::string& method, const std::string& ranks) {
    const ChildResult result = run({"analyze", matrix, "--method", method, "--ranks", ranks, "--json", folder_.path("run.json")});
    EXPECT_EQ(result.exit_code, 0) << result.output;
    EXPECT_EQ(result.output.find("type 3") != std::string::npos, ranks != "1") << result.output;
    return Json::parse(folder_.read("run.json"));
  };
  const Json alone = analyze("cholesky", "1");
  for (const char* method : {"cholesky", "ldlt", "lu"}) {
    const Json mapped = analyze(method, "16");
    EXPECT_EQ(mapped["ranks"], 16);
    EXPECT_EQ(mapped["nodes_type1"].get<int>() + mapped["nodes_type2"].get<int>() + mapped["nodes_type3"].get<int>(),
              mapped["fronts"].get<int>());
    EXPECT_GT(mapped["nodes_type2"], 0);
    EXPECT_EQ(mapped["nodes_type3"], method == std::string("ldlt") ? 0 : 1);
    const auto flops = mapped["predicted_flops_per_rank"].get<std::vector<double>>();
    ASSERT_EQ(flops.size(), 16);
    const double total = mapped["predicted_factor_flops"];
    EXPECT_NEAR(std::accumulate(flops.begin(), flops.end(), 0.0), total, 1e-9 * total);
    EXPECT_EQ(mapped["predicted_factor_entries"] == alone["predicted_factor_entries"], method != std::string("lu"));
  }
  EXPECT_EQ(alone["nodes_type1"], alone["fronts"]);
  EXPECT_EQ(run({"analyze", matrix, "--ranks", "0"}).exit_code, 2);
}

TEST_F(Program, WarnsOfSlowKernels) {
  const std::vector<std::string> command = {"env", "OPENBLAS_CORETYPE=Prescott", FROND_PROGRAM, "solve", small()};
  const ChildResult result = run_child(command, 60);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.errors.find("OPENBLAS_CORETYPE"), std::string::npos) << result.errors;
}

}  // namespace
}  // namespace frond::testing
