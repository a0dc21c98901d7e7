// SPDX-License-Identifier: BSD-3-Clause
// Tests what frond solve reports and writes in addition to the solution.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "frond/files.hpp"
#include "tests/support/programs/program_fixture.hpp"

namespace frond::testing {
namespace {

using ProgramAnswers = testing::Program;

TEST_F(ProgramAnswers, TellsPivotsLevelByLevel) {
  const std::string diagonal =
      folder_.write("z.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n2 2 0\n3 3 -1\n");
  const Json json = solve(diagonal, {"--keep-zeros", "--pivoting", "static", "--set", "pivot-perturbation=0.25"});
  expect_values(json, {{"perturbed_pivots", 1}, {"pivot_growth", 1}});
  EXPECT_EQ(json["inertia"]["positive"], 2);
  expect_values(json["determinant"], {{"real", -0.5}, {"exponent", -1}});
  ASSERT_EQ(json["levels"].size(), 1U);
  expect_values(json["levels"][0], {{"fronts", json["fronts"]}, {"perturbed_pivots", 1}});
  expect_end({"solve", diagonal, "--levels"}, 3, "levels         depth    fronts");
  EXPECT_EQ(run({"solve", diagonal, "--pivoting", "none"}).exit_code, 2);
  EXPECT_EQ(run({"solve", diagonal, "--set", "pivot-perturbation=1"}).exit_code, 2);
}

TEST_F(ProgramAnswers, TellsTheDeterminant) {
  const Json expected = {{"real", 0.5}, {"imaginary", 0.0}, {"exponent", 4}};
  EXPECT_EQ(solve(small())["determinant"], expected);
  const ChildResult summary = run({"solve", small()});
  EXPECT_NE(summary.output.find("determinant    0.5 * 2^4\n"), std::string::npos) << summary.output;
}

TEST_F(ProgramAnswers, TellsTheStructuralRankWhereItIsDeficient) {
  const std::string line = "rank 2 of 3: the matrix is singular whatever its values are";
  for (const char* command : {"analyze", "solve"}) {
    const ChildResult result = run({command, singular(), "--json", folder_.path("run.json")});
    EXPECT_NE(result.output.find(line), std::string::npos) << result.output;
    EXPECT_EQ(Json::parse(folder_.read("run.json"))["structural_rank"], 2);
  }
  const ChildResult regular = run({"analyze", small()});
  EXPECT_EQ(regular.output.find("structure "), std::string::npos) << regular.output;
}

TEST_F(ProgramAnswers, WritesNullSpacesAndSaysWhatIsConsistent) {
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
  // columns 1 and 2 are the same, row 3 is twice row 1
  const std::string singular = folder_.write("S.mtx", banner + "3 3 6\n1 1 1\n1 2 1\n2 3 5\n3 1 2\n3 2 2\n2 1 0\n");
  const std::string basis = folder_.path("Z.mtx");
  const std::string json = folder_.path("run.json");
  const auto solve_for = [&](const std::string& b, std::vector<std::string> options) {
    const std::string rhs = folder_.write("b.mtx", "%%MatrixMarket matrix array real general\n3 1\n" + b);
    std::vector<std::string> words{"solve", singular, "--rhs", rhs, "--null-space", basis, "--json", json};
    words.insert(words.end(), options.begin(), options.end());
    const ChildResult result = run(words);
    EXPECT_EQ(result.exit_code, 3) << result.errors;
    return result.output;
  };
  EXPECT_NE(solve_for("3\n5\n6\n", {}).find("but consistent: x is one of the solutions"), std::string::npos);
  DenseMatrix<double> z = std::get<DenseMatrix<double>>(read_dense(basis));
  ASSERT_EQ(z.num_cols, 1);
  EXPECT_NEAR(z(0, 0), -z(1, 0), 1e-15);
  EXPECT_NEAR(std::abs(z(0, 0)), std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(z(2, 0), 0, 1e-15);
  Json told = Json::parse(std::ifstream(json));
  EXPECT_EQ(told["null_space_dimension"], 1);
  EXPECT_LT(told["null_space_backward_error"].get<double>(), 1e-15);
  EXPECT_EQ(told["consistent_right_hand_sides"], 1);
  EXPECT_NE(solve_for("3\n5\n7\n", {"--operation", "transpose"}).find("and not consistent"), std::string::npos);
  z = std::get<DenseMatrix<double>>(read_dense(basis));
  EXPECT_NEAR(z(0, 0), -2 * z(2, 0), 1e-15) << "of the transposed matrix";
  told = Json::parse(std::ifstream(json));
  EXPECT_EQ(told["consistent_right_hand_sides"], 0);
  EXPECT_EQ(run({"solve", small(), "--null-space", basis}).exit_code, 0);
  EXPECT_EQ(std::get<DenseMatrix<double>>(read_dense(basis)).num_cols, 0);
}

TEST_F(ProgramAnswers, WritesEntriesOfTheInverse) {
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
  const std::string matrix = folder_.write("A.mtx", banner + "2 2 4\n1 1 4\n1 2 1\n2 1 2\n2 2 1\n");  // inverse: [.5 -.5; -1 2]
  const std::string pattern = folder_.write("P.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n");
  const std::string diagonal = folder_.path("d.mtx");
  const std::string entries = folder_.path("E.mtx");
  for (const bool is_refined : {false, true}) {
    std::vector<std::string> options{"--inverse-diagonal", diagonal, "--inverse-entries", pattern, entries};
    if (is_refined) {
      options.emplace_back("--refine-inverse");
    }
    const Json told = solve(matrix, options);
    EXPECT_EQ(told["inverse_entries"], 4);
    EXPECT_LT(told["inverse_backward_error"].get<double>(), 1e-15);
    EXPECT_EQ(std::get<DenseMatrix<double>>(read_dense(diagonal)).values, (std::vector<double>{0.5, 2}));
    const auto found = std::get<SparseMatrix<double>>(read_matrix(entries));
    EXPECT_EQ(found.row_indices, (std::vector<Index>{1, 0}));
    EXPECT_EQ(found.values, (std::vector<double>{-1, -0.5}));
  }
  const Json unmeasured = solve(matrix, {"--inverse-diagonal", diagonal, "--set", "verdict=pivots"});
  EXPECT_EQ(unmeasured["inverse_entries"], 2);
  EXPECT_TRUE(unmeasured["inverse_backward_error"].is_null());
  expect_end({"solve", folder_.write("z.mtx", banner + "1 1 1\n1 1 0\n"), "--inverse-diagonal", folder_.path("none.mtx")}, 3,
             "there is no inverse");
  EXPECT_EQ(run({"solve", small(), "--inverse-entries", pattern}).exit_code, 2) << "two names are needed";
  expect_end({"solve", small(), "--refine-inverse"}, 2, "add --inverse-diagonal or --inverse-entries");
  EXPECT_EQ(run({"solve", small(), "--inverse-entries", folder_.path("missing.mtx"), entries}).exit_code, 2);
  EXPECT_EQ(run({"solve", matrix, "--inverse-entries", folder_.write("one.mtx", banner + "1 1 1\n1 1 1\n"), entries}).exit_code, 2);
}

// [4 1 2; 1 3 0; 2 0 5], keeping variables 3 and 1: S = [5 2; 2 11/3], and b = (7, 4, 7) leaves (7, 7 - 4/3).
TEST_F(ProgramAnswers, WritesTheSchurComplement) {
  const std::string matrix =
      folder_.write("A.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 4\n2 1 1\n3 1 2\n2 2 3\n3 3 5\n");
  const std::string b = folder_.write("b.mtx", "%%MatrixMarket matrix array real general\n3 1\n7\n4\n7\n");
  const std::string banner = "%%MatrixMarket matrix array real general\n";
  for (const std::string& kept : {std::string("3,1"), folder_.write("kept", "3\n1\n")}) {
    const Json run = solve(
        matrix, {"--rhs", b, "--schur", kept, "--schur-out", folder_.path("S.mtx"), "--condensed-out", folder_.path("c.mtx")});
    expect_values(run, {{"schur_order", 2}, {"verdict", "solved"}});
    EXPECT_EQ(folder_.read("S.mtx").substr(0, banner.size() + 10), banner + "2 2\n5\n2\n2\n");
    EXPECT_EQ(folder_.read("c.mtx").substr(0, banner.size() + 6), banner + "2 1\n7\n");
  }
  const std::string complex = "%%MatrixMarket matrix array complex general\n";
  const std::string both = folder_.write("z.mtx", complex + "3 1\n7 7\n4 4\n7 7\n");
  (void)solve(matrix, {"--rhs", both, "--schur", "3,1", "--condensed-out", folder_.path("c.mtx")});
  EXPECT_EQ(folder_.read("c.mtx").substr(0, complex.size() + 8), complex + "2 1\n7 7\n");
  for (const auto& [kept, cause] : std::vector<std::pair<std::string, std::string>>{
           {"4", "no variable 4"}, {"1,1", "variable 1 is named more than once"}, {",", "names no variable"}}) {
    expect_end({"solve", matrix, "--schur", kept}, 2, cause);
  }
  EXPECT_EQ(run({"solve", matrix, "--schur-out", folder_.path("S.mtx")}).exit_code, 2) << "of which variables?";
  EXPECT_EQ(run({"solve", matrix, "--schur", "1", "--precision", "mixed"}).exit_code, 2);
}

// The combination is refused before any work: nothing is printed or written. An inverse is still that of the whole matrix.
TEST_F(ProgramAnswers, RefusesNullSpacesBesideASchurComplement) {
  expect_end({"solve", small(), "--schur", "1", "--schur-out", folder_.path("S.mtx"), "--out", folder_.path("x.mtx"),
              "--null-space", folder_.path("Z.mtx")},
             2, "excludes");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("S.mtx")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("x.mtx")));
  (void)solve(small(), {"--schur", "1", "--inverse-diagonal", folder_.path("d.mtx")});
  EXPECT_EQ(std::get<DenseMatrix<double>>(read_dense(folder_.path("d.mtx"))).values, (std::vector<double>{0.5, 0.25}));
}

// The matrix contains [0 1; 1 0]: x is found, but exit code 3 says that some of the requested output is missing.
TEST_F(ProgramAnswers, SaysThatThereIsNoSchurComplement) {
  const std::string matrix = folder_.write("swap.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1\n3 3 1\n");
  const std::string out = folder_.path("S.mtx");
  expect_end({"solve", matrix, "--schur", "2", "--schur-out", out}, 3, "not written: " + out, "verdict        solved");
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_EQ(run({"solve", matrix, "--schur", "2"}).exit_code, 0);
  EXPECT_NE(run({"solve", matrix, "--schur", "2", "--only", "rank"}).output.find("rank 1 of 2"), std::string::npos);
}

TEST_F(ProgramAnswers, RefusesPartsOfFactorsInMixedPrecisionBeforeItWrites) {
  const std::string factors = folder_.path("factors");
  (void)solve(small(), {"--precision", "mixed", "--save-factors", factors});
  expect_end({"solve", small(), "--load-factors", factors, "--out", folder_.path("x.mtx"), "--factor-part", "lower",
              folder_.path("y.mtx")},
             2, "--factor-part: the factors that were loaded");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("x.mtx")));
}

