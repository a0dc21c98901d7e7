// SPDX-License-Identifier: BSD-3-Clause
// Costs that show only in a whole factorization: those of fronts whatever their size, and of the matrix's own entries.
#pragma once

#include "tools/program/calibration/effort.hpp"
#include "tools/program/calibration/machine_profile.hpp"

namespace frond {

/// Factorizes a model problem with small fronts, a Laplacian of nine points in two dimensions, and sets what is left of the profile
/// of its core: the rate of original entries is timed by itself, seconds_per_front is what of the factorization's time the other
/// rates do not explain.
template <Scalar S>
void measure_model(Method method, const CalibrationEffort& effort, CoreProfile& core);

}  // namespace frond
