// SPDX-License-Identifier: BSD-3-Clause
// Tests the solutions of frond solve under its various options.
#include <gtest/gtest.h>

#include <complex>
#include <string>
#include <variant>
#include <vector>

#include "frond/files.hpp"
#include "tests/support/programs/program_fixture.hpp"

namespace frond::testing {
namespace {

using ProgramSolves = testing::Program;

TEST_F(ProgramSolves, SolvesForGivenRightHandSides) {
  const std::string b = folder_.write("b.mtx", "%%MatrixMarket matrix array real general\n2 2\n4\n8\n0\n0\n");
  const Json run = solve(small(), {"--rhs", b, "--out", folder_.path("x.mtx")});
  expect_values(run, {{"forward_error", nullptr}, {"nrhs", 2}});
  EXPECT_EQ(std::get<DenseMatrix<double>>(read_dense(folder_.path("x.mtx"))).values, (std::vector<double>{1, 2, 0, 0}));
  (void)solve(small(), {"--rhs", b, "--operation", "transpose", "--out", folder_.path("x.mtx")});
  EXPECT_EQ(std::get<DenseMatrix<double>>(read_dense(folder_.path("x.mtx"))).values, (std::vector<double>{2, 1.5, 0, 0}));
}

TEST_F(ProgramSolves, SolvesARealMatrixForAComplexRightHandSide) {
  const std::string b = folder_.write("b.mtx", "%%MatrixMarket matrix array complex general\n2 1\n4 2\n8 4\n");
  (void)solve(small(), {"--rhs", b, "--out", folder_.path("x.mtx")});
  EXPECT_EQ(std::get<DenseMatrix<std::complex<double>>>(read_dense(folder_.path("x.mtx"))).values,
            (std::vector<std::complex<double>>{{1, 0.5}, {2, 1}}));
}

TEST_F(ProgramSolves, SolvesWithTheAdjointMatrix) {
  const std::string matrix =
      folder_.write("A.mtx", "%%MatrixMarket matrix coordinate complex general\n2 2 3\n1 1 1 0\n1 2 0 1\n2 2 2 0\n");
  const std::string b = folder_.write("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n2\n");
  const auto solved = [&](const char* operation) {
    (void)solve(matrix, {"--rhs", b, "--operation", operation, "--out", folder_.path("x.mtx")});
    return std::get<DenseMatrix<std::complex<double>>>(read_dense(folder_.path("x.mtx"))).values;
  };
  EXPECT_EQ(solved("adjoint"), (std::vector<std::complex<double>>{1, {1, 0.5}}));
  EXPECT_EQ(solved("transpose"), (std::vector<std::complex<double>>{1, {1, -0.5}}));
  EXPECT_EQ(run({"solve", matrix, "--operation", "inverse"}).exit_code, 2);
}

TEST_F(ProgramSolves, ScalesAsItIsTold) {
  for (const char* kind : {"none", "equilibrate", "matching"}) {
    EXPECT_EQ(solve(small(), {"--scaling", kind})["scaling"], kind);
  }
  EXPECT_EQ(solve(small())["scaling"], "equilibrate");
  // zero diagonal, rows in different units: [0 0 1e9; 1e-9 0 0; 0 1 1e3]
  const std::string matrix =
      folder_.write("P.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 4\n1 3 1e9\n2 1 1e-9\n3 2 1\n3 3 1e3\n");
  EXPECT_EQ(run({"solve", matrix, "--scaling", "none"}).exit_code, 0) << "1e-9 beside 1e9 is no zero";
  EXPECT_EQ(solve(matrix)["verdict"], "solved");
  EXPECT_EQ(run({"solve", matrix, "--scaling", "maybe"}).exit_code, 2);
}

TEST_F(ProgramSolves, TakesMatricesApartAsItIsTold) {
  // [2 1 . 5; 1 2 . .; . . 4 7; . . . 8]: blocks of orders 2, 1 and 1, the last of which is coupled to both others
  const std::string matrix = folder_.write("B.mtx",
                                           "%%MatrixMarket matrix coordinate real general\n4 4 8\n1 1 2\n2 1 1\n1 2 1\n2 2 2\n"
                                           "3 3 4\n1 4 5\n3 4 7\n4 4 8\n");
  for (const char* command : {"analyze", "solve"}) {
    expect_end({command, matrix, "--set", "block-triangular=always", "--json", folder_.path("run.json")}, 0, "blocks         3 ");
    const Json json = Json::parse(folder_.read("run.json"));
    expect_values(json, {{"blocks", 3}, {"largest_block", 2}, {"block_levels", 2}});
  }
  EXPECT_EQ(solve(matrix, {"--set", "block-triangular=automatic"})["block_levels"], 2);
  const Json whole = solve(matrix, {"--set", "block-triangular=never"});
  expect_values(whole, {{"blocks", nullptr}, {"block_levels", 1}});
}

TEST_F(ProgramSolves, SolvesTheSmallestMatrices) {
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
  EXPECT_EQ(solve(folder_.write("0.mtx", banner + "0 0 0\n"))["n"], 0);
  EXPECT_EQ(solve(folder_.write("1.mtx", banner + "1 1 1\n1 1 5\n"))["forward_error"], 0);
  for (const char* entries : {"1 1 1\n1 1 0\n", "1 1 0\n"}) {
    expect_end({"solve", folder_.write("z.mtx", banner + entries)}, 3, "numerical rank: 0 of 1");
  }
}

TEST_F(ProgramSolves, RefusesSolutionsThatNoDiskHasRoomFor) {
  const std::string matrix = folder_.path("m.mtx");
  ASSERT_EQ(run({"generate", "laplacian2d5", "800", "-o", matrix}).exit_code, 0);
  expect_end({"solve", matrix, "--nrhs", "1000000", "--out", folder_.path("x.mtx")}, 10,
             "x.mtx will take about 12800.00 GB, but the file system of ");
  EXPECT_EQ(folder_.num_files(), 1);
}

TEST_F(ProgramSolves, TakesLongerOverTheOrderForManyFactorizations) {
  const std::string matrix = folder_.path("m.mtx");
  ASSERT_EQ(run({"generate", "laplacian2d9", "120", "-o", matrix}).exit_code, 0);
  EXPECT_EQ(solve(matrix, {"--set", "reuse=1"})["ordering"], "amd");
  EXPECT_EQ(solve(matrix)["ordering"], "amd") << "as for one";
  EXPECT_EQ(solve(matrix, {"--set", "reuse=many"})["ordering"], "dissection");
}

TEST_F(ProgramSolves, ReadsArraysAndSparseRightHandSides) {
  const std::string dense = folder_.write("D.mtx", "%%MatrixMarket matrix array real general\n2 2\n4\n0\n2\n3\n");
  const std::string b = folder_.write("b.mtx", "%%MatrixMarket matrix coordinate real general\n2 1 1\n1 1 8\n");
  (void)solve(dense, {"--rhs", b, "--out", folder_.path("x.mtx")});
  EXPECT_EQ(std::get<DenseMatrix<double>>(read_dense(folder_.path("x.mtx"))).values, (std::vector<double>{2, 0}));
}

TEST_F(ProgramSolves, SolvesComplexMatrices) {
  const std::string banner = "%%MatrixMarket matrix coordinate complex ";
  const Json hermitian = solve(folder_.write("H.mtx", banner + "hermitian\n2 2 3\n1 1 0 0\n2 1 1 2\n2 2 3 0\n"));
  expect_values(hermitian, {{"method", "ldlh"}, {"field", "complex"}});
  EXPECT_EQ(hermitian["nnz"], 3) << "without the zero";
  EXPECT_LT(hermitian["forward_error"].get<double>(), 1e-15);
  EXPECT_EQ(solve(generate("helmholtz3d", "4"))["method"], "ldlt");
}

TEST_F(ProgramSolves, RefusesRightHandSidesWithoutColumns) {
  expect_end({"solve", small(), "--rhs", folder_.write("b.mtx", "%%MatrixMarket matrix array real general\n2 0\n")}, 2,
             "0 columns");
}

TEST_F(ProgramSolves, LoadsTheFactorsThatItSaved) {
  const std::string matrix = generate("convection3d", "8");
  const std::string factors = folder_.path("factors");
  const Json saved = solve(matrix, {"--save-factors", factors, "--out", folder_.path("x.mtx")});
  EXPECT_GT(saved["save_factors_seconds"].get<double>(), 0);
  EXPECT_TRUE(saved["load_factors_seconds"].is_null());
  const Json loaded = solve(matrix, {"--load-factors", factors, "--out", folder_.path("y.mtx")});
  EXPECT_EQ(folder_.read("x.mtx"), folder_.read("y.mtx"));
  EXPECT_GT(loaded["load_factors_seconds"].get<double>(), 0);
  expect_values(loaded, {{"analysis_seconds", 0}, {"factor_seconds", 0}});
  for (const char* key :
       {"method", "ordering", "fronts", "factor_entries", "determinant", "predicted_factor_bytes", "backward_error"}) {
    EXPECT_EQ(loaded[key], saved[key]) << key;
  }
  EXPECT_NE(run({"solve", matrix, "--load-factors", factors}).output.find("loaded from    " + factors), std::string::npos);
}

TEST_F(ProgramSolves, RefusesFactorsThatWillNotDo) {
  const std::string factors = folder_.path("factors");
  EXPECT_EQ(run({"solve", small(), "--save-factors", factors}).exit_code, 0);
  const auto expect_refusal = [&](const std::string& matrix, const std::string& cause, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"solve", matrix, "--load-factors", factors});
    expect_end(more, 2, cause);
  };
  expect_refusal(singular(), "another matrix");
  for (const auto& [option, value] : std::vector<std::pair<std::string, std::string>>{
           {"--precision", "mixed"}, {"--scaling", "none"}, {"--pivoting", "static"}, {"--ordering", "natural"}}) {
    expect_refusal(small(), "excludes", {option, value});
  }
  expect_refusal(small(), "excludes", {"--save-factors", folder_.path("other")});
  std::string bytes = folder_.read("factors");
  char& entry = bytes[bytes.size() - bytes.size() / 4];
  entry = static_cast<char>(~entry);
  folder_.write("factors", bytes);
  expect_refusal(small(), factors + ": is damaged");
  folder_.write("factors", bytes.substr(0, bytes.size() / 3));
  expect_refusal(small(), factors + ": is cut off");
  EXPECT_EQ(run({"solve", small(), "--save-factors", "/dev/full"}).exit_code, 10);
}