// x2 = (2, -1) for variables 3 and 1 leaves 3 x = 4 + 1 for the remaining one.
TEST_F(ProgramAnswers, ExpandsASolutionOfTheKeptVariables) {
  const std::string array = "%%MatrixMarket matrix array real general\n";
  const std::string matrix =
      folder_.write("A.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 4\n2 1 1\n3 1 2\n2 2 3\n3 3 5\n");
  const std::string b = folder_.write("b.mtx", array + "3 1\n7\n4\n7\n");
  const auto words = [&](const std::string& kept, const std::string& x2) {
    return std::vector<std::string>{"--rhs", b, "--schur", kept, "--expand", x2, folder_.path("x.mtx")};
  };
  const Json run = solve(matrix, words("3,1", folder_.write("x2.mtx", array + "2 1\n2\n-1\n")));
  EXPECT_LE(run["expansion_backward_error"], 1e-15);
  const auto x = std::get<DenseMatrix<double>>(read_dense(folder_.path("x.mtx")));
  EXPECT_EQ(x(0, 0), -1);
  EXPECT_NEAR(x(1, 0), 5.0 / 3, 1e-15);
  EXPECT_EQ(x(2, 0), 2);
  const auto expect_refusal = [&](const std::string& kept, const std::string& x2, const std::string& cause) {
    std::vector<std::string> command = words(kept, x2);
    command.insert(command.begin(), {"solve", matrix});
    expect_end(command, 2, cause);
  };
  expect_refusal("3", folder_.path("x2.mtx"), "has 2 rows, but 1 variables are kept");
  expect_refusal("3,1", folder_.write("two.mtx", array + "2 2\n2\n-1\n0\n0\n"), "does not fit");
  EXPECT_TRUE(solve(matrix)["expansion_backward_error"].is_null());
}

