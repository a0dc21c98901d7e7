// SPDX-License-Identifier: BSD-3-Clause
// Names the solves with factors that leave a Schur complement.
#pragma once

namespace frond {

/// What to solve with the factors. Right-hand sides and solutions have the rows of A.
enum class SchurUse {
  condense,  ///< X, in the rows of the Schur complement, becomes b2 - A21 A11^-1 b1
  expand,    ///< X = (b1, x2) becomes (A11^-1 (b1 - A12 x2), x2)
  solve      ///< X = (b1, b2) becomes the solution of the whole system
};

}  // namespace frond
