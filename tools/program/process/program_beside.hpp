// SPDX-License-Identifier: BSD-3-Clause
// Finds programs installed next to frond.
#pragma once

#include <string>

namespace frond {

/// Returns its path: in the build folder or where it is installed. Throws UsageError, with `remedy`, if it is in neither place.
[[nodiscard]] std::string program_beside(const std::string& name, const std::string& remedy);

}  // namespace frond
