// SPDX-License-Identifier: BSD-3-Clause
// Starts the processes of a batch as children of this one.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <functional>
#include <string>

#include "frond/error.hpp"
#include "tools/program/batch/batch_processes.hpp"
#include "tools/program/solve/surviving_solve.hpp"

namespace frond {
namespace {

std::string advice(const BatchArguments& arguments) {
  return fmt::format("{}; {}", arguments.results.empty() ? "" : "; results so far are in " + arguments.results,
                     arguments.dealing.reissue == "on" ? "--survive lets another one take its place"
                                                       : "--reissue on, or --survive, lets others do what it had");
}

}  // namespace

ExitCode start_batch_processes(const BatchArguments& arguments, const Launch& launch) {
  const RanksArguments& ranks = arguments.solve.ranks;
  std::function<bool(Rank)> is_needed;
  if (ranks.survive.empty()) {
    is_needed = [needs_all = arguments.dealing.reissue == "off"](Rank rank) { return needs_all || rank == 0; };
  }
  SurvivorsEnd end;
  try {
    end = run_survivors(ranks, launch, is_needed);
  } catch (const CommunicationError& error) {
    throw CommunicationError(fmt::format("{}{}", error.what(), ranks.survive.empty() ? advice(arguments) : ""));
  }
  if (!end.lost.empty() && !launch.is_by_mpich) {
    fmt::print("{:<15}{:>7}  of {}: {}\n", "lost processes", end.lost.size(), ranks.num_processes, fmt::join(end.lost, ", "));
    std::fflush(stdout);
  }
  return end.code;
}

}  // namespace frond
