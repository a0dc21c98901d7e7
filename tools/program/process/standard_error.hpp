// SPDX-License-Identifier: BSD-3-Clause
// Writes messages to a person who may no longer be there.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include "factorization/kernels/blas_threads.hpp"

namespace frond {

/// Writes to standard error what is meant for a person only. A closed terminal or a file that cannot be written must not end a run.
inline void tell_on_stderr(const std::string& text) { (void)std::fputs(text.c_str(), stderr); }

/// Lets the first of several processes warn if the environment slows OpenBLAS down.
inline void warn_of_blas(Rank rank) {
  if (const std::optional<std::string> warning = blas_warning(); warning && rank == 0) {
    tell_on_stderr("frond: warning: " + *warning + "\n");
  }
}

}  // namespace frond
