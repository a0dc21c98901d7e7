// SPDX-License-Identifier: BSD-3-Clause
// The names of the symmetries of a matrix.
#pragma once

#include "matrices/types.hpp"

namespace frond {

/// "general", "symmetric", "skew-symmetric" or "hermitian": the words of Matrix Market, and those of Frond's messages and reports.
[[nodiscard]] const char* to_string(Symmetry symmetry);

}  // namespace frond
