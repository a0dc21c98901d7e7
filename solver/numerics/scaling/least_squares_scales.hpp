// SPDX-License-Identifier: BSD-3-Clause
// Finds scales that do not depend on how the matrix was scaled before.
#pragma once

#include "solver/numerics/scaling/log_scales.hpp"

namespace frond {

/// Scales that minimize the sum of the squared logarithms of the entries (Curtis & Reid 1972, "On the automatic scaling of matrices
/// for Gaussian elimination"): the geometric means of rows and columns are 1. Scaled entries are unique, whatever the starting
/// point. Conjugate gradients (for the columns of a general matrix, after the rows were eliminated), until another sweep would
/// change no scale by more than a twentieth of a factor 2, or `max_steps` are done. Scaled entries below the square root of the
/// rounding unit may be zeros spoilt by cancellation, and their logarithms would outweigh all others: the computation is repeated
/// without them, a few times. Returns the number of steps. O(entries) per step.
int scale_by_least_squares(const LogMatrix& matrix, int max_steps, LogScales& scales);

}  // namespace frond
