// SPDX-License-Identifier: BSD-3-Clause
// The options of a solver by the names that they have on the command line: for interfaces of other languages, and files.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <frond/options.hpp>
#include <frond/types.hpp>

namespace frond {

/// What has to be done again for a change to count: solves look at theirs each time, see Factorization::set_solve_options().
enum class RepeatedPhase { none, factorization, analysis };

/// What an option is called and may be. The texts are constants.
struct NamedOption {
  std::string_view name;                                 ///< without dashes: "pivot-threshold"
  std::string_view values;                               ///< "automatic|never|always", or a range such as "0 to 1"
  std::string_view meaning;                              ///< a phrase in the imperative
  RepeatedPhase repeats = RepeatedPhase::factorization;  ///< what a change costs
  std::string_view group = {};                           ///< a heading of help texts; empty: none
  std::string_view placeholder = {};                     ///< stands for the value in help texts: "SIZE"
};

/// All that set_option() knows, in the order of the help.
[[nodiscard]] FROND_API std::span<const NamedOption> named_options();

/// The one of this name. Throws UsageError, which suggests the nearest name, if there is none.
[[nodiscard]] FROND_API const NamedOption& named_option(std::string_view name);

/// options.analysis.ordering.matching = MatchingUse::always by set_option(options, "matching", "always"). Throws UsageError for a
/// name that does not exist and for what the option cannot be, with what it can be; then the options are as they were.
FROND_API void set_option(SolverOptions& options, std::string_view name, std::string_view value);

/// What set_option() would set it to again. Throws UsageError.
[[nodiscard]] FROND_API std::string option_value(const SolverOptions& options, std::string_view name);

}  // namespace frond
