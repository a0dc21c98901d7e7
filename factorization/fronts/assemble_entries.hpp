// SPDX-License-Identifier: BSD-3-Clause
// Assembly of the entries of A.
#pragma once

#include "factorization/fronts/front_target.hpp"

namespace frond {

/// Adds the entries of A that become active at `node` to the rows that a part of its front holds.
template <Scalar S>
void assemble_entries(const Symbolic& symbolic, Method method, const ScaledValues<S>& matrix, NodeId node,
                      const FrontTarget<S>& target);

}  // namespace frond
