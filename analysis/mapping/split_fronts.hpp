// SPDX-License-Identifier: BSD-3-Clause
// Cuts fronts with very large fully summed blocks into chains, so that masters do not hold up their slaves (Amestoy, Duff,
// L'Excellent, Koster 2001, "A fully asynchronous multifrontal solver using distributed dynamic scheduling", SIAM J. Matrix Anal.
// Appl. 23).
#pragma once

#include "analysis/tree/assembly_tree.hpp"
#include "frond/analysis_options.hpp"

namespace frond {

/// Returns the tree with chains in place of fronts where that pays off; the same tree for one rank. Variables keep their numbers
/// and columns of the factors their entries: a piece of a front eliminates the next of its fully summed variables, and passes the
/// rest on in its contribution block.
///
///   fully summed {4, 5, 6, 7}, cb_rows {9, 12}   =>   {4, 5 | 6, 7, 9, 12}  below  {6, 7 | 9, 12}
///
/// While the slaves of a front of type 2 work, its master eliminates the fully summed rows: with p of them out of m it has about
/// p^2 (m - p) + 2/3 p^3 flops to do (LU) and S slaves about 2 p m (m - p) / S each. So a front whose master has more than
/// `max_master_ratio` times the work of a slave is cut, from the bottom up, into pieces as large as that ratio allows; S is the
/// node's proportional share of the ranks without the master, as far as the rows suffice. A rest that is too small for slaves stays
/// as the top. A root, which has no rows for slaves at all, thereby becomes a chain with a type 1 top, unless it goes to a grid.
/// Passing on contribution blocks costs time too: the chain is taken only if it is predicted to be faster than the front.
[[nodiscard]] AssemblyTree split_large_fronts(AssemblyTree tree, Method method, const MappingOptions& options);

}  // namespace frond
