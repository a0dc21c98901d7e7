// SPDX-License-Identifier: BSD-3-Clause
// Permutations of variables, kept with their inverse.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "matrices/types.hpp"

namespace frond {

/// A permutation of 0..n-1 and its inverse: perm[new] = old, inverse_perm[old] = new.
struct Permutation {
  std::vector<Index> perm;
  std::vector<Index> inverse_perm;
};

/// inverse[perm[k]] = k.
[[nodiscard]] inline std::vector<Index> invert(std::span<const Index> perm) {
  std::vector<Index> inverse(perm.size());
  for (Index k = 0; k < static_cast<Index>(perm.size()); ++k) inverse[perm[k]] = k;
  return inverse;
}

/// The permutation perm[new] = old with its inverse.
[[nodiscard]] inline Permutation make_permutation(std::vector<Index> perm) {
  std::vector<Index> inverse = invert(perm);
  return {std::move(perm), std::move(inverse)};
}

}  // namespace frond
