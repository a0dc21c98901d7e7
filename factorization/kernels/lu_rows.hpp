// SPDX-License-Identifier: BSD-3-Clause
// The slave's part of LU of a row-distributed front.
#pragma once

#include "factorization/kernels/row_panel.hpp"

namespace frond {

/// Applies one panel of the master: the exchanges of columns of A, the solve for the slave's rows of N^T, and the update of its
/// fully summed columns behind the panel and of its part of the contribution block. After the last panel the columns of
/// `rows.upper` behind the eliminated ones are the slave's delayed part, in the master's order of variables.
template <Scalar S>
void apply_panel(const LuPanel<S>& panel, const LuRowBlock<S>& rows);

}  // namespace frond
