// SPDX-License-Identifier: BSD-3-Clause
// Runs one attempt after the other.
#include "frond/survive.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <stop_token>
#include <thread>
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

// Looks for the end of the first process while others work for it: messages that it has sent last are lost if it ends before they
// have left.
class EndWatch {
 public:
  EndWatch(const Arbiter& arbiter, RankLosses& losses)
      : thread_([this, &arbiter, &losses](const std::stop_token& stop) {
          constexpr std::chrono::milliseconds kPeriod(50);
          std::unique_lock lock(mutex_);
          while (!wake_.wait_for(lock, stop, kPeriod, [&stop] { return stop.stop_requested(); })) {
            look(arbiter, losses);
          }
        }) {}

  static constexpr Index kEnd = 1;  // the number of the record of the end

 private:
  static void look(const Arbiter& arbiter, RankLosses& losses) {
    try {
      if (arbiter.is_gone(0)) {
        losses.declare(0);
      } else if (arbiter.find(kEnd)) {
        losses.hear_of(kEnd);
      }
    } catch (...) {
      losses.fail();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

// The first process seals the end, for the launcher of the processes and for those that have missed it; there is no other leader
// here.
int work_unwatched(const SurvivalOptions& options, const std::function<int(const SurvivalAttempt&)>& work) {
  const Arbiter arbiter(options.directory);
  Mesh mesh(mesh_options(options));
  std::vector<Rank> all(static_cast<std::size_t>(options.num_ranks));
  std::iota(all.begin(), all.end(), 0);
  RankLosses losses;
  losses.begin(0, all);
  const auto run = [&] {
    return work({0, all, rank_place(std::make_shared<const Communicator>(mesh_communicator(mesh, losses, all, 1)))});
  };
  if (options.rank > 0) {
    const EndWatch watch(arbiter, losses);
    try {
      return run();
    } catch (const LossError&) {
      const std::optional<SurvivalRecord> end = arbiter.find(EndWatch::kEnd);
      if (!end || !end->end_code) {
        throw;
      }
      return *end->end_code;
    }
  }
  try {
    const int code = run();
    (void)arbiter.seal({EndWatch::kEnd, all, code});
    return code;
  } catch (...) {
    arbiter.note_gone(0);
    throw;
  }
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