TEST_F(ProgramSolves, SavesNoFactorsWhereThereAreNone) {
  const std::string matrix = folder_.write("I.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 -1\n");
  expect_end({"solve", matrix, "--method", "cholesky", "--save-factors", folder_.path("factors")}, 3, "nothing was saved");
}

TEST_F(ProgramSolves, SolvesOnceWithHalfOfTheFactors) {
  const std::string matrix = generate("convection3d", "12");
  const Json all = solve(matrix);
  const Json half = solve(matrix, {"--once", "--nrhs", "3", "--out", folder_.path("x.mtx")});
  expect_values(half, {{"verdict", "solved"}, {"nrhs", 3}, {"refinement_steps", 0}});
  EXPECT_LT(half["forward_error"], 1e-10);
  EXPECT_LT(half["factor_bytes"], all["factor_bytes"]);
  EXPECT_EQ(half["factor_bytes"], half["predicted_factor_bytes"]);
  EXPECT_TRUE(half["notes"].empty()) << half["notes"];
  EXPECT_FALSE(folder_.read("x.mtx").empty());
  const Json symmetric = solve(generate("laplacian2d9", "9"), {"--once"});
  EXPECT_EQ(symmetric["verdict"], "solved");
  EXPECT_EQ(symmetric["notes"].size(), 1U);
}

