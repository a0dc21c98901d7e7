// SPDX-License-Identifier: BSD-3-Clause
// Runs frond solve --analysis-of as a user would.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <complex>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "frond/files.hpp"
#include "tests/support/programs/program_fixture.hpp"

namespace frond::testing {
namespace {

class ForeignAnalysis : public testing::Program {
 protected:
  // Expects exit code 2 and returns the message.
  std::string refusal(const std::string& matrix, std::vector<std::string> more) {
    more.insert(more.begin(), {"solve", matrix});
    const ChildResult result = run(std::move(more));
    EXPECT_EQ(result.exit_code, 2) << result.output << result.errors;
    EXPECT_EQ(result.output, "") << "printed before it was refused";
    return result.errors;
  }

  // [4 1 2; 1 3 0; 2 0 5]
  std::string arrow() { return folder_.write("A0.mtx", symmetric_ + "3 3 5\n1 1 4\n2 1 1\n3 1 2\n2 2 3\n3 3 5\n"); }
  // [2 . 1; . -1 .; 1 . 3], with determinant -5
  std::string part_of_arrow() { return folder_.write("A.mtx", symmetric_ + "3 3 4\n3 3 3\n2 2 -1\n3 1 1\n1 1 2\n"); }

  const std::string general_ = "%%MatrixMarket matrix coordinate real general\n";
  const std::string symmetric_ = "%%MatrixMarket matrix coordinate real symmetric\n";
};

// The tree is that of the other matrix, whatever the options.
TEST_F(ForeignAnalysis, ServesAPartOfThePattern) {
  const std::string analysed = arrow();
  const std::string matrix = part_of_arrow();
  const std::string b = folder_.write("b.mtx", "%%MatrixMarket matrix array real general\n3 1\n4\n-2\n7\n");
  const Json own = solve(analysed);
  EXPECT_TRUE(own["analysis_of"].is_null());
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {}, {"--once"}, {"--precision", "mixed"}, {"--precision", "single"}, {"--schur", "2"}}) {
    SCOPED_TRACE(more.empty() ? "" : more.back());
    std::vector<std::string> words{"--analysis-of", analysed, "--rhs", b, "--out", folder_.path("x.mtx")};
    words.insert(words.end(), more.begin(), more.end());
    const Json told = solve(matrix, words);
    expect_values(told, {{"analysis_of", analysed}, {"matrix", matrix}, {"method", "ldlt"}});
    if (told["schur_order"] == 0) {
      EXPECT_EQ(told["exact_factor_entries"], own["exact_factor_entries"]);
    }
    EXPECT_NE(told["notes"].dump().find("count as zeros: 1"), std::string::npos) << told["notes"];
    const auto x = std::get<DenseMatrix<double>>(read_dense(folder_.path("x.mtx")));
    EXPECT_NEAR(x(0, 0), 1, 1e-6);
    EXPECT_NEAR(x(1, 0), 2, 1e-6);
    EXPECT_NEAR(x(2, 0), 2, 1e-6);
  }
  const Json pivots = solve(matrix, {"--analysis-of", analysed, "--only", "determinant"});
  EXPECT_EQ(pivots["determinant"], Json({{"real", -0.625}, {"imaginary", 0}, {"exponent", 3}}));
  const ChildResult summary = run({"solve", matrix, "--analysis-of", analysed});
  EXPECT_NE(summary.output.find("\nanalysis       of " + analysed + "\n"), std::string::npos) << summary.output;
}

// Rows are matched by the values of the other matrix: [9 1; 1 9] needs no matching, whereas [1e-3 2; 3 1e-3] alone does.
TEST_F(ForeignAnalysis, BringsTheMatchingOfTheOtherMatrix) {
  const std::string analysed = folder_.write("A0.mtx", general_ + "2 2 4\n1 1 9\n1 2 1\n2 1 1\n2 2 9\n");
  const std::string matrix = folder_.write("A.mtx", general_ + "2 2 4\n2 2 1e-3\n2 1 3\n1 2 2\n1 1 1e-3\n");
  EXPECT_EQ(solve(matrix, {"--set", "matching=always"})["matching"], "rows");
  const Json told = solve(matrix, {"--set", "matching=always", "--analysis-of", analysed});
  expect_values(told, {{"matching", "none"}, {"verdict", "solved"}});
  EXPECT_TRUE(told["notes"].empty()) << "no entry is missing: " << told["notes"];
}