// Applying the three parts one after another yields A^-1.
TEST_F(ProgramAnswers, SolvesWithPartsOfTheFactors) {
  const std::string matrix =
      folder_.write("A.mtx", "%%MatrixMarket matrix coordinate complex general\n2 2 4\n1 1 1 1\n1 2 3 0\n2 1 2 0\n2 2 1 0\n");
  const std::string b = folder_.write("b.mtx", "%%MatrixMarket matrix array complex general\n2 1\n7 1\n4 0\n");
  for (const std::string operation : {"plain", "transpose", "adjoint"}) {
    SCOPED_TRACE(operation);
    std::string y = b;
    std::vector<std::string> parts{"lower", "diagonal", "upper"};
    if (operation != "plain") {
      std::swap(parts[0], parts[2]);
    }
    for (const std::string& part : parts) {
      (void)solve(matrix, {"--rhs", y, "--operation", operation, "--factor-part", part, folder_.path(part), "--out",
                           folder_.path("z.mtx")});
      if (y == b) {
        folder_.write("x.mtx", folder_.read("z.mtx"));
      }
      y = folder_.path(part);
    }
    const auto product = std::get<DenseMatrix<std::complex<double>>>(read_dense(y));
    const auto x = std::get<DenseMatrix<std::complex<double>>>(read_dense(folder_.path("x.mtx")));
    for (Index i = 0; i < 2; ++i) {
      EXPECT_NEAR(std::abs(product(i, 0) - x(i, 0)), 0, 1e-14);
    }
  }
  expect_end({"solve", matrix, "--factor-part", "right", folder_.path("y")}, 2, "neither lower, diagonal nor upper");
  EXPECT_EQ(run({"solve", matrix, "--factor-part", "lower", folder_.path("y"), "--schur", "1"}).exit_code, 2);
  EXPECT_EQ(run({"solve", matrix, "--factor-part", "lower", folder_.path("y"), "--precision", "mixed"}).exit_code, 2);
}

