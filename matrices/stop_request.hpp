// SPDX-License-Identifier: BSD-3-Clause
// The check that long calls make regularly.
#pragma once

#include "frond/error.hpp"
#include "frond/observer.hpp"

namespace frond {

/// Throws StoppedError if the observer, which may be null, requests a stop.
inline void stop_if(Observer* observer) {
  if (observer != nullptr && observer->stop_requested()) {
    throw StoppedError("stopped, as was asked for");
  }
}

}  // namespace frond
