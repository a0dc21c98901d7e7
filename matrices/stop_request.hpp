// SPDX-License-Identifier: BSD-3-Clause
// What long calls do now and then.
#pragma once

#include "frond/error.hpp"
#include "frond/types.hpp"

namespace frond {

/// Throws StoppedError if that is what is wanted.
inline void stop_if(const StopRequest& requested) {
  if (requested && requested()) {
    throw StoppedError("stopped, as was asked for");
  }
}

}  // namespace frond
