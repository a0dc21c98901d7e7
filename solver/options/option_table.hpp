// SPDX-License-Identifier: BSD-3-Clause
// Lists the options that have names, for command lines and interfaces of other languages.
#pragma once

#include <span>
#include <string_view>

#include "frond/named_options.hpp"

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
[[nodiscard]] std::span<const NamedOption> named_options();

/// Returns the option of this name. Throws UsageError, which suggests the nearest name, if there is none.
[[nodiscard]] const NamedOption& named_option(std::string_view name);

}  // namespace frond