// Expects the same bits as from a run that solves, less memory, and none of the answers that need a solve.
TEST_F(ProgramAnswers, TellsInertiaAndDeterminantWithoutFactors) {
  const std::string matrix = generate("kkt3d", "6");
  const Json solved = solve(matrix);
  const Json told = solve(matrix, {"--only", "inertia,determinant"});
  for (const char* key : {"inertia", "determinant", "delayed_pivots", "two_by_two_pivots", "pivot_growth", "levels", "null_pivots",
                          "factor_entries", "factor_flops"}) {
    EXPECT_EQ(told[key], solved[key]) << key;
  }
  EXPECT_EQ(told["verdict"], "not_singular");
  EXPECT_NE(std::string(told["description"]).find("inertia: 648 positive, 216 negative, 0 zero; determinant"), std::string::npos)
      << told["description"];
  expect_values(told, {{"factor_bytes", 0}, {"predicted_factor_bytes", 0}});
  EXPECT_LT(told["metered_peak_bytes"], solved["metered_peak_bytes"]);
  for (const char* key : {"backward_error", "nrhs", "solve_seconds", "condition_number", "inverse_entries"}) {
    EXPECT_FALSE(told.contains(key)) << key;
  }
  const ChildResult analysis = run({"analyze", matrix, "--only", "rank", "--json", "-"});
  EXPECT_EQ(Json::parse(analysis.output)["predicted_peak_bytes"], told["predicted_peak_bytes"]);
  expect_end({"solve", singular(), "--only", "rank"}, 3, "rank 2 of 3");
  for (const char* option : {"--out", "--rhs", "--save-factors", "--null-space"}) {
    EXPECT_EQ(run({"solve", matrix, "--only", "rank", option, folder_.path("f")}).exit_code, 2) << option;
  }
  EXPECT_EQ(run({"solve", matrix, "--only", "everything"}).exit_code, 2);
  EXPECT_EQ(solve(small(), {"--only", "rank,rank", "--only", "rank"})["description"], "not singular; rank 2 of 2");
}

