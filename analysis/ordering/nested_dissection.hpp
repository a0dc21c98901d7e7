// SPDX-License-Identifier: BSD-3-Clause
// Nested dissection (George 1973, "Nested dissection of a regular finite element mesh", SIAM J. Numer. Anal. 10) with multilevel
// separators, on several threads.
#pragma once

#include <stop_token>
#include <vector>

#include "analysis/graph/graph.hpp"
#include "analysis/ordering/spare_threads.hpp"
#include "frond/observer.hpp"
#include "frond/types.hpp"

namespace frond {

/// perm[new] = old vertex. Dense vertices (see dense_degree) come last, by increasing degree, and those without other neighbours
/// first. The order is the same for any number of threads, and calls may run at the same time: every random choice depends on the
/// place of a subproblem in the recursion. Throws std::bad_alloc, and StoppedError.
[[nodiscard]] std::vector<Index> nested_dissection(const Graph& graph, int num_threads, Observer* observer = nullptr);

/// The same on this thread and the spare ones, now or later. It ends soon after a stop is requested, and then its result is
/// meaningless.
[[nodiscard]] std::vector<Index> nested_dissection(const Graph& graph, SpareThreads& spare, std::stop_token stop,
                                                   Observer* observer = nullptr);

}  // namespace frond
