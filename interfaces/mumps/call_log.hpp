// SPDX-License-Identifier: BSD-3-Clause
// Notes calls for `frond run-with`, in the file that FROND_MUMPS_LOG names.
#pragma once

#include <limits>

#include "frond/types.hpp"

namespace frond::mumps {

inline constexpr const char* kLogVariable = "FROND_MUMPS_LOG";

/// One call.
struct CallNote {
  char kind = 'd';  ///< the first letter of its function
  int job = 0;
  Index order = 0;
  Count num_entries = 0;
  double seconds = 0;
  int info = 0;                                                      ///< INFO(1)
  double flops = 0;                                                  ///< of its factorization; 0: there was none
  double backward_error = std::numeric_limits<double>::quiet_NaN();  ///< improvable, of the worst solution; NaN: not measured
};

[[nodiscard]] bool is_logging();

/// Appends a line: the members in their order, with spaces between. Does nothing unless is_logging(), or where that fails: the
/// client's run goes on.
void log_call(const CallNote& note) noexcept;

}  // namespace frond::mumps
