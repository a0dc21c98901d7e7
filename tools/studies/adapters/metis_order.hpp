// SPDX-License-Identifier: BSD-3-Clause
// Orders with METIS for solvers that take an ordering but were built without METIS.
#pragma once

#include <vector>

#include "frond/matrix.hpp"

namespace frond {

/// perm[new] = old: METIS_NodeND, with its defaults, on the pattern of A + A^T. Throws std::runtime_error.
[[nodiscard]] std::vector<Index> metis_order(const PatternView& pattern);

/// inverse[perm[k]] = k.
[[nodiscard]] std::vector<Index> inverse_of(const std::vector<Index>& perm);

/// True if every diagonal entry is stored and nonzero: only then an ordering of A + A^T says much about A.
template <Scalar S>
[[nodiscard]] bool has_full_diagonal(const SparseMatrix<S>& matrix);

}  // namespace frond
