// SPDX-License-Identifier: BSD-3-Clause
// Checks numbers: CLI11 itself accepts NaN, and prints bounds with all their digits.
#include "tools/program/arguments/number_check.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

namespace frond {
namespace {

// Accepts finite numbers that pass; `what` completes "must be a number ".
CLI::Validator check_number(std::function<bool(double)> passes, std::string what, const std::string& description) {
  return CLI::Validator(
      [passes = std::move(passes), what = std::move(what)](std::string& word) {
        double number = 0;
        const bool is_number = CLI::detail::lexical_cast(word, number) && std::isfinite(number);
        return is_number && passes(number) ? std::string() : fmt::format("must be a number {}, not {}", what, word);
      },
      description);
}

}  // namespace

CLI::Validator number_at_least_0() {
  return check_number([](double number) { return number >= 0; }, "of at least 0", "NONNEGATIVE");
}

CLI::Validator number_above_0() {
  return check_number([](double number) { return number > 0; }, "above 0", "POSITIVE");
}

CLI::Validator integer_between(Count least, Count largest) {
  return CLI::Validator(
      [least, largest](std::string& word) {
        Count number = 0;
        const bool is_integer = CLI::detail::lexical_cast(word, number) && number >= least && number <= largest;
        return is_integer ? std::string() : fmt::format("must be an integer from {} to {}, not {}", least, largest, word);
      },
      fmt::format("INT in [{} - {}]", least, largest));
}

}  // namespace frond
