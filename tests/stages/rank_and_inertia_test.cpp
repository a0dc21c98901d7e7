// SPDX-License-Identifier: BSD-3-Clause
// Tests rank, inertia and determinant against exactly known values, or against eigenvalues and singular values.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frond/matrix.hpp"
#include "solver/numerics/problem/report.hpp"
#include "tests/dense/dense_algebra.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/matrices/known_systems.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/oracles/dense_determinant.hpp"
#include "tests/support/ranks/report_bits.hpp"

namespace frond::stages {
namespace {

using testing::Flavour;
using testing::KnownSystem;

// Expects rank and inertia exactly, the determinant to 10 n eps times the condition number: det(A + E) / det A = 1 + trace(A^-1 E)
// + ...
template <Scalar S>
void expect_report_as_known(const KnownSystem<S>& known, const SystemReport& system) {
  const FactorizationReport& report = system.factorization;
  const Index order = known.matrix.num_cols;
  std::string notes;
  for (const std::string& note : system.notes) {
    notes += note + "; ";
  }
  EXPECT_EQ(order - static_cast<Index>(report.null_pivots.size()), known.rank) << notes;
  EXPECT_EQ(report.status, known.rank == order ? FactorizationStatus::success : FactorizationStatus::singular) << notes;
  if (known.has_inertia) {
    EXPECT_EQ(report.inertia.positive, known.inertia.positive) << notes;
    EXPECT_EQ(report.inertia.negative, known.inertia.negative) << notes;
    EXPECT_EQ(report.inertia.zero, known.inertia.zero) << notes;
  }
  if (known.rank < order) {
    EXPECT_EQ(report.determinant, Determinant(0));
  } else if (known.determinant) {
    const double eps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
    EXPECT_LE(test::relative_difference(report.determinant, *known.determinant), 10 * order * known.condition * eps) << notes;
  }
}

#ifdef FROND_SCALARS_ON_RANKS
constexpr std::size_t kEveryKnown = 4;  // with several ranks, unless everything is tested: one process tests them all
#else
constexpr std::size_t kEveryKnown = 1;
#endif

template <class S>
class RankAndInertia : public ::testing::Test {
 protected:
  // Tests every `every`-th known system, spread wherever it can be; roots of LDLT, which has no grid, are split into chains.
  static void expect_as_known(const StageOptions& options, std::size_t every) {
    Spread spread;
    Count num_systems = 0;
    Count num_distributed = 0;
    const std::vector<KnownSystem<S>> systems = testing::known_systems<S>();
    for (std::size_t k = 0; k < systems.size(); k += every) {
      SCOPED_TRACE(systems[k].name);
      const auto factorization = factorize<S>(systems[k].matrix, options);
      expect_report_as_known(systems[k], factorization->report());
      const Spread of_this = factorization->spread();
      spread += of_this;
      num_distributed += of_this.by_rows + of_this.on_grids > 0 ? 1 : 0;
      ++num_systems;
    }
    expect_spread(spread);
    if (team().size() > 1) {
      EXPECT_GE(num_distributed, sizeof(RealOf<S>) == sizeof(double) && every == 1 ? 200 : num_systems / 2);
    }
  }
};
TYPED_TEST_SUITE(RankAndInertia, test::Scalars);

TYPED_TEST(RankAndInertia, AreExactWhereTheyAreKnown) {
  this->expect_as_known({{}, Layout::grid}, kIsComplex<TypeParam> && kEveryKnown > 1 ? 2 * kEveryKnown : kEveryKnown);
}

// They do not depend on threads, and need no factors and no condition number.
TYPED_TEST(RankAndInertia, AreExactOnThreadsAndWithoutFactors) {
  using S = TypeParam;
  int num_same = 0;
  const std::vector<KnownSystem<S>> systems = testing::known_systems<S>();
  for (std::size_t k = 0; k < systems.size(); k += is_one_process() ? 1 : 64) {
    SCOPED_TRACE(systems[k].name);
    StageOptions options;
    options.solver.factorization.num_threads = 2;
    const SystemReport all = factorize<S>(systems[k].matrix, options)->report();
    expect_report_as_known(systems[k], all);
    options.solver.factorization.kept = KeptFactors::none;
    const SystemReport none = factorize<S>(systems[k].matrix, options)->report();
    expect_report_as_known(systems[k], none);
    num_same += test::report_bits(none.factorization) == test::report_bits(all.factorization) ? 1 : 0;
  }
  EXPECT_TRUE(num_same > 20 || !is_one_process());
}

TYPED_TEST(RankAndInertia, AreExactWithMatchings) {
  if constexpr (std::is_same_v<TypeParam, double>) {
    StageOptions options{{}, Layout::grid};
    options.solver.analysis.ordering.matching = Use::always;
    this->expect_as_known(options, kEveryKnown > 1 ? 2 * kEveryKnown : kEveryKnown);
  }
}

// Saddle point problems [I B^T; B faint], B of full rank: scales must not follow diagonal entries far below all others.
TYPED_TEST(RankAndInertia, AreNotMovedByFaintEntries) {
  using S = TypeParam;
  constexpr Index kOrder = 30;
  for (int exponent = -20; exponent > std::numeric_limits<RealOf<S>>::min_exponent; exponent *= 2) {
    SCOPED_TRACE(exponent);
    Triplets<S> entries{kOrder, kOrder, Symmetry::symmetric};
    for (Index k = 2; k < kOrder; k += 3) {
      entries.add(k, k, S(std::ldexp(RealOf<S>(1), exponent)));
      for (const Index i : {k - 1, k - 2}) {
        entries.add(i, i, S(1));
        entries.add(k, i, S(1));
        entries.add(k, std::max(i - 3, 0), S(k > 2 ? 0.5 : 0));
      }
    }
    const SparseMatrix<S> matrix = compress(std::move(entries));
    const SystemReport report = factorize<S>(matrix, {{}, Layout::nodes})->report();
    EXPECT_EQ(report.rank.lowest, kOrder);
    EXPECT_EQ(report.factorization.inertia.negative, kOrder / 3);
  }
}

// Returns a random matrix of the given rank: a random core, extended by combinations of its rows and columns.
template <Scalar S>
SparseMatrix<S> random_of_rank(Index order, Index rank, Symmetry symmetry, std::uint64_t seed) {
  const Flavour flavour = seed % 2 == 0 ? Flavour::zero_diagonal : Flavour::dominant;
  const SparseMatrix<S> core = testing::random_matrix<S>(rank, 2 + static_cast<Index>(seed % 4), symmetry, flavour, seed);
  const DenseMatrix<S> dense_core = testing::dense(core);
  DenseMatrix<S> a(order, order);
  for (Index j = 0; j < rank; ++j) {
    std::copy_n(dense_core.column(j).begin(), rank, a.column(j).begin());
  }
  for (Index k = rank; k < order; ++k) {  // combinations of two earlier equations, symmetrically
    const Index first = (7 * k) % rank;
    const Index second = (5 * k + 3) % rank;
    for (Index j = 0; j < order; ++j) {
      a(k, j) = a(first, j) - S(0.7F) * a(second, j);
    }
    for (Index i = 0; i < order; ++i) {
      a(i, k) = a(i, first) - S(0.7F) * a(i, second);
    }
  }
  Triplets<S> triplets{order, order, symmetry, {}, {}, {}};
  for (Index j = 0; j < order; ++j) {
    for (Index i = symmetry == Symmetry::general ? 0 : j; i < order; ++i) {
      const auto noise = 100 * std::numeric_limits<RealOf<S>>::epsilon();  // sums that cancel are not entries
      if (std::abs(a(i, j)) > noise) {
        triplets.add(i, j, a(i, j));
      }
    }
  }
  return compress(std::move(triplets));
}

// Returns how many magnitudes lie above a gap of at least 1e4 that ends at rounding errors; nothing if there is no such gap.
std::optional<Index> rank_by_gap(Eigen::VectorXd magnitudes, double eps) {
  std::sort(magnitudes.begin(), magnitudes.end(), std::greater<>());
  const double noise = eps * static_cast<double>(magnitudes.size()) * magnitudes(0);
  for (Eigen::Index k = 0; k < magnitudes.size(); ++k) {
    if (magnitudes(k) <= noise) {
      return k == 0 || magnitudes(k - 1) >= 1e4 * noise ? std::optional<Index>(static_cast<Index>(k)) : std::nullopt;
    }
  }
  return magnitudes(magnitudes.size() - 1) >= 1e4 * noise ? std::optional<Index>(static_cast<Index>(magnitudes.size()))
                                                          : std::nullopt;
}

TYPED_TEST(RankAndInertia, AgreeWithEigenvaluesAndSingularValues) {
  using S = TypeParam;
  using R = RealOf<S>;
  const double eps = static_cast<double>(std::numeric_limits<R>::epsilon());
  int num_decided = 0;
  for (std::uint64_t seed = 1; seed <= num_seeds(40); ++seed) {
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::hermitian}) {
      const Index order = 20 + static_cast<Index>(seed) * 3;
      const SparseMatrix<S> matrix = random_of_rank<S>(order, order - static_cast<Index>(seed % 5) * 2, symmetry, seed);
      const test::WideDense<S> dense = test::wide(testing::dense(matrix));
      SCOPED_TRACE("seed " + std::to_string(seed) + ", symmetry " + std::to_string(static_cast<int>(symmetry)));
      const FactorizationReport report = factorize<S>(matrix, {})->report().factorization;
      const Eigen::VectorXd magnitudes = test::singular_values(dense);
      const std::optional<Index> rank = rank_by_gap(magnitudes, eps);
      if (!rank) {
        continue;
      }
      ++num_decided;
      EXPECT_EQ(order - static_cast<Index>(report.null_pivots.size()), *rank);
      if (symmetry == Symmetry::hermitian) {
        const Eigen::VectorXd eigenvalues = test::eigenvalues(dense);
        const double tolerance = 100 * eps * order * magnitudes(0);  // in the middle of the gap
        EXPECT_EQ(report.inertia.positive, (eigenvalues.array() > tolerance).count());
        EXPECT_EQ(report.inertia.negative, (eigenvalues.array() < -tolerance).count());
        EXPECT_EQ(report.inertia.zero, order - *rank);
      }
    }
  }
  EXPECT_GE(num_decided, static_cast<int>(num_seeds(40)));
}

}  // namespace
}  // namespace frond::stages
