// SPDX-License-Identifier: BSD-3-Clause
// Turns simulated runs into advice.
#include "tools/simulation/simulation_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "solver/options/byte_size.hpp"
#include "tools/program/process/other_programs.hpp"

namespace frond {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kAsFast = 1.03;

double seconds_of(const Json& run) { return run.at("predicted_seconds").get<double>(); }
Count bytes_of(const Json& run) { return run.at("peak_bytes_max").get<Count>(); }
Rank ranks_of(const Json& run) { return run.at("ranks").get<Rank>(); }

bool is_within(const Json& run, const AdviceLimits& limits) {
  return limits.bytes_per_rank == 0 || bytes_of(run) <= limits.bytes_per_rank;
}

std::size_t best_of(const Json& runs, const std::vector<std::size_t>& some) {
  const auto fastest = std::min_element(some.begin(), some.end(),
                                        [&](std::size_t a, std::size_t b) { return seconds_of(runs[a]) < seconds_of(runs[b]); });
  std::size_t best = *fastest;
  for (const std::size_t run : some) {
    if (seconds_of(runs[run]) <= kAsFast * seconds_of(runs[*fastest]) && bytes_of(runs[run]) < bytes_of(runs[best])) {
      best = run;
    }
  }
  return best;
}

std::string processes(Rank ranks) { return ranks == 1 ? "1 process" : fmt::format("{} processes", ranks); }

std::string facts_of(const Json& run) {
  return fmt::format("{:.3g} s, at most {} in a process", seconds_of(run), format_byte_size(bytes_of(run)));
}

std::string command_of(const Json& sweep, const Json& run) {
  const std::string matrix = shell_word(sweep.at("matrix").get<std::string>());
  if (ranks_of(run) == 1) {
    return fmt::format("frond solve {}", matrix);
  }
  return fmt::format("mpiexec.mpich -n {} frond solve {} --schedule {} --load-exchange {}", ranks_of(run), matrix,
                     run.at("schedule").get<std::string>(), run.at("load_exchange").get<std::string>());
}

// Over the runs with as many ranks as the advised one: how much of its time and memory others take at most.
std::string spread_text(const Json& runs, const Json& advised) {
  double most_seconds = seconds_of(advised);
  Count least_bytes = bytes_of(advised);
  for (const Json& run : runs) {
    if (ranks_of(run) == ranks_of(advised)) {
      most_seconds = std::max(most_seconds, seconds_of(run));
      least_bytes = std::min(least_bytes, bytes_of(run));
    }
  }
  return fmt::format(
      "Other schedules and mechanisms on as many take up to {:.2f} times as long, and at best {:.2f} times the memory.",
      most_seconds / seconds_of(advised), static_cast<double>(least_bytes) / static_cast<double>(bytes_of(advised)));
}

std::string refusal_text(const Json& runs, const AdviceLimits& limits) {
  if (runs.empty()) {
    return "No simulation has come to its end; the table says why.";
  }
  const auto least =
      std::min_element(runs.begin(), runs.end(), [](const Json& a, const Json& b) { return bytes_of(a) < bytes_of(b); });
  return fmt::format(
      "With {} in each process none of these numbers of processes does: the least that was found are {} on {}. "
      "Take more processes (--ranks), or more memory.",
      format_byte_size(limits.bytes_per_rank), format_byte_size(bytes_of(*least)), processes(ranks_of(*least)));
}

}  // namespace

std::vector<std::size_t> best_runs(const Json& sweep, const AdviceLimits& limits) {
  const Json& runs = sweep.at("runs");
  std::map<Rank, std::vector<std::size_t>> within;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    if (is_within(runs[run], limits)) {
      within[ranks_of(runs[run])].push_back(run);
    }
  }
  std::vector<std::size_t> best;
  best.reserve(within.size());
  for (const auto& [ranks, some] : within) {
    best.push_back(best_of(runs, some));
  }
  return best;
}

std::optional<std::size_t> advised_run(const Json& sweep, const AdviceLimits& limits) {
  const Json& runs = sweep.at("runs");
  const std::vector<std::size_t> best = best_runs(sweep, limits);
  if (best.empty()) {
    return std::nullopt;
  }
  std::size_t advised = 0;
  double ratio = 1;  // of times, at which the next run is worthwhile
  for (std::size_t next = 1; next < best.size() && next <= advised + 2; ++next) {
    ratio *= kPayingRatio;
    if (seconds_of(runs[best[next]]) <= ratio * seconds_of(runs[best[advised]])) {
      advised = next;
      ratio = 1;
    }
  }
  return best[advised];
}

bool may_more_pay(const Json& sweep, const AdviceLimits& limits) {
  const std::vector<std::size_t> best = best_runs(sweep, limits);
  const std::optional<std::size_t> advised = advised_run(sweep, limits);
  return !advised || best.size() < 3 || *advised == best[best.size() - 1] || *advised == best[best.size() - 2];
}

std::string advice_text(const Json& sweep, const AdviceLimits& limits) {
  const Json& runs = sweep.at("runs");
  const std::optional<std::size_t> advised = advised_run(sweep, limits);
  if (!advised) {
    return refusal_text(runs, limits) + "\n";
  }
  const Json& run = runs[*advised];
  std::string text = fmt::format("advice         {}: {}\n", processes(ranks_of(run)), facts_of(run));
  text += fmt::format("               {}\n", command_of(sweep, run));
  for (const std::size_t other : best_runs(sweep, limits)) {
    if (2 * ranks_of(runs[other]) == ranks_of(run)) {
      text += fmt::format("               Half as many take {}.\n", facts_of(runs[other]));
    } else if (ranks_of(runs[other]) == 2 * ranks_of(run)) {
      text += fmt::format("               Twice as many take {}.\n", facts_of(runs[other]));
    }
  }
  text += fmt::format("               {}\n", spread_text(runs, run));
  return text;
}

}  // namespace frond
