// SPDX-License-Identifier: BSD-3-Clause
// Sets and reads solver options by name: for the command line, interfaces of other languages, and files.
#pragma once

#include <string>
#include <string_view>

#include <frond/options.hpp>

namespace frond {

/// set_option(options, "matching", "always") sets options.analysis.ordering.matching = Use::always. Throws UsageError for
/// an unknown name, and for an invalid value with the allowed ones; the options are then unchanged.
FROND_API void set_option(SolverOptions& options, std::string_view name, std::string_view value);

/// Returns the current value in the form that set_option() accepts. Throws UsageError.
[[nodiscard]] FROND_API std::string option_value(const SolverOptions& options, std::string_view name);

}  // namespace frond
