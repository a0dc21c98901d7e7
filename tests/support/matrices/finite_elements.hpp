// SPDX-License-Identifier: BSD-3-Clause
// Generates finite elements on a square, and sums them by plain loops.
#pragma once

#include <array>
#include <vector>

#include "frond/dense.hpp"
#include "frond/matrix.hpp"
#include "matrices/symmetry.hpp"

namespace frond::testing {

/// n x n elements of four nodes each. Every element is diagonally dominant, and so is their sum.
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

  /// All entries of the sum.
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

}  // namespace frond::testing
