// SPDX-License-Identifier: BSD-3-Clause
// Runs one attempt after the other.
#include "frond/survive.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "frond/error.hpp"
#include "loadinfo/messages/mesh/mesh.hpp"
#include "loadinfo/messages/mesh/mesh_communicator.hpp"
#include "loadinfo/messages/mesh/rank_losses.hpp"
#include "loadinfo/messages/mesh/survivors.hpp"
#include "loadinfo/messages/ranks/arbiter.hpp"
#include "solver/distributed/mpi/rank_place.hpp"

namespace frond {
namespace {

// A process that was removed from the record may go on writing, and freeing blocks that it believes obsolete, for this long until
// it has ended or knows.
constexpr double kMostSecondsForEnds = 10;

void tell_loss(const Survivors& survivors, const std::vector<Rank>& before, const SurvivalOptions& options) {
  if (options.tell_loss) {
    const std::vector<Rank>& now = survivors.record().members;
    std::vector<Rank> lost;
    std::set_difference(before.begin(), before.end(), now.begin(), now.end(), std::back_inserter(lost));
    options.tell_loss(lost, now);
  }
}

MeshOptions mesh_options(const SurvivalOptions& options) {
  return {.directory = options.directory, .rank = options.rank, .num_ranks = options.num_ranks, .machine = options.machine};
}

// The first process seals the end, for the launcher of the processes; there is no other leader here.
int work_unwatched(const SurvivalOptions& options, const std::function<int(const SurvivalAttempt&)>& work) {
  Mesh mesh(mesh_options(options));
  std::vector<Rank> all(static_cast<std::size_t>(options.num_ranks));
  std::iota(all.begin(), all.end(), 0);
  RankLosses losses;
  losses.begin(0, all);
  const int code = work({0, all, rank_place(std::make_shared<const Communicator>(mesh_communicator(mesh, losses, all, 1)))});
  if (options.rank == 0) {
    (void)Arbiter(options.directory).seal({1, all, code});
  }
  return code;
}

}  // namespace

int survive(const SurvivalOptions& options, const std::function<int(const SurvivalAttempt&)>& work) {
  if (!(options.limit_seconds > 0)) {
    return work_unwatched(options, work);
  }
  Survivors survivors(mesh_options(options), options.limit_seconds);
  std::optional<int> code;
  while (!code) {
    try {
      const SurvivalRecord& record = survivors.record();
      const Place place = rank_place(std::make_shared<const Communicator>(survivors.communicator()));
      code = survivors.end(work({record.number, record.members, place}));
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
