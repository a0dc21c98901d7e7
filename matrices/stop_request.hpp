// SPDX-License-Identifier: BSD-3-Clause
// The check that long calls make regularly.
#pragma once

#include "frond/error.hpp"
#include "frond/types.hpp"

namespace frond {

/// Throws StoppedError if a stop is requested.
inline void stop_if(const StopRequest& requested) {
  if (requested && requested()) {
    throw StoppedError("stopped, as was asked for");
  }
}

}  // namespace frond
