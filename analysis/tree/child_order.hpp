// SPDX-License-Identifier: BSD-3-Clause
// The order of siblings that keeps the peak of active memory lowest (Liu 1986, "On the storage requirement in the out-of-core
// multifrontal method for sparse factorization", ACM TOMS 12).
#pragma once

#include "analysis/graph/forest.hpp"
#include "analysis/tree/amalgamate.hpp"

namespace frond {

/// The forest of fronts with siblings in Liu's order: peak of the subtree minus contribution block, decreasing. The peak of a
/// subtree counts the entries of contribution blocks that are alive at once; a front's own one is created while those of all its
/// children are alive. Fully summed rows and columns belong to the factors and are not counted.
[[nodiscard]] Forest liu_order(const FrontTree& fronts, bool symmetric);

}  // namespace frond