TEST_F(ProgramSolves, DrawsTheSameSolutionForTheSameSeed) {
  const std::string matrix = generate("laplacian2d9", "6");
  for (const char* seed : {"seed=1", "seed=1", "seed=2"}) {
    std::string name = "x";
    name += std::to_string(folder_.num_files());
    (void)solve(matrix, {"--set", seed, "--nrhs", "2", "--out", folder_.path(name)});
  }
  EXPECT_EQ(folder_.read("x1"), folder_.read("x2"));
  EXPECT_NE(folder_.read("x1"), folder_.read("x3"));
}

TEST_F(ProgramSolves, SolvesInMixedPrecision) {
  const std::string matrix = generate("laplacian3d7", "10");
  const Json full = solve(matrix);
  EXPECT_EQ(full["precision"], "full");
  const Json mixed = solve(matrix, {"--precision", "mixed"});
  EXPECT_EQ(mixed["precision"], "mixed");
  EXPECT_LT(mixed["factor_bytes"].get<double>(), 0.6 * full["factor_bytes"].get<double>());
  EXPECT_LT(mixed["predicted_factor_bytes"].get<double>(), 0.6 * full["predicted_factor_bytes"].get<double>());
  const ChildResult analyzed = run({"analyze", folder_.path("A.mtx"), "--precision", "mixed", "--json", "-"});
  EXPECT_EQ(Json::parse(analyzed.output)["predicted_factor_bytes"], mixed["predicted_factor_bytes"]);
  EXPECT_LE(mixed["componentwise_backward_error"], 1e-14);
  EXPECT_GE(mixed["refinement_steps"], 1);
  const Json by_gmres = solve(matrix, {"--precision", "mixed", "--set", "refine-steps=0"});
  EXPECT_GE(by_gmres["krylov_steps"], 1);
  EXPECT_LE(by_gmres["componentwise_backward_error"], 1e-14);
  const Json without = solve(matrix, {"--precision", "mixed", "--set", "refine-steps=0", "--set", "krylov-steps=0"});
  EXPECT_EQ(without["krylov_steps"], 0);
  ASSERT_EQ(without["notes"].size(), 1);
  EXPECT_NE(without["notes"][0].get<std::string>().find("refinement did not converge"), std::string::npos);
}

