// SPDX-License-Identifier: BSD-3-Clause
// Tests which input is refused, with what message, and what happens when memory is lacking.
#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <vector>

#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/matrix.hpp"
#include "solver/course/analyze_system.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

using testing::Flavour;
using Complex = std::complex<double>;

TEST(Factorization, NamesValuesThatAreNotFinite) {
  auto matrix = testing::random_matrix<double>(20, 2, Symmetry::general, Flavour::dominant, 14);
  const auto analysis = analyze(matrix);
  matrix.values[matrix.column_offsets[7]] = std::numeric_limits<double>::quiet_NaN();
  const Index row = matrix.row_indices[matrix.column_offsets[7]];
  const auto error = testing::error_of<UsageError>([&] { const Factorization<double> factorization(analysis, matrix); });
  EXPECT_NE(std::string(error.what()).find("row " + std::to_string(row) + ", column 7"), std::string::npos) << error.what();
}

TEST(Factorization, RefusesAnImaginaryDiagonalOfAHermitianMatrix) {
  const auto matrix = compress(Triplets<Complex>{1, 1, Symmetry::hermitian, {0}, {0}, {Complex(1, 1)}});
  EXPECT_THROW((void)analyze(matrix), UsageError);
}

TEST(Factorization, RefusesWhatDoesNotFit) {
  const auto matrix = testing::random_matrix<double>(20, 2, Symmetry::symmetric, Flavour::dominant, 15);
  const auto other = testing::random_matrix<double>(21, 2, Symmetry::symmetric, Flavour::dominant, 15);
  EXPECT_THROW((Factorization<double>(analyze(other), matrix)), UsageError);
  EXPECT_THROW((Factorization<double>(analyze(matrix).with_options({.method = Method::lu}), matrix)), UsageError)
      << "LU needs another analysis";
  EXPECT_THROW((void)choose_method<double>(matrix, {.method = Method::ldlh}), UsageError);
  const auto general = expand_to_general(matrix.view());
  EXPECT_THROW((void)choose_method<double>(general, {.method = Method::cholesky}), UsageError);
  const Factorization<double> factorization(analyze(matrix), matrix);
  std::vector<double> x(20);
  EXPECT_THROW((void)factorization.solve(std::vector<double>(19), x), UsageError);
  EXPECT_THROW((void)factorization.solve({x.data(), 20, 1, 20}, {x.data(), 20, 2, 20}), UsageError);
  EXPECT_THROW((void)factorization.solve({x.data(), 20, 1, 19}, {x.data(), 20, 1, 20}), UsageError);
  const std::vector<double> b(20, std::numeric_limits<double>::quiet_NaN());
  EXPECT_THROW((void)factorization.solve(b, x), UsageError);
  const std::vector<Count> short_offsets{0, 1};
  EXPECT_THROW((void)analyze(compressed_columns<double>(3, short_offsets, matrix.row_indices, matrix.values)), UsageError);
}

TEST(Factorization, RefusesArraysThatAreNoMatrix) {
  const std::vector<double> ones{1, 1};
  const auto analyze_arrays = [&ones](const std::vector<Count>& offsets, const std::vector<Index>& rows,
                                      const SolverOptions& options) {
    (void)analyze(compressed_columns<double>(2, offsets, rows, ones, Symmetry::symmetric), options);
  };
  EXPECT_NO_THROW(analyze_arrays({0, 1, 2}, {0, 1}, {}));
  EXPECT_THROW(analyze_arrays({0, 1, 1}, {0}, {}), UsageError) << "more values than entries";
  EXPECT_THROW(analyze_arrays({0, 9, 2}, {0, 1}, {}), UsageError) << "offsets decrease";
  EXPECT_THROW(analyze_arrays({1, 1, 2}, {0, 1}, {}), UsageError) << "offsets start behind the first entry";
  for (const std::optional<Method>& method : {std::optional<Method>(), std::optional<Method>(Method::lu)}) {
    EXPECT_THROW(analyze_arrays({0, 1, 2}, {0, 1000000}, {.method = method}), UsageError) << "row outside of the matrix";
    EXPECT_THROW(analyze_arrays({0, 1, 2}, {0, -1}, {.method = method}), UsageError) << "negative row";
  }
}

TEST(Factorization, PassesTheMemoryLimitOn) {
  const auto matrix = testing::laplacian<double>(12);
  SolverOptions options;
  options.factorization.memory_limit = 10000;
  const auto error =
      testing::error_of<MemoryError>([&] { const Factorization<double> factorization(analyze(matrix, options), matrix); });
  EXPECT_GT(error.needed_bytes(), 10000);
  EXPECT_EQ(error.limit_bytes(), 10000);
}

}  // namespace
}  // namespace frond
