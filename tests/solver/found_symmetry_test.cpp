// SPDX-License-Identifier: BSD-3-Clause
// Tests general matrices with symmetric values, whose symmetry appears and disappears, and explicit zeros.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <filesystem>
#include <limits>
#include <memory>
#include <vector>

#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/solve.hpp"
#include "tests/support/matrices/expect_solves.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

using ::testing::Contains;
using testing::Flavour;
using ::testing::HasSubstr;
using ::testing::Not;

template <class S>
class FoundSymmetry : public ::testing::Test {
 protected:
  static constexpr Index kOrder = 40;

  static SparseMatrix<S> triangle(Symmetry symmetry, Flavour flavour = Flavour::dominant) {
    return testing::random_matrix<S>(kOrder, 4, symmetry, flavour, 3);
  }
  static SparseMatrix<S> whole(Symmetry symmetry, Flavour flavour = Flavour::dominant) {
    return expand_to_general(triangle(symmetry, flavour).view());
  }
  static SparseMatrix<S> spoilt(SparseMatrix<S> matrix) {
    matrix.values[1] += S(1);
    return matrix;
  }
  static SolverOptions as_stored() {
    SolverOptions options;
    options.detect_symmetry = false;
    return options;
  }
};
using DoubleScalars = ::testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(FoundSymmetry, DoubleScalars);

constexpr const char* kAnalysedAgain = "was analysed again";

TYPED_TEST(FoundSymmetry, GeneralMatricesAreWhatTheirValuesSay) {
  using S = TypeParam;
  const auto symmetric = this->whole(Symmetry::symmetric, Flavour::zero_diagonal);
  const Factorization<S> found(analyze(symmetric), symmetric);
  EXPECT_EQ(found.report().method, Method::ldlt);
  testing::expect_solves(found, symmetric);
  const auto hermitian = this->whole(Symmetry::hermitian, Flavour::zero_diagonal);
  EXPECT_EQ(Factorization<S>(analyze(hermitian), hermitian).report().method, kIsComplex<S> ? Method::ldlh : Method::ldlt);
  const auto skew = this->whole(Symmetry::skew_symmetric, Flavour::zero_diagonal);
  testing::expect_solves(Factorization<S>(analyze(skew), skew), skew);
  const Factorization<S> general(analyze(symmetric, this->as_stored()), symmetric);
  EXPECT_EQ(general.report().method, Method::lu);
  testing::expect_solves(general, symmetric);
}

TYPED_TEST(FoundSymmetry, ScalesOfRowsAndColumnsKeepAMatrixGeneral) {
  const auto matrix = this->whole(Symmetry::symmetric);
  const std::vector<double> ones(this->kOrder, 1);
  SolverOptions options;
  options.scaling = ScalingKind::given;
  options.row_scales = ones;
  options.col_scales = std::vector<double>(this->kOrder, 2);
  EXPECT_EQ(analyze(matrix, options).method(), Method::lu);
  options.col_scales = ones;
  EXPECT_NE(analyze(matrix, options).method(), Method::lu);
}

TYPED_TEST(FoundSymmetry, ValuesThatLoseOrGainTheSymmetryAreAnalysedAgain) {
  using S = TypeParam;
  const auto symmetric = this->whole(Symmetry::symmetric);
  const auto general = this->spoilt(symmetric);
  const Factorization<S> lost(analyze(symmetric), general);
  EXPECT_EQ(lost.report().method, Method::lu);
  EXPECT_THAT(lost.report().notes, Contains(HasSubstr(kAnalysedAgain)));
  testing::expect_solves(lost, general);
  const Factorization<S> again(lost.analysis(), general);
  EXPECT_THAT(again.report().notes, Not(Contains(HasSubstr(kAnalysedAgain))));
  const Factorization<S> gained(analyze(general), symmetric);
  EXPECT_NE(gained.report().method, Method::lu);
  EXPECT_THAT(gained.report().notes, Contains(HasSubstr(kAnalysedAgain)));
  testing::expect_solves(gained, symmetric);
  const auto half = this->triangle(Symmetry::symmetric);
  EXPECT_THROW(Factorization<S>(analyze(symmetric, this->as_stored()), half), UsageError);
}

TYPED_TEST(FoundSymmetry, TripletsAreLookedAtToo) {
  using S = TypeParam;
  const auto matrix = this->whole(Symmetry::symmetric);
  Triplets<S> entries{.num_rows = matrix.num_rows, .num_cols = matrix.num_cols};
  testing::for_each_entry(matrix, [&](Index i, Index j, S value) { entries.add(i, j, value); });
  const Factorization<S> factorization(analyze(matrix), entries);
  EXPECT_THAT(factorization.report().notes, Not(Contains(HasSubstr(kAnalysedAgain))));
  testing::expect_solves(factorization, matrix);
}

