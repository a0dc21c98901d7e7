// SPDX-License-Identifier: BSD-3-Clause
// Adds the options for hosts, links and what befalls ranks, and parses them.
#include "tools/simulation/machine_arguments.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <set>
#include <string_view>
#include <type_traits>

#include "frond/error.hpp"
#include "tools/program/arguments/command_options.hpp"
#include "tools/program/arguments/number_check.hpp"

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

void check_rank(const std::string& said, Rank rank, const std::vector<Rank>& all_num_ranks) {
  for (const Rank num_ranks : all_num_ranks) {
    if (rank >= num_ranks) {
      throw UsageError(fmt::format("{}: with {} process{} ranks go from 0 to {}; choose one of these, or another --ranks", said,
                                   num_ranks, num_ranks == 1 ? "" : "es", num_ranks - 1));
    }
  }
}

}  // namespace

void add_machine_options(const CommandOptions& options, MachineArguments& arguments) {
  options.add_repeated("--slow SPELL", arguments.slowed,
                       "Let a process take longer to compute. SPELL is RANK:FACTOR, such as 3:4 for four times as long, or, from "
                       "FROM to TO seconds of the factorization, RANK:FACTOR@FROM-TO, such as 3:4@0.5-2, or 3:4@0.5- until the "
                       "end; may be repeated: factors multiply");
  options.add_repeated("--latency-of DELAY", arguments.delayed,
                       "Let each message from or to a process take longer. DELAY is RANK:SECONDS, such as 3:0.01; may be "
                       "repeated: between two such processes the larger one counts");
  options.add("--competing-load LOAD", arguments.competing_load,
              fmt::format("Let other programs take half of each process's core now and then. LOAD is SEED, an integer of at least "
                          "0 from which it is drawn, or SEED:SHARE with the share of the time, such as 1:0.25 (default: {})",
                          CompetingLoad().share));
}

void add_network_options(const CommandOptions& options, MachineArguments& arguments) {
  CLI::Option* latency = options
                             .add("--latency S", arguments.latency_seconds,
                                  "Let a message take S seconds at least (default: 5e-6, or what the machine's file says)")
                             ->check(number_at_least_0());
  CLI::Option* bandwidth =
      options
          .add("--bandwidth B", arguments.bytes_per_second,
               "Let a host's link carry B bytes per second in each direction (default: 1e9, or what the machine's file says)")
          ->check(number_above_0());
  CLI::Option* hosts =
      options
          .add("--hosts N", arguments.num_hosts, "Put the processes on N hosts at the switch; 0 stands for one for each process")
          ->check(integer_between(0, 1 << 16))
          ->capture_default_str();
  CLI::Option* cores = options.add("--cores N", arguments.cores_per_host, "Give each host N cores")
                           ->check(integer_between(1, 1 << 16))
                           ->capture_default_str();
  options
      .add_path("--platform FILE.xml", arguments.platform_file,
                "Take hosts and links from a platform file of SimGrid's; processes fill cores host by host")
      ->excludes(latency)
      ->excludes(bandwidth)
      ->excludes(hosts)
      ->excludes(cores);
}

std::multimap<double, Rank> parse_moments(const std::string& option, const std::vector<std::string>& texts) {
  std::multimap<double, Rank> moments;
  for (const std::string& text : texts) {
    Rank rank = 0;
    double seconds = 0;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%d@%lf%c", &rank, &seconds, &rest) != 2 || rank < 0 || !(seconds >= 0)) {
      throw UsageError(fmt::format("{} {}: RANK@SECONDS is expected, such as 3@1.5 for rank 3 after 1.5 s", option, text));
    }
    moments.emplace(seconds, rank);
  }
  return moments;
}

void check_moments(const std::string& option, const std::vector<std::string>& texts, const std::vector<Rank>& all_num_ranks) {
  for (const auto& [seconds, rank] : parse_moments(option, texts)) {
    check_rank(fmt::format("{} {}@{}", option, rank, seconds), rank, all_num_ranks);
  }
}

void check_losses(const std::vector<std::string>& texts, const std::vector<Rank>& all_num_ranks) {
  check_moments("--lose", texts, all_num_ranks);
  std::set<Rank> lost;
  for (const auto& [seconds, rank] : parse_moments("--lose", texts)) {
    if (!lost.insert(rank).second) {
      throw UsageError(fmt::format("--lose {}@{}: it is lost already", rank, seconds));
    }
  }
  for (const Rank num_ranks : all_num_ranks) {
    if (!lost.empty() && static_cast<Rank>(lost.size()) >= num_ranks) {
      throw UsageError("--lose: at least one process has to live");
    }
  }
}

void check_machine(const MachineArguments& arguments, const std::vector<Rank>& all_num_ranks) {
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

void set_machine(const MachineArguments& arguments, SimulatedMachine& machine) {
  machine.latency_seconds = arguments.latency_seconds.value_or(machine.latency_seconds);
  machine.bytes_per_second = arguments.bytes_per_second.value_or(machine.bytes_per_second);
  machine.num_hosts = arguments.num_hosts;
  machine.cores_per_host = arguments.cores_per_host;
  machine.platform_file = arguments.platform_file;
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
