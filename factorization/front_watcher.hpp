// SPDX-License-Identifier: BSD-3-Clause
// Who looks at factors while they are computed.
#pragma once

#include "factorization/factors.hpp"

namespace frond {

/// Is told of every front when it has been eliminated, while all of its factor is there: by the worker that has done it, after the
/// front's children, of different fronts perhaps at the same time.
template <Scalar S>
class FrontWatcher {
 public:
  virtual ~FrontWatcher() = default;
  virtual void on_eliminated(NodeId node, const FrontFactor<S>& front) = 0;
};

}  // namespace frond
