// SPDX-License-Identifier: BSD-3-Clause
// What every matrix that a reader returns must be, whatever the file was.
#pragma once

#include "frond/files.hpp"

namespace frond {

/// Aborts, which the fuzzer reports, when offsets, indices or values break the promises of SparseMatrix or are not finite.
void require_well_formed(const AnyMatrix& matrix);

}  // namespace frond