// The Hilbert matrix of order 8 is regular, but not at this null threshold; [1 1; 1 1 + 2e-14] is singular to rounding.
TEST_F(ProgramAnswers, SaysWhatItDoesNotKnow) {
  std::string hilbert = "%%MatrixMarket matrix coordinate real symmetric\n8 8 36\n";
  for (int j = 1; j <= 8; ++j) {
    for (int i = j; i <= 8; ++i) {
      hilbert += fmt::format("{} {} {:.17g}\n", i, j, 1.0 / (i + j - 1));
    }
  }
  const std::string regular = folder_.write("hilbert.mtx", hilbert);
  expect_end({"solve", regular, "--set", "null-threshold=1e-3", "--only", "rank,inertia"}, 3,
             "verdict        rank in doubt: between 4 and 8 of 8; as far as pivots say, inertia: ");
  expect_end({"solve", regular, "--set", "null-threshold=1e-3"}, 3,
             "rank in doubt: between 4 and 8 of 8; as far as pivots say, variable ");
  const std::string singular = folder_.write(
      "singular.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 1\n2 1 1\n2 2 1.00000000000002\n3 3 1\n");
  const ChildResult proved = run({"solve", singular, "--only", "rank"});
  EXPECT_NE(proved.output.find("2 of 3, proved: 1 null vector meets every equation to "), std::string::npos) << proved.output;
  EXPECT_EQ(proved.output.find("to nan"), std::string::npos) << proved.output;
}

TEST_F(ProgramAnswers, WritesTheSchurComplementWithoutFactors) {
  const std::string matrix = generate("kkt3d", "5");
  (void)solve(matrix, {"--schur", "1-9", "--schur-out", folder_.path("S.mtx")});
  (void)solve(matrix, {"--schur", "1-9", "--schur-out", folder_.path("T.mtx"), "--only", "determinant"});
  EXPECT_EQ(folder_.read("S.mtx"), folder_.read("T.mtx"));
  EXPECT_EQ(run({"solve", matrix, "--schur", "1-9", "--only", "determinant", "--condensed-out", folder_.path("c")}).exit_code, 2);
}

TEST_F(ProgramAnswers, TellsHowFarXMayBeOff) {
  const std::string matrix = generate("laplacian3d7", "6");
  const Json first = solve(matrix, {"--nrhs", "3"});
  EXPECT_GT(first["condition_number"], 10);
  EXPECT_LT(first["condition_number"], 100);
  EXPECT_GT(first["forward_error_bound"], 0);
  EXPECT_LT(first["forward_error_bound"], 1e-12);
  EXPECT_GT(first["error_bound_seconds"], 0);
  EXPECT_NE(first["description"].get<std::string>().find("digits of x are right in 1 of 3 columns (condition number about "),
            std::string::npos);
  EXPECT_EQ(first["inertia"], Json({{"positive", 216}, {"negative", 0}, {"zero", 0}}));
  const Json all = solve(matrix, {"--nrhs", "3", "--error-bounds", "all"});
  EXPECT_LE(all["forward_error"], all["forward_error_bound"]);
  EXPECT_NE(all["description"].get<std::string>().find("digits of x are right (condition number about "), std::string::npos);
  const Json never = solve(matrix, {"--nrhs", "3", "--error-bounds", "never"});
  expect_values(never, {{"condition_number", nullptr}, {"forward_error_bound", nullptr}, {"error_bound_seconds", 0}});
}

}  // namespace
}  // namespace frond::testing
