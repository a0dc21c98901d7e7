// SPDX-License-Identifier: BSD-3-Clause
// Programs that stand beside frond.
#pragma once

#include <string>

namespace frond {

/// Its path: where the build puts it, or where it is installed. Throws UsageError, with `remedy`, where it is in neither place.
[[nodiscard]] std::string program_beside(const std::string& name, const std::string& remedy);

}  // namespace frond
