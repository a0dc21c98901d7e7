// SPDX-License-Identifier: BSD-3-Clause
// RankFronts: fronts that were finished before, out of the store.
#include <complex>
#include <mutex>
#include <utility>

#include "factorization/distributed/rank_fronts.hpp"

namespace frond {

template <Scalar S>
PivotCounts RankFronts<S>::restore(NodeId node) {
  place(node, FrontShape::whole);
  return context_.store->read_factor(node, front(node).factor);
}

template PivotCounts RankFronts<float>::restore(NodeId);
template PivotCounts RankFronts<double>::restore(NodeId);
template PivotCounts RankFronts<std::complex<float>>::restore(NodeId);
template PivotCounts RankFronts<std::complex<double>>::restore(NodeId);

}  // namespace frond
