// SPDX-License-Identifier: BSD-3-Clause
// Cholesky of a row-distributed front: the part of a slave. The master eliminates a front of order p without contribution rows.
#pragma once

#include "factorization/kernels/row_panel.hpp"

namespace frond {

/// Applies one panel of the master to the slave's fully summed columns. Then those of the panel are rows of L: for its own
/// contribution rows, and for those of the slaves below.
template <Scalar S>
void apply_panel(const CholeskyPanel<S>& panel, const SymmetricRowBlock<S>& rows);

/// Updates the columns of the slave's contribution rows that belong to the rows in `above`: those of a slave above, or its own. The
/// slave has applied the panel; apart from that the order is free.
template <Scalar S>
void apply_rows(const RowsOfL<S>& above, const SymmetricRowBlock<S>& rows);

}  // namespace frond