TEST_F(ForeignAnalysis, ServesComplexMatrices) {
  const std::string banner = "%%MatrixMarket matrix coordinate complex general\n";
  const std::string analysed = folder_.write("A0.mtx", banner + "2 2 4\n1 1 4 0\n1 2 1 0\n2 1 1 0\n2 2 4 0\n");
  const std::string matrix = folder_.write("A.mtx", banner + "2 2 3\n1 1 0 2\n2 1 1 0\n2 2 1 0\n");
  const std::string b = folder_.write("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n2\n0\n");
  for (const char* precision : {"full", "mixed", "single"}) {
    (void)solve(matrix, {"--analysis-of", analysed, "--precision", precision, "--rhs", b, "--out", folder_.path("x.mtx")});
    const auto x = std::get<DenseMatrix<std::complex<double>>>(read_dense(folder_.path("x.mtx")));
    EXPECT_NEAR(std::abs(x(0, 0) - std::complex<double>(0, -1)), 0, 1e-6) << precision;
    EXPECT_NEAR(std::abs(x(1, 0) - std::complex<double>(0, 1)), 0, 1e-6) << precision;
  }
}

TEST_F(ForeignAnalysis, RefusesAnEntryThatWasNotAnalysed) {
  const std::string analysed = part_of_arrow();
  const std::string matrix = arrow();
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{{}, {"--once"}, {"--only", "rank"}}) {
    std::vector<std::string> words{"--analysis-of", analysed, "--write-ordering", folder_.path("order")};
    words.insert(words.end(), more.begin(), more.end());
    const std::string errors = refusal(matrix, words);
    EXPECT_NE(
        errors.find(fmt::format("{} with the analysis of {}: the entry in row 2, column 1 (counted from 1)", matrix, analysed)),
        std::string::npos)
        << errors;
    EXPECT_FALSE(std::filesystem::exists(folder_.path("order")));
  }
}

TEST_F(ForeignAnalysis, RefusesMatricesOfAnotherKind) {
  const std::string matrix = arrow();
  const std::string complex = folder_.write("C.mtx", "%%MatrixMarket matrix coordinate complex general\n3 3 1\n1 1 1 0\n");
  const std::string errors = refusal(matrix, {"--analysis-of", complex});
  EXPECT_NE(errors.find(complex + " is complex, but " + matrix + " is real; name a real matrix"), std::string::npos) << errors;
  EXPECT_NE(refusal(complex, {"--analysis-of", matrix}).find("name a complex matrix"), std::string::npos);
  for (const std::string& other : {general_ + "3 3 2\n1 1 1\n1 2 1\n", symmetric_ + "4 4 1\n1 1 1\n"}) {
    const std::string analysed = folder_.write("other.mtx", other);
    const std::string said = refusal(matrix, {"--analysis-of", analysed});
    EXPECT_NE(said.find(fmt::format("{} with the analysis of {}: the analysis is of a ", matrix, analysed)), std::string::npos)
        << said;
  }
  const std::string wide = folder_.write("wide.mtx", general_ + "2 3 1\n1 1 1\n");
  EXPECT_NE(refusal(matrix, {"--analysis-of", wide}).find(wide), std::string::npos);
  EXPECT_NE(refusal(matrix, {"--analysis-of", matrix, "--load-factors", matrix}).find("excludes"), std::string::npos);
  EXPECT_NE(refusal(matrix, {"--analysis-of", complex, "--out", complex}).find("name the same file"), std::string::npos);
}

TEST_F(ForeignAnalysis, TakesPatternsAndIntegersAsRealMatrices) {
  const std::string banner = "%%MatrixMarket matrix coordinate ";
  for (const std::string& analysed : {banner + "pattern symmetric\n3 3 5\n1 1\n2 1\n3 1\n2 2\n3 3\n",
                                      banner + "integer symmetric\n3 3 5\n1 1 1\n2 1 1\n3 1 1\n2 2 1\n3 3 1\n"}) {
    EXPECT_EQ(solve(part_of_arrow(), {"--analysis-of", folder_.write("A0.mtx", analysed)})["verdict"], "solved");
  }
}

TEST_F(ForeignAnalysis, LeavesFactorsThatCanBeSavedAndLoaded) {
  const std::string factors = folder_.path("factors");
  (void)solve(part_of_arrow(), {"--analysis-of", arrow(), "--save-factors", factors, "--out", folder_.path("x.mtx")});
  (void)solve(part_of_arrow(), {"--load-factors", factors, "--out", folder_.path("y.mtx")});
  EXPECT_EQ(folder_.read("x.mtx"), folder_.read("y.mtx"));
}

}  // namespace
}  // namespace frond::testing
