// SPDX-License-Identifier: BSD-3-Clause
// Runs one attempt, or one after the other if losses are survived.
#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "frond/survive.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "tools/program/batch/batch_processes.hpp"
#include "tools/program/solve/survivor_attempt.hpp"

namespace frond {
namespace {

// Collective if there may be several machines, which only watched processes have.
int num_local(const SurvivorPlace& place, const SurvivalAttempt& attempt) {
  if (place.is_one_machine) {
    return attempt.place.num_ranks();
  }
  const Communicator& ranks = communicator_of(attempt.place);
  const std::string name = ranks.carrier().machine_name();
  int num_local = 0;
  for (const std::vector<std::byte>& other : all_gather(ranks, std::as_bytes(std::span(name)))) {
    num_local += std::ranges::equal(other, std::as_bytes(std::span(name))) ? 1 : 0;
  }
  return num_local;
}

}  // namespace

ExitCode run_batch_survivor(const BatchArguments& arguments, const SurvivorPlace& place, Farewell& farewell) {
  const bool is_watched = !arguments.solve.ranks.survive.empty();
  const auto stop = std::make_shared<BatchStop>(place.rank == 0);
  const std::string private_results = is_watched ? place.directory + "/results" : "";
  const auto run = [&](const SurvivalAttempt& attempt) {
    const BatchPlace here{.num_local = num_local(place, attempt),
                          .results = arguments.results.empty() ? private_results : arguments.results,
                          .conclude = [&] { say_into_output_file(place, attempt.number); }};
    const ExitCode code =
        outcome_of_attempt(place, attempt, [&] { return run_batch_on_ranks(attempt.place, arguments, here, stop); });
    std::fflush(stdout);
    return static_cast<int>(code);
  };
  return end_at_once(farewell, [&] {
    SurvivalOptions options = survival_options(place, is_watched ? arguments.solve.ranks.heartbeat_limit_seconds : 0);
    options.tell_loss = [&](const std::vector<Rank>& lost, const std::vector<Rank>& members) {
      if (members.front() == place.rank) {
        tell_loss(lost, members, "the results so far");
      }
    };
    return static_cast<ExitCode>(survive(options, run));
  });
}

}  // namespace frond
