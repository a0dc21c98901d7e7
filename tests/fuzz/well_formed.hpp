// SPDX-License-Identifier: BSD-3-Clause
// Checks the properties that every matrix returned by a reader must have, whatever the file was.
#pragma once

#include "frond/files.hpp"

namespace frond {

/// Aborts, which the fuzzer reports, when offsets, indices or values break the promises of SparseMatrix or are not finite.
void require_well_formed(const AnyMatrix& matrix);

}  // namespace frond
