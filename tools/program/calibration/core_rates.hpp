// SPDX-License-Identifier: BSD-3-Clause
// Measures what a core does with fronts and parts of them, on the calling thread.
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

/// Lets a master and its slaves eliminate sample fronts in turn, on the calling thread, with the messages between them.
template <Scalar S>
[[nodiscard]] PartRates measure_parts(Method method, const CalibrationEffort& effort);

/// Factorizes a model problem with small fronts, a nine-point Laplacian in two dimensions, and sets the rest of its core's profile:
/// the rate of original entries is timed separately, seconds_per_front is the part of the factorization's time that the other rates
/// do not explain.
template <Scalar S>
void measure_model(Method method, const CalibrationEffort& effort, CoreProfile& core);

}  // namespace frond
