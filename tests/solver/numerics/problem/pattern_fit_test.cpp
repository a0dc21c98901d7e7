// SPDX-License-Identifier: BSD-3-Clause
// Tests one analysis for matrices whose entries come in another order, or are missing.
#include "solver/numerics/problem/pattern_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <random>
#include <string>

#include "analysis/analysed_pattern.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/matrix.hpp"
#include "matrices/symmetry.hpp"
#include "solver/course/analyze_system.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

using testing::Flavour;

constexpr Symmetry kSymmetries[] = {Symmetry::general, Symmetry::symmetric, Symmetry::skew_symmetric, Symmetry::hermitian};

SolverOptions options_of_test() {
  SolverOptions options;
  options.factorization.num_threads = 1;
  return options;
}

// Returns the same matrix with the entries of each column in random order, half of them in the other triangle unless it is general.
template <class S>
SparseMatrix<S> disordered(const SparseMatrix<S>& matrix, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<std::pair<Index, S>>> columns(static_cast<std::size_t>(matrix.num_cols));
  testing::for_each_entry(matrix, [&](Index i, Index j, S value) {
    if (matrix.symmetry != Symmetry::general && random() % 2 == 0) {
      columns[i].emplace_back(j, i == j ? value : mirrored(matrix.symmetry, value));
    } else {
      columns[j].emplace_back(i, value);
    }
  });
  SparseMatrix<S> result{matrix.num_rows, matrix.num_cols, matrix.symmetry, {0}, {}, {}};
  for (auto& column : columns) {
    std::shuffle(column.begin(), column.end(), random);
    for (const auto& [row, value] : column) {
      result.row_indices.push_back(row);
      result.values.push_back(value);
    }
    result.column_offsets.push_back(result.num_entries());
  }
  return result;
}

template <class S>
std::vector<S> solution_of(const Analysis& analysis, const SparseMatrix<S>& matrix) {
  const auto b = testing::random_dense<S>(matrix.num_rows, 1, 3);
  std::vector<S> x(b.values.size());
  const Factorization<S> factorization(analysis.with_options(options_of_test()), matrix);
  EXPECT_EQ(factorization.solve(b.values, x).verdict, Verdict::solved);
  return x;
}

TEST(AnalysedPattern, IsRecovered) {
  for (const Symmetry symmetry : kSymmetries) {
    for (const Use matching : {Use::never, Use::always}) {
      SCOPED_TRACE(static_cast<int>(symmetry));
      const auto matrix = disordered(testing::random_matrix<double>(80, 3, symmetry, Flavour::zero_diagonal, 2), 4);
      SolverOptions options = options_of_test();
      options.analysis.ordering.matching = matching;
      if (symmetry == Symmetry::skew_symmetric) {
        continue;  // LU analyses the expanded matrix
      }
      const auto analysis = analyze<double>(SystemMatrix<double>(matrix), options);
      const OwnedPattern pattern = analysed_pattern(*analysis.parts().symbolic);
      EXPECT_EQ(pattern.symmetry, symmetry);
      EXPECT_EQ(pattern.column_offsets, matrix.column_offsets);
      EXPECT_TRUE(
          std::equal(pattern.row_indices.begin(), pattern.row_indices.end(), matrix.row_indices.begin(), matrix.row_indices.end()));
      EXPECT_EQ(pattern_hash(pattern.view()), analysis.parts().symbolic->pattern_hash());
      EXPECT_FALSE(fit_to_analysis(*analysis.parts().symbolic, matrix.view()).has_value());
    }
  }
}

TEST(PatternHash, ChangesWithEveryPosition) {
  auto matrix = testing::random_matrix<double>(40, 3, Symmetry::general, Flavour::dominant, 2);
  const std::uint64_t hash = pattern_hash(matrix.pattern());
  for (std::size_t k = 0; k < matrix.row_indices.size(); ++k) {
    const Index row = std::exchange(matrix.row_indices[k], (matrix.row_indices[k] + 1) % 40);
    EXPECT_NE(pattern_hash(matrix.pattern()), hash);
    matrix.row_indices[k] = row;
  }
  std::swap(matrix.row_indices[0], matrix.row_indices[1]);
  EXPECT_NE(pattern_hash(matrix.pattern()), hash) << "values follow the order of entries";
}

