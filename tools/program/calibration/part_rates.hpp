// SPDX-License-Identifier: BSD-3-Clause
// Measures the parts of row-distributed fronts: those of their masters and of their slaves.
#pragma once

#include "tools/program/calibration/effort.hpp"
#include "tools/program/calibration/machine_profile.hpp"

namespace frond {

/// Lets a master and its slaves eliminate sample fronts in turn, on the calling thread, with the messages between them.
template <Scalar S>
[[nodiscard]] PartRates measure_parts(Method method, const CalibrationEffort& effort);

}  // namespace frond
