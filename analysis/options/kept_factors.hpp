// SPDX-License-Identifier: BSD-3-Clause
// What of the factors a factorization leaves.
#pragma once

namespace frond {

/// Of a front that is eliminated, what stays once its contribution block is made. The rest is given back, so that memory for it is
/// that of the fronts under way. A Schur complement stays in any case.
enum class KeptFactors {
  all,
  backward,  ///< of LU the factor that the backward sweep for A x = b reads, about half; of the symmetric methods, whose L serves
             ///< both sweeps, all
  none       ///< pivots are counted and multiplied, and there is nothing to solve with
};

}  // namespace frond
