// SPDX-License-Identifier: BSD-3-Clause
// Finds null vectors that no pivot shows.
#pragma once

#include <array>
#include <span>

#include "frond/dense.hpp"
#include "frond/types.hpp"
#include "solver/numerics/verdict/null_vectors.hpp"
#include "solver/numerics/verdict/scaled_system.hpp"

namespace frond {

/// A few variables. Trivially copyable, so that they can be sent.
struct FewVariables {
  static constexpr std::size_t kMost = 64;

  std::size_t count = 0;
  std::array<Index, kMost> numbers = {};  ///< zeros after the first `count`

  [[nodiscard]] std::span<const Index> view() const { return std::span(numbers).first(count); }
  void add(Index variable) { numbers[count++] = variable; }

  friend bool operator==(const FewVariables&, const FewVariables&) = default;
};

/// The result of a search for hidden null vectors.
struct HiddenVectors {
  NullVectorTest test;
  FewVariables anchors;  ///< of the proved vectors: each is 1 at one of them, and 0 at the others
};

/// Looks for vectors along which A is nearest to singular although their pivots did not vanish: small pivots in place of zeros hide
/// in each other's noise. Simultaneous inverse iteration (Bauer 1957, with Gaussian elimination for orthogonalization) finds the
/// space that the factors amplify most; complete pivoting shows how many of its directions stand out from the others by the widest
/// gap, and reduces these to the identity on as many anchors, the form in which refine_reduced() tests them. If some do not pass,
/// fewer are tried, and if all of a block stand out, a wider block, with no more vectors than fit into `most_bytes`.
template <Scalar S>
[[nodiscard]] HiddenVectors find_hidden_vectors(const ScaledSystem<S>& system, Count most_bytes, int num_threads);

}  // namespace frond
