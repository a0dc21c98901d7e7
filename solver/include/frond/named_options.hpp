// SPDX-License-Identifier: BSD-3-Clause
// Sets and reads solver options by name: for the command line, interfaces of other languages, and files.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <frond/options.hpp>
#include <frond/types.hpp>

namespace frond {

/// What has to be repeated for a change to take effect. Solves read their options each time, see
/// Factorization::set_solve_options().
enum class RepeatedPhase { none, factorization, analysis };

/// The name, allowed values and meaning of an option. The texts are constants.
struct NamedOption {
  std::string_view name;                                 ///< without dashes: "pivot-threshold"
  std::string_view values;                               ///< "automatic|never|always", or a range such as "0 to 1"
  std::string_view meaning;                              ///< a phrase in the imperative
  RepeatedPhase repeats = RepeatedPhase::factorization;  ///< what a change costs
  std::string_view group = {};                           ///< a heading of help texts; empty: none
  std::string_view placeholder = {};                     ///< stands for the value in help texts: "SIZE"
  bool is_expert = false;                                ///< seldom changed: the program frond has no option for it but --set
};

/// All options that set_option() accepts, in the order of the help.
[[nodiscard]] FROND_API std::span<const NamedOption> named_options();

/// Returns the option of this name. Throws UsageError, which suggests the nearest name, if there is none.
[[nodiscard]] FROND_API const NamedOption& named_option(std::string_view name);

/// set_option(options, "matching", "always") sets options.analysis.ordering.matching = Use::always. Throws UsageError for
/// an unknown name, and for an invalid value with the allowed ones; the options are then unchanged.
FROND_API void set_option(SolverOptions& options, std::string_view name, std::string_view value);

/// Returns the current value in the form that set_option() accepts. Throws UsageError.
[[nodiscard]] FROND_API std::string option_value(const SolverOptions& options, std::string_view name);

}  // namespace frond