// Saved factors and checkpoints fit whichever symmetry option they were made with.
TYPED_TEST(FoundSymmetry, WhatWasSavedFitsWithAnyOption) {
  using S = TypeParam;
  const auto matrix = this->whole(Symmetry::symmetric);
  const testing::ScratchFolder folder;
  for (const SolverOptions& first : {SolverOptions(), this->as_stored()}) {
    for (const SolverOptions& second : {SolverOptions(), this->as_stored()}) {
      const Factorization<S> factorization(analyze(matrix, first), matrix);
      const std::vector<std::byte> bytes = factorization.save_to_memory();
      const auto loaded = Factorization<S>::load_from_memory(bytes, matrix, second);
      EXPECT_EQ(loaded.report().method, factorization.report().method);
      testing::expect_solves(loaded, matrix);
      SolverOptions begun = first;
      begun.checkpoint.directory = folder.path("checkpoint");
      std::filesystem::remove_all(begun.checkpoint.directory);
      (void)Factorization<S>(analyze(matrix, begun), matrix);
      SolverOptions resumed = second;
      resumed.checkpoint.directory = begun.checkpoint.directory;
      const auto goes_on = Factorization<S>::resume(matrix, resumed);
      EXPECT_EQ(goes_on.report().method, factorization.report().method);
      testing::expect_solves(goes_on, matrix);
    }
  }
  const auto saved = Factorization<S>(analyze(matrix), matrix).save_to_memory();
  const auto other = this->spoilt(matrix);
  EXPECT_THROW((void)Factorization<S>::load_from_memory(saved, other), UsageError);
}

TYPED_TEST(FoundSymmetry, ASymmetryThatRoundingHasSpoiltIsNoted) {
  using S = TypeParam;
  auto matrix = this->whole(Symmetry::symmetric);
  matrix.values[1] *= S(1 + 4 * std::numeric_limits<double>::epsilon());
  const Factorization<S> factorization(analyze(matrix), matrix);
  EXPECT_EQ(factorization.report().method, Method::lu);
  EXPECT_THAT(factorization.report().notes, Contains(HasSubstr("symmetric but for rounding")));
  matrix.values[1] *= S(1.001);
  EXPECT_THAT(Factorization<S>(analyze(matrix), matrix).report().notes, Not(Contains(HasSubstr("rounding"))));
}

// A diagonal matrix with some explicit zeros next to the diagonal.
TYPED_TEST(FoundSymmetry, ZerosStayWhereOtherValuesMayComeAndGoWhereNot) {
  using S = TypeParam;
  const auto matrix =
      compress(Triplets<S>{3, 3, Symmetry::general, {0, 1, 1, 2, 2}, {0, 0, 1, 1, 2}, {S(4), S(0), S(16), S(0), S(64)}});
  const Factorization<S> kept(analyze(matrix), matrix);
  EXPECT_THAT(kept.report().notes, Contains(HasSubstr("are alike with them: 2 of 5")));
  auto other = matrix;
  other.values[1] = S(1);
  const Factorization<S> with_other(analyze(matrix, this->as_stored()), other);
  DenseMatrix<S> x(3, 1);
  const std::vector<S> b = {S(4), S(17), S(64)};
  (void)with_other.solve({b.data(), 3, 1, 3}, view_of(x));
  EXPECT_THAT(x.values, ::testing::ElementsAre(S(1), S(1), S(1)));
  const auto [once, report] = frond::solve(matrix, b);
  EXPECT_THAT(once, ::testing::ElementsAre(S(1), S(1.0625), S(1)));
  EXPECT_THAT(report.notes, Contains("explicit zeros of the matrix that were left out: 2"));
}

// An analysis without the zeros serves the matrix that stores them, but not one with a nonzero there.
TYPED_TEST(FoundSymmetry, AnEntryThatWasNotAnalysedIsNeverLost) {
  using S = TypeParam;
  const auto diagonal = compress(Triplets<S>{2, 2, Symmetry::symmetric, {0, 1}, {0, 1}, {S(4), S(16)}});
  auto zero = compress(Triplets<S>{2, 2, Symmetry::symmetric, {0, 1, 1}, {0, 0, 1}, {S(4), S(0), S(16)}});
  const auto saved = Factorization<S>(analyze(diagonal), diagonal).save_to_memory();
  const auto loaded = Factorization<S>::load_from_memory(saved, zero);
  std::vector<S> x(2);
  (void)loaded.solve(std::vector<S>{S(4), S(16)}, x);
  EXPECT_THAT(x, ::testing::ElementsAre(S(1), S(1)));
  zero.values[1] = S(1);
  EXPECT_THROW(Factorization<S>(analyze(diagonal), zero), UsageError);
  EXPECT_THROW((void)Factorization<S>::load_from_memory(saved, zero), UsageError);
}

}  // namespace
}  // namespace frond
