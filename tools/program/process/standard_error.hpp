// SPDX-License-Identifier: BSD-3-Clause
// Words to a person who may have gone.
#pragma once

#include <cstdio>
#include <string>

namespace frond {

/// Writes to standard error what is for a person alone. A terminal that was closed or a file that cannot be written to is no reason
/// to end a run.
inline void tell_on_stderr(const std::string& text) { (void)std::fputs(text.c_str(), stderr); }

}  // namespace frond