TEST_F(ProgramSolves, LeavesTheVerdictOutOnRequest) {
  const Json run_record = solve(generate("kkt3d", "6"), {"--set", "verdict=pivots"});
  EXPECT_EQ(run_record["verdict"], "unmeasured");
  EXPECT_LT(run_record["forward_error"], 1e-6);
  for (const char* unknown : {"backward_error", "componentwise_backward_error", "missed_equations", "negligible_equations",
                              "condition_number", "forward_error_bound", "consistent_right_hand_sides", "consistency"}) {
    EXPECT_TRUE(run_record[unknown].is_null()) << unknown;
  }
  expect_end({"solve", small(), "--set", "verdict=pivots", "--once"}, 2, "--once excludes --set verdict=pivots");
  const std::string singular = folder_.write("S.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n1 2 1\n");
  const ChildResult result = run({"solve", singular, "--set", "verdict=pivots", "--json", "-"});
  EXPECT_EQ(result.exit_code, 3) << "singular matrices are judged as ever";
  EXPECT_EQ(Json::parse(result.output)["verdict"], "singular");
}

TEST_F(ProgramSolves, EndsAtATimeLimitWithCode7) {
  expect_end({"solve", small(), "--time-limit", "1e-9"}, 7, "--time-limit: 1e-09 s were over in the analysis");
  EXPECT_EQ(run({"solve", small(), "--time-limit", "1000"}).exit_code, 0);
  EXPECT_EQ(run({"solve", small(), "--time-limit", "-1"}).exit_code, 2);
}

TEST_F(ProgramSolves, SaysWhatMixedPrecisionExcludes) {
  const std::string help = run({"solve", "--help"}).output;
  const std::size_t at = help.find("mixed excludes");
  ASSERT_NE(at, std::string::npos);
  const std::string told = help.substr(at, help.find("(default", at) - at);
  for (const char* option : {"--load-factors", "--only", "--factor-part", "--once", "--schur"}) {
    EXPECT_NE(told.find(option), std::string::npos) << told;
  }
  expect_end({"solve", small(), "--precision", "mixed", "--once"}, 2, "--once excludes --precision mixed");
}

TEST_F(ProgramSolves, SolvesInSinglePrecision) {
  const std::string matrix = generate("kkt3d", "6");
  const std::string factors = folder_.path("factors");
  const Json full = solve(matrix);
  const Json single = solve(matrix, {"--precision", "single", "--out", folder_.path("x.mtx"), "--save-factors", factors});
  expect_values(single, {{"precision", "single"}, {"inertia", full["inertia"]}});
  EXPECT_LT(single["factor_bytes"].get<double>(), 0.6 * full["factor_bytes"].get<double>());
  EXPECT_LT(single["predicted_factor_bytes"].get<double>(), 0.6 * full["predicted_factor_bytes"].get<double>());
  EXPECT_GT(single["componentwise_backward_error"], 1e-10);
  EXPECT_LE(single["componentwise_backward_error"], 5.4e-6);
  EXPECT_LT(single["forward_error"], single["forward_error_bound"]);
  const Json loaded = solve(matrix, {"--precision", "single", "--out", folder_.path("y.mtx"), "--load-factors", factors});
  EXPECT_EQ(loaded["precision"], "single");
  EXPECT_EQ(folder_.read("x.mtx"), folder_.read("y.mtx"));
  expect_end({"solve", matrix, "--load-factors", factors}, 2, "real numbers in single precision");
  EXPECT_EQ(solve(matrix, {"--precision", "single", "--once"})["precision"], "single");
  EXPECT_EQ(solve(matrix, {"--precision", "single", "--only", "inertia"})["inertia"], full["inertia"]);
  EXPECT_EQ(run({"solve", matrix, "--precision", "single", "--set", "refine-to=1e-5"}).exit_code, 2);
}

