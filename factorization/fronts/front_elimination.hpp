// SPDX-License-Identifier: BSD-3-Clause
// Eliminates a front as a whole.
#pragma once

#include <memory>

#include "factorization/fronts/assemble.hpp"
#include "factorization/kernels/front_kernel.hpp"

namespace frond {

/// The kernel of a method; `front` outlives it.
template <Scalar S>
[[nodiscard]] std::unique_ptr<FrontKernel<S>> make_kernel(Method method, const FrontFactor<S>& front,
                                                          PivotTolerances<RealOf<S>> tolerances);

/// Returns the number of columns per update of a contribution block: at most a block column, and few enough to keep jobs short.
[[nodiscard]] Index update_width(const PanelLayout& contribution);

/// Eliminates an assembled front on the calling thread and updates its contribution block; sets num_eliminated. `delays_nothing` is
/// true at a root. Returns the kernel's counts. Throws NotPositiveDefinite, and StoppedError between panels.
template <Scalar S>
[[nodiscard]] PivotCounts eliminate_whole_front(Method method, NumericFront<S>& front, PivotTolerances<RealOf<S>> tolerances,
                                                bool delays_nothing, Observer* observer = nullptr);

}  // namespace frond
