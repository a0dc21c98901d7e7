// SPDX-License-Identifier: BSD-3-Clause
// Tests new values with the analysis made by several ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>

#include "frond/error.hpp"
#include "tests/solver/distributed/mpi/on_ranks.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/expect_solves.hpp"
#include "tests/support/matrices/scalars.hpp"

namespace frond {
namespace {

using testing::Flavour;

template <class S>
using System = std::shared_ptr<const DistributedSystem<S>>;

class NewValues : public testing::OnRanks {
 protected:
  template <class S>
  [[nodiscard]] System<S> with_values(const System<S>& analysed, const SystemMatrix<S>& matrix) const {
    return std::make_shared<const DistributedSystem<S>>(ranks_, analysed->analysis(), is_first() ? &matrix : nullptr);
  }

  // Solves, and checks the solution against the dense matrix.
  template <class S>
  [[nodiscard]] static std::vector<S> expect_solution(const System<S>& system, const SparseMatrix<S>& matrix) {
    return testing::expect_solves(factorize_on_ranks<S>(system), matrix, Operation::plain, 1).values;
  }
};

// Returns the same pattern with other values.
template <class S>
SparseMatrix<S> revalued(SparseMatrix<S> matrix, const SparseMatrix<S>& values_of) {
  for (std::size_t k = 0; k < matrix.values.size(); ++k) {
    matrix.values[k] *= S(1) + std::abs(values_of.values[k % values_of.values.size()]) / S(8);
  }
  return matrix;
}

template <class S>
SparseMatrix<S> with_columns_reversed(SparseMatrix<S> matrix) {
  for (std::size_t j = 0; j < static_cast<std::size_t>(matrix.num_cols); ++j) {
    std::reverse(matrix.row_indices.begin() + matrix.column_offsets[j], matrix.row_indices.begin() + matrix.column_offsets[j + 1]);
    std::reverse(matrix.values.begin() + matrix.column_offsets[j], matrix.values.begin() + matrix.column_offsets[j + 1]);
  }
  return matrix;
}

// Leaves out every third off-diagonal entry.
template <class S>
Triplets<S> thinned(const SparseMatrix<S>& matrix, Rank rank, Rank num_ranks) {
  Triplets<S> entries{.num_rows = matrix.num_rows, .num_cols = matrix.num_cols, .symmetry = matrix.symmetry};
  Count k = 0;
  testing::for_each_entry(matrix, [&](Index i, Index j, S value) {
    if ((i == j || k % 3 != 0) && k % num_ranks == rank) {
      entries.add(i, j, value);
    }
    ++k;
  });
  return entries;
}

template <class S>
class NewValuesOf : public NewValues {};
TYPED_TEST_SUITE(NewValuesOf, test::Scalars);

TYPED_TEST(NewValuesOf, AreSolvedInAnyOrderOfEntries) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
    for (const bool by_lu : {false, true}) {
      SCOPED_TRACE(static_cast<int>(symmetry) * 10 + (by_lu ? 1 : 0));
      SolverOptions options = testing::spread();
      options.analysis.ordering.matching = Use::never;  // keeps the ordering independent of the values
      if (by_lu) {
        options.method = Method::lu;
      }
      const auto first = testing::random_matrix<S>(80, 3, symmetry, Flavour::dominant, 4);
      const auto second = revalued(first, testing::random_matrix<S>(80, 3, symmetry, Flavour::graded, 5));
      const auto analysed = this->template system_of<S>(first, options);
      const auto x = this->expect_solution(this->template system_of<S>(second, options), second);
      const System<S> again = this->with_values(analysed, SystemMatrix<S>(second));
      EXPECT_EQ(again->symbolic(), analysed->symbolic());
      EXPECT_EQ(this->expect_solution(again, second), x);
      const auto reversed = with_columns_reversed(second);
      const auto y = this->expect_solution(this->with_values(analysed, SystemMatrix<S>(reversed)), second);
      for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_LE(std::abs(x[i] - y[i]), 100 * std::numeric_limits<RealOf<S>>::epsilon());
      }
      const System<S> third = this->with_values(again, SystemMatrix<S>(first));  // and with the values of the first
      (void)this->expect_solution(third, first);
    }
  }
}

TYPED_TEST(NewValuesOf, MayBeFewerAndOnAnyRanks) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    const auto matrix = testing::random_matrix<S>(80, 4, symmetry, Flavour::dominant, 4);
    const auto analysed = this->template system_of<S>(matrix, testing::spread());
    const Factorization<S> factorization(Analysis(analysed->analysis()),
                                         thinned(matrix, this->ranks_.rank(), this->ranks_.num_ranks()));
    const SparseMatrix<S> whole = compress(thinned(matrix, 0, 1));
    const Count num_missing = matrix.num_entries() - whole.num_entries();
    EXPECT_GT(num_missing, 0);
    (void)this->expect_solution(rank_backend_of(factorization).shared_system(), whole);
    const std::string note = "that count as zeros: " + std::to_string(num_missing);
    EXPECT_NE(factorization.report().notes.front().find(note), std::string::npos);
  }
}

TEST_F(NewValues, KeepTheMatchingOfTheFirst) {
  SolverOptions options = testing::spread();
  options.analysis.ordering.matching = Use::always;
  const auto first = testing::random_matrix<double>(80, 4, Symmetry::general, Flavour::zero_diagonal, 4);
  const auto analysed = system_of<double>(first, options);
  EXPECT_EQ(analysed->symbolic()->ordering().matching, MatchingKind::rows);
  const auto second = revalued(first, testing::random_matrix<double>(80, 4, Symmetry::general, Flavour::graded, 5));
  const System<double> system = with_values(analysed, SystemMatrix<double>(second));
  EXPECT_EQ(system->symbolic()->ordering().matching, MatchingKind::rows);
  EXPECT_EQ(system->symbolic()->row_of_column(), analysed->symbolic()->row_of_column());
  (void)expect_solution(system, second);
}

TEST_F(NewValues, ThatWereNotAnalysedAreNamedOnAllRanks) {
  const auto matrix = testing::laplacian<double>(4);
  const auto analysed = system_of<double>(matrix, testing::spread());
  Triplets<double> entries = thinned(matrix, ranks_.rank(), ranks_.num_ranks());
  if (ranks_.rank() == ranks_.num_ranks() - 1) {
    entries.add(63, 7, 1);
  }
  const std::string text =
      testing::complaint_of<UsageError>([&] { (void)Factorization<double>(Analysis(analysed->analysis()), entries); });
  EXPECT_NE(text.find("the entry in row 63, column 7 (counted from 0) is not in the pattern that was analysed"), std::string::npos)
      << text;
  const auto load = [&](const SparseMatrix<double>& other) {
    return testing::complaint_of<UsageError>([&] { (void)with_values(analysed, SystemMatrix<double>(other)); });
  };
  EXPECT_NE(load(testing::laplacian<double>(3)).find("order 27"), std::string::npos);
  EXPECT_EQ(load(testing::random_matrix<double>(64, 3, Symmetry::general, Flavour::dominant, 4)), "") << "it is analysed again";
  EXPECT_NE(testing::complaint_of<UsageError>([&] {
              (void)std::make_shared<const DistributedSystem<double>>(ranks_, analysed->analysis(), nullptr);
            }).find("there is no matrix"),
            std::string::npos);
}

}  // namespace
}  // namespace frond