// A^-1 = [(1-i)/2 .; . -i/4]; 1e-40 loses digits in single precision.
TEST_F(ProgramSolves, GivesAllAnswersInSinglePrecision) {
  const std::string banner = "%%MatrixMarket matrix coordinate complex general\n";
  const std::string matrix = folder_.write("A.mtx", banner + "3 3 3\n1 1 1 1\n2 2 1e-40 4\n3 3 0 0\n");
  const std::string b = folder_.write("b.mtx", "%%MatrixMarket matrix array real general\n3 1\n2\n4\n0\n");
  expect_end({"solve", matrix, "--precision", "single", "--rhs", b, "--out", folder_.path("x.mtx"), "--null-space",
              folder_.path("Z.mtx"), "--json", folder_.path("run.json")},
             3, "1 entries of " + matrix + " lose digits");
  EXPECT_EQ(Json::parse(folder_.read("run.json"))["consistent_right_hand_sides"], 1);
  const auto basis = std::get<DenseMatrix<std::complex<double>>>(read_dense(folder_.path("Z.mtx")));
  ASSERT_EQ(basis.num_cols, 1);
  EXPECT_NEAR(std::abs(basis(2, 0)), 1, 1e-6);
  const auto x = std::get<DenseMatrix<std::complex<double>>>(read_dense(folder_.path("x.mtx")));
  EXPECT_NEAR(std::abs(x(0, 0) - std::complex<double>(1, -1)), 0, 1e-6);
  EXPECT_NEAR(std::abs(x(1, 0) - std::complex<double>(0, -1)), 0, 1e-6);
  const std::string regular = folder_.write("R.mtx", banner + "2 2 2\n1 1 1 1\n2 2 0 4\n");
  (void)solve(regular, {"--precision", "single", "--inverse-diagonal", folder_.path("d.mtx"), "--schur", "2", "--schur-out",
                        folder_.path("S.mtx")});
  EXPECT_EQ(folder_.read("d.mtx"), "%%MatrixMarket matrix array complex general\n2 1\n0.5 -0.5\n0 -0.25\n");
  EXPECT_EQ(folder_.read("S.mtx"), "%%MatrixMarket matrix array complex general\n1 1\n0 4\n");
  const std::string large = folder_.write("L.mtx", banner + "2 2 2\n1 1 1 1\n2 2 0 1e39\n");
  expect_end({"solve", large, "--precision", "single"}, 2, "the entry in row 2, column 2 is 1e+39 in size, too large");
}

TEST_F(ProgramSolves, CountsAsZeroWhatIsBelowTheNullThreshold) {
  const std::string matrix = folder_.write("A.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 -1e-6\n");
  EXPECT_EQ(solve(matrix, {"--scaling", "none"})["null_pivots"], 0);
  const ChildResult result = run({"solve", matrix, "--scaling", "none", "--set", "null-threshold=1e-5", "--json", "-"});
  EXPECT_EQ(result.exit_code, 3) << result.errors;
  EXPECT_EQ(Json::parse(result.output)["null_pivots"], 1);
}

// An unattainable target makes refinement go as far as rounding allows; by default it would stop at 2e-15 here.
TEST_F(ProgramSolves, RefinesToATarget) {
  const Json best = solve(generate("kkt3d", "10"), {"--precision", "mixed", "--set", "refine-to=1e-18"});
  EXPECT_LE(best["componentwise_backward_error"], 5e-16);
  expect_end({"solve", folder_.path("A.mtx"), "--set", "refine-to=1e-6"}, 2, "at most 1.0e-14");
}

}  // namespace
}  // namespace frond::testing
