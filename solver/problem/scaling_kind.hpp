// SPDX-License-Identifier: BSD-3-Clause
// How rows and columns are scaled before a factorization.
#pragma once

#include <string>

namespace frond {

enum class ScalingKind {
  automatic,    ///< chosen by the matrix, see find_scaling()
  none,         ///< as it is
  equilibrate,  ///< the largest magnitude of each row and column near 1 (Ruiz 2001)
  matching      ///< that of the matching with the largest product: its entries near 1, none much larger (Duff & Koster 2001; for
                ///< symmetric matrices Duff & Pralet 2005)
};

[[nodiscard]] std::string to_string(ScalingKind kind);

}  // namespace frond
