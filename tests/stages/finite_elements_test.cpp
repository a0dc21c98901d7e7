// SPDX-License-Identifier: BSD-3-Clause
// Tests solving systems assembled from finite elements, given on any ranks, or from blocks, against sums by plain loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "frond/dense.hpp"
#include "frond/factorization.hpp"
#include "frond/matrix.hpp"
#include "matrices/symmetry.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::stages {
namespace {

// n x n elements of four nodes each. Every element is diagonally dominant, and so is their sum.
template <Scalar S>
class SquareOfElements {
 public:
  SquareOfElements(Index n, Symmetry symmetry) : n_(n), symmetry_(symmetry) {}

  [[nodiscard]] Index num_elements() const { return n_ * n_; }
  [[nodiscard]] Index order() const { return (n_ + 1) * (n_ + 1); }
  [[nodiscard]] Triplets<S> nothing() const { return {.num_rows = order(), .num_cols = order(), .symmetry = symmetry_}; }

  void add_to(Triplets<S>& matrix, Index element) const {
    add_element(matrix, variables(element), values(element), element % 2 == 0);
  }

  // Returns all entries of the sum.
  [[nodiscard]] DenseMatrix<S> sum() const {
    DenseMatrix<S> result(order(), order());
    for (Index element = 0; element < num_elements(); ++element) {
      const std::array<Index, 4> nodes = variables(element);
      const std::vector<S> entries = values(element);
      for (std::size_t b = 0; b < 4; ++b) {
        for (std::size_t a = 0; a < 4; ++a) {
          result(nodes[a], nodes[b]) += entries[a + 4 * b];
        }
      }
    }
    return result;
  }

 private:
  [[nodiscard]] std::array<Index, 4> variables(Index element) const {
    const Index first = element % n_ + (n_ + 1) * (element / n_);
    return {first, first + 1, first + n_ + 2, first + n_ + 1};
  }

  // Fills both triangles, so that the solver may read either.
  [[nodiscard]] std::vector<S> values(Index element) const {
    std::vector<S> result(16);
    const auto size = static_cast<RealOf<S>>(1 + element % 3);
    for (int b = 0; b < 4; ++b) {
      for (int a = 0; a < 4; ++a) {
        S value = S(a == b ? 6 : -1);
        if (symmetry_ == Symmetry::general) {
          value -= S(static_cast<RealOf<S>>(a) / 4);
        }
        if constexpr (kIsComplex<S>) {
          const int part = symmetry_ == Symmetry::symmetric ? a + b : a - b;
          value += S(0, static_cast<RealOf<S>>(part) / 8);
        }
        result[static_cast<std::size_t>(a) + 4 * static_cast<std::size_t>(b)] = size * value;
      }
    }
    return result;
  }

  Index n_;
  Symmetry symmetry_;
};

template <class S>
class FiniteElements : public ::testing::Test {
 protected:
  static void expect_solves(const StagedFactorization<S>& factorization, const DenseMatrix<S>& dense) {
    const DenseMatrix<S> b = testing::random_dense<S>(dense.num_rows, 2, 3);
    DenseMatrix<S> x(dense.num_rows, 2);
    const SolveReport report = factorization.solve(b, x);
    EXPECT_EQ(report.verdict, Verdict::solved) << report.describe();
    EXPECT_LE(testing::dense_backward_error(dense, x, b), 10 * std::numeric_limits<RealOf<S>>::epsilon());
  }

  static std::vector<Symmetry> symmetries() {
    return kIsComplex<S> ? std::vector{Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}
                         : std::vector{Symmetry::general, Symmetry::symmetric};
  }
};
TYPED_TEST_SUITE(FiniteElements, test::Scalars);

TYPED_TEST(FiniteElements, AreSolvedOnceAssembled) {
  using S = TypeParam;
  for (const Symmetry symmetry : this->symmetries()) {
    SCOPED_TRACE(static_cast<int>(symmetry));
    const SquareOfElements<S> elements(12, symmetry);
    Triplets<S> mine = elements.nothing();
    for (Index element = rank(); element < elements.num_elements(); element += static_cast<Index>(team().size())) {
      elements.add_to(mine, element);
    }
    const StagedFactorization<S> factorization{Factorization<S>(mine, options_here({{}, Layout::grid}), place())};
    this->expect_solves(factorization, elements.sum());
  }
}

// A chain of blocks of order 3, each coupled with the next.
TYPED_TEST(FiniteElements, BlockRowsAreSolved) {
  using S = TypeParam;
  constexpr Index kBlock = 3;
  constexpr Index kNumBlocks = 20;
  for (const Symmetry symmetry : this->symmetries()) {
    SCOPED_TRACE(static_cast<int>(symmetry));
    std::vector<Count> offsets = {0};
    std::vector<Index> columns;
    std::vector<S> values;
    DenseMatrix<S> dense(kBlock * kNumBlocks, kBlock * kNumBlocks);
    const auto add = [&](Index row, Index col, S value) {
      values.push_back(value);
      dense(row, col) += value;
      if (symmetry != Symmetry::general && row / kBlock != col / kBlock) {
        dense(col, row) += symmetry == Symmetry::hermitian ? conjugate(value) : value;
      }
    };
    for (Index i = 0; i < kNumBlocks; ++i) {
      const Index last = symmetry == Symmetry::general ? std::min(i + 1, kNumBlocks - 1) : i;
      for (Index j = std::max(i - 1, Index{0}); j <= last; ++j) {
        columns.push_back(j);
        for (Index a = 0; a < kBlock; ++a) {  // blocks are given row by row
          for (Index b = 0; b < kBlock; ++b) {
            S value = S(i == j && a == b ? 20 : 1);
            if constexpr (kIsComplex<S>) {
              value += S(0, static_cast<RealOf<S>>(i != j ? a + 2 * b : symmetry == Symmetry::symmetric ? a * b : a - b) / 4);
            }
            add(kBlock * i + a, kBlock * j + b, value);
          }
        }
      }
      offsets.push_back(static_cast<Count>(columns.size()));
    }
    const SparseMatrix<S> matrix = from_block_rows<S>(kNumBlocks, kBlock, offsets, columns, values, symmetry);
    this->expect_solves(*factorize<S>(matrix, {}), dense);
  }
}

}  // namespace
}  // namespace frond::stages
