// SPDX-License-Identifier: BSD-3-Clause
// Writes messages to a person who may no longer be there.
#pragma once

#include <cstdio>
#include <string>

namespace frond {

/// Writes to standard error what is meant for a person only. A closed terminal or a file that cannot be written must not end a run.
inline void tell_on_stderr(const std::string& text) { (void)std::fputs(text.c_str(), stderr); }

}  // namespace frond
