// SPDX-License-Identifier: BSD-3-Clause
// The slave's part of the Cholesky factorization of a row-distributed front. The master eliminates a front of order p without
// contribution rows.
#pragma once

#include "factorization/kernels/row_panel.hpp"

namespace frond {

/// Applies one panel of the master to the slave's fully summed columns. The columns of the panel then are rows of L: for its own
/// contribution rows, and for those of the slaves below.
template <Scalar S>
void apply_panel(const CholeskyPanel<S>& panel, const SymmetricRowBlock<S>& rows);

/// Updates the columns of the slave's contribution rows that belong to the rows in `above`: those of a slave above, or its own. The
/// slave must have applied the panel; otherwise any order will do.
template <Scalar S>
void apply_rows(const RowsOfL<S>& above, const SymmetricRowBlock<S>& rows);

}  // namespace frond
