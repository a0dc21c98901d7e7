// SPDX-License-Identifier: BSD-3-Clause
// Runs a batch in several processes: the first one holds the pool of systems, and works, too.
#include <utility>

#include "frond/batch.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"
#include "solver/course/sent_analysis.hpp"
#include "solver/distributed/batch/batch_parts.hpp"
#include "solver/distributed/batch/desk_server.hpp"
#include "solver/distributed/batch/remote_desk.hpp"
#include "solver/distributed/mpi/rank_place.hpp"

namespace frond {
namespace {

// For messages in transit to all ranks. Results are a line each; an analysis is longer, and is sent when there is nothing else.
constexpr Count kBufferBytes = Count{1} << 20;

// If serving throws, tasks in progress are of no use any more.
template <class Serve>
void run_desk(TaskDesk& desk, const std::function<std::string(Count)>& work, Serve serve) {
  const DeskWorkers workers(desk, work, 0);
  try {
    serve();
  } catch (...) {
    desk.abandon();
    throw;
  }
}

}  // namespace

void Batch::run(const Place& place, const std::vector<Count>& systems, const std::function<std::string(Count)>& work,
                const std::function<void(Count, const std::string&)>& done) const {
  parts_->check_that_each_works_alone();
  parts_->run_at(communicator_of(place), systems, work, done, parts_->options.solver.observer.get());
}

void Batch::Parts::run_at(const Communicator& places, const std::vector<Count>& systems,
                          const std::function<std::string(Count)>& work, const std::function<void(Count, const std::string&)>& done,
                          Observer* observer) {
  const std::unique_ptr<Channel> channel = places.make_channel(kBufferBytes);
  if (places.rank() > 0) {
    RemoteDesk desk(places.rank(), options.num_workers, observer);
    fetch = [&]() -> std::optional<Analysis> {
      const std::vector<std::byte> bytes = desk.fetch_shared();
      return bytes.empty() ? std::nullopt : std::optional(frond::analysis_of(bytes, options.solver));
    };
    const std::shared_ptr<Parts> fetching(this, [](Parts* with) { with->fetch = nullptr; });
    run_desk(desk, work, [&] { desk.serve(*channel); });
    return;
  }
  PoolDesk desk({.tasks = systems,
                 .chunks = options.chunks,
                 .gives_copies = options.reissues,
                 .workers_per_place = options.num_workers,
                 .num_places = places.num_ranks(),
                 .observer = observer},
                [&done](Count system, std::string&& result) { done(system, result); });
  DeskServerPort port;
  port.is_gone = [&](Rank rank) { return places.carrier().is_gone(rank); };
  port.must_meet = places.carrier().is_mpi();
  port.shared = [this] {
    const std::optional<Analysis> made = find_analysis();
    return made ? bytes_of(*made) : std::vector<std::byte>();
  };
  run_desk(desk, work, [&] {
    DeskServer(desk, *channel, std::move(port)).run();
    if (desk.failure() == nullptr) {
      desk.abandon();  // copies of systems that others have solved
    }
  });
  if (const std::exception_ptr failure = desk.failure()) {
    std::rethrow_exception(failure);
  }
}

}  // namespace frond
