// SPDX-License-Identifier: BSD-3-Clause
// One attempt after the other.
#include "frond/survive.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>

#include "frond/error.hpp"
#include "loadinfo/mesh/survivors.hpp"

namespace frond {
namespace {

// Who is in no record any more may write on, and give back what it believes to be of no use, until it has ended or knows it.
constexpr double kMostSecondsForEnds = 10;

void tell_loss(const Survivors& survivors, const std::vector<Rank>& before, const SurvivalOptions& options) {
  if (options.tell_loss) {
    const std::vector<Rank>& now = survivors.record().members;
    std::vector<Rank> lost;
    std::set_difference(before.begin(), before.end(), now.begin(), now.end(), std::back_inserter(lost));
    options.tell_loss(lost, now);
  }
}

}  // namespace

int survive(const SurvivalOptions& options, const std::function<int(const SurvivalAttempt&)>& work) {
  Survivors survivors(
      {.directory = options.directory, .rank = options.rank, .num_ranks = options.num_ranks, .machine = options.machine},
      options.limit_seconds);
  std::optional<int> code;
  while (!code) {
    try {
      const SurvivalRecord& record = survivors.record();
      const Ranks ranks(std::make_shared<const Communicator>(survivors.communicator()));
      code = survivors.end(work({record.number, record.members, ranks}));
    } catch (const LossError&) {
      const std::vector<Rank> before = survivors.record().members;
      code = survivors.go_on();
      if (!code) {
        tell_loss(survivors, before, options);
        survivors.wait_for_fenced(std::min(kMostSecondsForEnds, options.limit_seconds));
      }
    }
  }
  return *code;
}

void note_process_ended(const std::string& directory, Rank rank) { Arbiter(directory).note_gone(rank); }

}  // namespace frond
