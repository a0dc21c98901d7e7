// SPDX-License-Identifier: BSD-3-Clause
// Measures costs that show only in a whole factorization: the fixed cost of a front, and assembling the matrix's own entries.
#pragma once

#include "tools/program/calibration/effort.hpp"
#include "tools/program/calibration/machine_profile.hpp"

namespace frond {

/// Factorizes a model problem with small fronts, a nine-point Laplacian in two dimensions, and sets the rest of its core's profile:
/// the rate of original entries is timed separately, seconds_per_front is the part of the factorization's time that the other rates
/// do not explain.
template <Scalar S>
void measure_model(Method method, const CalibrationEffort& effort, CoreProfile& core);

}  // namespace frond
