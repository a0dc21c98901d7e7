// SPDX-License-Identifier: BSD-3-Clause
// Parses slow cores, competing programs, and slow connections.
#include "tools/simulation/disturbance_arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>

#include "frond/error.hpp"

namespace frond {
namespace {

// Takes the number at the beginning of the text and removes it.
template <class Number>
std::optional<Number> take_number(std::string_view& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) {
    return std::nullopt;
  }
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(number)) {
      return std::nullopt;
    }
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take_sign(std::string_view& text, char sign) {
  const bool is_there = text.starts_with(sign);
  text.remove_prefix(is_there ? 1 : 0);
  return is_there;
}

// Takes @FROM-TO or @FROM-, which must end the text.
bool take_interval(std::string_view& text, SlowSpell& spell) {
  const bool is_there = take_sign(text, '@');
  const std::optional<double> begin = take_number<double>(text);
  if (!is_there || !begin || !take_sign(text, '-')) {
    return false;
  }
  spell.begin_seconds = *begin;
  if (text.empty()) {
    return true;
  }
  const std::optional<double> end = take_number<double>(text);
  spell.end_seconds = end.value_or(0);
  return end.has_value();
}

SlowSpell parse_spell(const std::string& said) {
  std::string_view text = said;
  SlowSpell spell;
  const std::optional<Rank> rank = take_number<Rank>(text);
  const bool has_factor = take_sign(text, ':');
  const std::optional<double> factor = take_number<double>(text);
  if (!rank || *rank < 0 || !has_factor || !factor || !(text.empty() || take_interval(text, spell)) || !text.empty()) {
    throw UsageError("--slow " + said +
                     ": RANK:FACTOR is expected, such as 3:4 for rank 3 taking 4 times as long, or RANK:FACTOR@FROM-TO, such as "
                     "3:4@0.5-2 from 0.5 to 2 s, or 3:4@0.5- from 0.5 s on");
  }
  spell.rank = *rank;
  spell.factor = *factor;
  if (!(spell.factor > 0)) {
    throw UsageError("--slow " + said + ": FACTOR must be above 0; 2 stands for twice as long");
  }
  if (!(spell.begin_seconds >= 0 && spell.begin_seconds < spell.end_seconds)) {
    throw UsageError("--slow " + said + ": FROM must be at least 0, and less than TO");
  }
  return spell;
}

struct RankDelay {
  Rank rank = 0;
  double seconds = 0;
};

RankDelay parse_delay(const std::string& said) {
  std::string_view text = said;
  const std::optional<Rank> rank = take_number<Rank>(text);
  const bool has_seconds = take_sign(text, ':');
  const std::optional<double> seconds = take_number<double>(text);
  if (!rank || *rank < 0 || !has_seconds || !seconds || !text.empty()) {
    throw UsageError("--latency-of " + said + ": RANK:SECONDS is expected, such as 3:0.01 for 10 ms more on messages of rank 3");
  }
  if (!(*seconds >= 0)) {
    throw UsageError("--latency-of " + said + ": SECONDS must be at least 0");
  }
  return {*rank, *seconds};
}

CompetingLoad parse_competing_load(const std::string& said) {
  std::string_view text = said;
  CompetingLoad load;
  const std::optional<std::uint64_t> seed = take_number<std::uint64_t>(text);
  std::optional<double> share = load.share;
  if (take_sign(text, ':')) {
    share = take_number<double>(text);
  }
  if (!seed || !share || !text.empty()) {
    throw UsageError("--competing-load " + said + ": SEED or SEED:SHARE is expected, such as 1 or 1:0.25");
  }
  if (!(*share > 0 && *share < 1)) {
    throw UsageError("--competing-load " + said + ": SHARE must be above 0 and below 1; --slow is for cores that are always slow");
  }
  return {*seed, *share};
}

}  // namespace

void add_disturbance_options(CLI::App& command, const std::string& group, DisturbanceArguments& arguments) {
  command
      .add_option(
          "--slow", arguments.slowed,
          "Let a process take longer to compute. SPELL is RANK:FACTOR, such as 3:4 for four times as long, or, from FROM to "
          "TO seconds of the factorization, RANK:FACTOR@FROM-TO, such as 3:4@0.5-2, or 3:4@0.5- until the end; may be "
          "repeated: factors multiply")
      ->allow_extra_args(false)
      ->type_name("SPELL")
      ->group(group);
  command
      .add_option(
          "--latency-of", arguments.delayed,
          "Let each message from or to a process take longer. DELAY is RANK:SECONDS, such as 3:0.01; may be repeated: between "
          "two such processes the larger one counts")
      ->allow_extra_args(false)
      ->type_name("DELAY")
      ->group(group);
  command
      .add_option(
          "--competing-load", arguments.competing_load,
          fmt::format("Let other programs take half of each process's core now and then. LOAD is SEED, an integer of at least "
                      "0 from which it is drawn, or SEED:SHARE with the share of the time, such as 1:0.25 (default: {})",
                      CompetingLoad().share))
      ->type_name("LOAD")
      ->group(group);
}

void check_rank(const std::string& said, Rank rank, const std::vector<Rank>& all_num_ranks) {
  for (const Rank num_ranks : all_num_ranks) {
    if (rank >= num_ranks) {
      throw UsageError(fmt::format("{}: with {} process{} ranks go from 0 to {}; choose one of these, or another --ranks", said,
                                   num_ranks, num_ranks == 1 ? "" : "es", num_ranks - 1));
    }
  }
}

void check_disturbances(const DisturbanceArguments& arguments, const std::vector<Rank>& all_num_ranks) {
  for (const std::string& said : arguments.slowed) {
    check_rank("--slow " + said, parse_spell(said).rank, all_num_ranks);
  }
  std::set<Rank> delayed;
  for (const std::string& said : arguments.delayed) {
    const Rank rank = parse_delay(said).rank;
    check_rank("--latency-of " + said, rank, all_num_ranks);
    if (!delayed.insert(rank).second) {
      throw UsageError(fmt::format("--latency-of {}: rank {} has a latency of its own already; give it once", said, rank));
    }
  }
  if (!arguments.competing_load.empty()) {
    static_cast<void>(parse_competing_load(arguments.competing_load));
  }
}

void disturb(const DisturbanceArguments& arguments, SimulatedMachine& machine) {
  for (const std::string& said : arguments.slowed) {
    machine.slow_spells.push_back(parse_spell(said));
  }
  for (const std::string& said : arguments.delayed) {
    const RankDelay delay = parse_delay(said);
    machine.delays[delay.rank] = delay.seconds;
  }
  if (!arguments.competing_load.empty()) {
    machine.competing_load = parse_competing_load(arguments.competing_load);
  }
}

}  // namespace frond