TEST(PatternFit, TakesEntriesInAnyOrder) {
  for (const Symmetry symmetry : kSymmetries) {
    SCOPED_TRACE(static_cast<int>(symmetry));
    using S = std::complex<double>;
    const auto matrix = testing::random_matrix<S>(80, 3, symmetry, Flavour::zero_diagonal, 2);
    const auto other = disordered(matrix, 5);
    const auto analysis = analyze(matrix);
    const std::vector<S> expected = solution_of(analysis, matrix);
    const std::vector<S> solution = solution_of(analysis, other);
    for (std::size_t i = 0; i < expected.size(); ++i) {  // residuals are summed in another order
      EXPECT_LE(std::abs(solution[i] - expected[i]), 1e-10);
    }
    if (symmetry != Symmetry::skew_symmetric) {
      const auto fitted = fit_to_analysis(*analysis.parts().symbolic, other.view());
      ASSERT_TRUE(fitted);
      EXPECT_EQ(fitted->num_missing, 0);
      EXPECT_TRUE(std::equal(matrix.values.begin(), matrix.values.end(), fitted->values.begin(), fitted->values.end()));
    }
  }
}

TEST(PatternFit, CountsMissingEntriesAsZeros) {
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    const auto matrix = testing::random_matrix<double>(80, 4, symmetry, Flavour::dominant, 2);
    Triplets<double> fewer{80, 80, symmetry};
    Count num_missing = 0;
    Count k = 0;
    testing::for_each_entry(matrix, [&](Index i, Index j, double value) {
      if (k++ % 3 == 0 && i != j) {
        ++num_missing;
      } else {
        fewer.add(i, j, value);
      }
    });
    const auto sparser = compress(std::move(fewer));
    const Factorization<double> factorization(analyze(matrix, options_of_test()), sparser);
    ASSERT_EQ(factorization.report().notes.size(), 1U);
    EXPECT_NE(factorization.report().notes[0].find("count as zeros: " + std::to_string(num_missing)), std::string::npos);
    const auto b = testing::random_dense<double>(80, 1, 3);
    DenseMatrix<double> x(80, 1);
    EXPECT_EQ(factorization.solve(b.values, x.values).verdict, Verdict::solved);
    EXPECT_LE(testing::dense_backward_error(testing::dense(sparser), x, b), 1e-15);
  }
}

TEST(PatternFit, NamesAnEntryThatWasNotAnalysed) {
  const auto diagonal = compress(Triplets<double>{3, 3, Symmetry::general, {0, 1, 2}, {0, 1, 2}, {1, 1, 1}});
  const auto matrix = compress(Triplets<double>{3, 3, Symmetry::general, {0, 2, 2}, {0, 1, 2}, {1, 1, 1}});
  SolverOptions options;
  options.detect_symmetry = false;  // otherwise the lost symmetry of the diagonal would cause a new analysis
  const auto analysis = analyze(diagonal, options);
  const auto message_of = [&](bool is_transposed) {
    return testing::complaint_of<UsageError>(
        [&] { const Factorization<double> factorization(analysis, SystemMatrix<double>(matrix.view(), is_transposed)); });
  };
  EXPECT_NE(message_of(false).find("the entry in row 2, column 1 (counted from 0) is not in the pattern"), std::string::npos)
      << message_of(false);
  EXPECT_NE(message_of(true).find("the entry in row 1, column 2"), std::string::npos);
  const auto larger = compress(Triplets<double>{4, 4, Symmetry::general, {0, 1, 2}, {0, 1, 2}, {1, 1, 1}});
  EXPECT_THROW(Factorization<double>(analysis, larger), UsageError);
  const auto symmetric = compress(Triplets<double>{3, 3, Symmetry::symmetric, {0, 1, 2}, {0, 1, 2}, {1, 1, 1}});
  EXPECT_THROW(Factorization<double>(analysis, symmetric), UsageError);
}

}  // namespace
}  // namespace frond
