// SPDX-License-Identifier: BSD-3-Clause
// Permutations of variables, kept with their inverse.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "frond/types.hpp"

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

/// True if the permutation is made by an odd number of exchanges.
[[nodiscard]] inline bool is_odd(std::span<const Index> perm) {
  std::vector<bool> seen(perm.size(), false);
  std::size_t num_exchanges = 0;
  for (std::size_t start = 0; start < perm.size(); ++start) {
    std::size_t length = 0;  // of the cycle, if it is a new one
    for (std::size_t k = start; !seen[k]; k = static_cast<std::size_t>(perm[k])) {
      seen[k] = true;
      ++length;
    }
    num_exchanges += length == 0 ? 0 : length - 1;
  }
  return num_exchanges % 2 != 0;
}

/// The permutation perm[new] = old with its inverse.
[[nodiscard]] inline Permutation make_permutation(std::vector<Index> perm) {
  std::vector<Index> inverse = invert(perm);
  return {std::move(perm), std::move(inverse)};
}

/// Returns by_new[k] = by_old[perm[k]]; empty if `by_old` is.
template <class T>
[[nodiscard]] std::vector<T> permuted(std::span<const T> by_old, std::span<const Index> perm) {
  std::vector<T> by_new;
  if (!by_old.empty()) {
    by_new.reserve(perm.size());
    for (const Index old : perm) by_new.push_back(by_old[old]);
  }
  return by_new;
}

}  // namespace frond
