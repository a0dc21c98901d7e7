// SPDX-License-Identifier: BSD-3-Clause
// Tests what an analysis passes on to the factorizations made with it.
#include "frond/analysis.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <memory>
#include <type_traits>
#include <vector>

#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/numerics/problem/analysed_matrix.hpp"
#include "solver/storage/saved/saved_system.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

using testing::Flavour;

static_assert(!std::is_constructible_v<Factorization<double>, Analysis, SparseMatrix<double>>, "a temporary would be gone");

template <class S>
struct Analysed {
  SparseMatrix<S> matrix;
  bool has_matched_rows;  ///< if a matching is requested
};

template <class S>
std::vector<Analysed<S>> some_matrices() {
  return {{testing::random_matrix<S>(90, 3, Symmetry::symmetric, Flavour::zero_diagonal, 1), false},
          {testing::random_matrix<S>(90, 3, Symmetry::general, Flavour::dominant, 3), false},
          {testing::random_matrix<S>(90, 3, Symmetry::skew_symmetric, Flavour::zero_diagonal, 2), true},
          {testing::random_matrix<S>(90, 3, Symmetry::general, Flavour::zero_diagonal, 4), true}};
}

template <class S>
class AnalysisOf : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(AnalysisOf, Scalars);

TYPED_TEST(AnalysisOf, HandsItsScalesToValuesThatTheyServe) {
  using S = TypeParam;
  for (auto [matrix, has_matched_rows] : some_matrices<S>()) {
    SolverOptions options;
    options.analysis.ordering.matching = Use::always;
    const Analysis analysis = analyze(matrix, options);
    const AnalysisParts& parts = analysis.parts();
    EXPECT_EQ(parts.scales.has_value(), !has_matched_rows);
    const auto scales_of = [](const AnalysisParts& those, const SparseMatrix<S>& values) {
      const AnalysedMatrix<S> analysed(*those.symbolic, values, those.method);
      const FoundScales scales = those.scales_of<S>(analysed.view());
      EXPECT_EQ(scales.are_kept(), !scales.found().empty() && values_hash<S>(analysed.view().values) != those.scales->values_hash);
      return scales.found();
    };
    EXPECT_EQ(scales_of(parts, matrix).empty(), has_matched_rows);
    SolverOptions given;
    given.row_scales = {1};
    EXPECT_TRUE(scales_of(analysis.with_options(given).parts(), matrix).empty());
    SolverOptions other_kind;
    other_kind.scaling = ScalingKind::equilibrate;
    EXPECT_EQ(scales_of(analysis.with_options(other_kind).parts(), matrix).empty(), has_matched_rows);
    SolverOptions with_checkpoint;
    with_checkpoint.checkpoint.directory = "somewhere";
    matrix.values[7] *= 2;
    EXPECT_EQ(scales_of(parts, matrix).empty(), has_matched_rows);
    EXPECT_TRUE(scales_of(analysis.with_options(with_checkpoint).parts(), matrix).empty());
    matrix.values[7] *= 1000;
    EXPECT_TRUE(scales_of(parts, matrix).empty());
  }
}

// Reusing or recomputing the scales must not change a bit, whichever kind of scaling is requested afterwards.
TYPED_TEST(AnalysisOf, ScalesAreThoseThatTheFactorizationFinds) {
  using S = TypeParam;
  for (const auto& [matrix, has_matched_rows] : some_matrices<S>()) {
    SCOPED_TRACE(has_matched_rows);
    for (const ScalingKind kind : {ScalingKind::automatic, ScalingKind::equilibrate, ScalingKind::matching, ScalingKind::none}) {
      SolverOptions options;
      options.scaling = kind;
      options.factorization.num_threads = 1;
      options.refinement.max_steps = 0;
      options.factorization.thin = Use::never;
      const Analysis known = analyze(matrix).with_options(options);
      AnalysisParts parts = known.parts();
      parts.scales.reset();
      const Factorization<S> with(known, matrix);
      const Factorization<S> without(Analysis(parts), matrix);
      EXPECT_EQ(with.report().scaling, without.report().scaling);
      EXPECT_EQ(with.report().equilibration_sweeps, without.report().equilibration_sweeps);
      const auto b = testing::random_dense<S>(matrix.num_rows, 1, 5);
      std::vector<S> x(b.values.size());
      std::vector<S> y(b.values.size());
      (void)with.solve(b.values, x);
      (void)without.solve(b.values, y);
      EXPECT_EQ(x, y);
    }
  }
}

// One thread scales before it orders; several do both at the same time.
TYPED_TEST(AnalysisOf, IsTheSameByAnyNumberOfThreads) {
  for (const auto& [matrix, has_matched_rows] : some_matrices<TypeParam>()) {
    SCOPED_TRACE(has_matched_rows);
    SolverOptions options;
    options.factorization.num_threads = 1;
    const Analysis one = analyze(matrix, options);
    options.factorization.num_threads = 2;
    const Analysis two = analyze(matrix, options);
    EXPECT_EQ(two.parts().symbolic->permutation().perm, one.parts().symbolic->permutation().perm);
    EXPECT_EQ(two.parts().symbolic->row_of_column(), one.parts().symbolic->row_of_column());
    EXPECT_EQ(two.parts().scales.has_value(), one.parts().scales.has_value());
  }
}

TEST(Analysis, WithScalesThatCannotBeIsRefusedByAnyNumberOfThreads) {
  const auto matrix = testing::random_matrix<double>(100, 4, Symmetry::general, testing::Flavour::graded, 3);
  SolverOptions options;
  options.scaling = ScalingKind::given;
  options.row_scales = {1, 2};
  options.col_scales = {1, 2};
  for (const int num_threads : {1, 2}) {
    options.factorization.num_threads = num_threads;
    EXPECT_THROW(static_cast<void>(analyze(matrix, options)), UsageError);
  }
}

TEST(Analysis, CarriesTheOptions) {
  const auto matrix = testing::laplacian<double>(8);
  SolverOptions options;
  options.method = Method::ldlt;
  options.error_bounds = ErrorBounds::all_columns;
  options.analysis.block_triangular = Use::never;
  const Analysis analysis = analyze(matrix, options);
  EXPECT_EQ(analysis.method(), Method::ldlt);
  EXPECT_EQ(Factorization<double>(analysis, matrix).report().method, Method::ldlt);
  const Analysis other = analysis.with_options({});
  EXPECT_EQ(other.options().error_bounds, ErrorBounds::never);
  EXPECT_EQ(other.options().analysis.block_triangular, Use::never) << "of what was analysed";
  const Factorization<double> factorization(other, matrix);
  EXPECT_EQ(factorization.report().method, Method::cholesky) << "chosen for the values, since none is asked for";
  EXPECT_EQ(factorization.analysis().method(), Method::cholesky);
  EXPECT_EQ(factorization.analysis().parts().symbolic, analysis.parts().symbolic);
}

}  // namespace
}  // namespace frond
