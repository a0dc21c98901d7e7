// SPDX-License-Identifier: BSD-3-Clause
// Predicts which pivots of a symmetric matrix with a weak diagonal will be delayed, and what that costs.
#pragma once

#include <vector>

#include "analysis/ordering/ordering.hpp"
#include "analysis/tree/amalgamate.hpp"

namespace frond {

/// Returns [front] = number of variables that the front delays to its parent.
///
/// A variable with a weak diagonal entry can be eliminated once an off-diagonal entry pairs it with another variable that is
/// eliminated before or is in the same front: with one of a strong diagonal, whose elimination fills the weak entry, or with a weak
/// one as a 2 by 2 pivot. The submatrix of the variables that a subtree eliminates is not singular, so one variable can help only
/// one other. Partners are taken as they come, from the leaves to the roots, and kept: other choices might delay fewer pivots, down
/// to the number by which the structural rank of the matrix between the subtree's variables is short of their number. Pivoting by
/// magnitude finds these rarely: on saddle point problems of optimization the prediction comes to 0.95 to 1.4 times what is
/// delayed, where the bound by the rank can be near zero. `graph` is that of the variables; is_weak[variable] says whether its
/// diagonal entry is weak. O(edges log degree + delays).
[[nodiscard]] std::vector<Index> predict_delays(const Graph& graph, const OrderedGraph& ordered, const SupernodeTree& supernodes,
                                                const FrontTree& fronts, const std::vector<bool>& is_weak);

/// Returns the flops of eliminating the fronts, including the variables that they delay to their parents.
[[nodiscard]] double flops_with_delays(const FrontTree& fronts, const std::vector<Index>& delays, Method method);

}  // namespace frond
