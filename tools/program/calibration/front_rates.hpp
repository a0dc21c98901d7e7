// SPDX-License-Identifier: BSD-3-Clause
// Measures the kernels that eliminate and assemble fronts, on the calling thread.
#pragma once

#include "tools/program/calibration/effort.hpp"
#include "tools/program/calibration/machine_profile.hpp"

namespace frond {

/// Flops per second of elimination, by order.
template <Scalar S>
[[nodiscard]] EliminationRates measure_elimination(Method method, const CalibrationEffort& effort);

/// Returns entries per second, by order of the front, when it is assembled from the contribution blocks of two children.
template <Scalar S>
[[nodiscard]] RateTable measure_assembly(Method method, const CalibrationEffort& effort);

}  // namespace frond
