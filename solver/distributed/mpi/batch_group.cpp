// SPDX-License-Identifier: BSD-3-Clause
// Broadcasts numbers of systems, errors and stops within a group, and runs batches by groups.
#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "frond/batch.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/place.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/course/sent_analysis.hpp"
#include "solver/distributed/batch/batch_parts.hpp"
#include "solver/distributed/mpi/agreement.hpp"
#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "solver/options/relayed_observer.hpp"

namespace frond {

/// The first process of a group receives systems, and the others follow it:
///
///   lead(system) on the first one    ─►    number of the system to all    ─►    work on all    ─►    errors and stops to all
///   end(failure)                     ─►    no more numbers             ─►    the failure to all
class BatchGroup final : public RelayedObserver {
 public:
  using Work = std::function<std::string(const Place& group, Count system)>;

  /// The arguments must outlive this object. `observer` is that of this process.
  BatchGroup(const Place& group, const Work& work, std::shared_ptr<Observer> observer)
      : RelayedObserver(std::move(observer)), group_(group), work_(work) {}

  /// On the first process, by one thread at a time. Throws what work threw on any process.
  [[nodiscard]] std::string lead(Count system);
  /// On the first process: whether a stop was requested here, or on others before they finished their last system.
  bool batch_end_requested() override { return has_one_asked_ || to->batch_end_requested(); }
  /// On the first process: ends the loop of the others. Throws the failure, if there is one.
  void end(const std::exception_ptr& failure) const;

  /// On the others: solves systems until the end; throws the failure that was passed to end().
  void follow();

 private:
  std::string solve(Count system);
  void part(const std::exception_ptr& failure) const;

  const Place& group_;
  const Work& work_;
  std::atomic<bool> has_one_asked_{false};  // at the end of a system
};

namespace {

constexpr Count kNoSystem = -1;  // sent when there are no more systems

void broadcast_value(const Communicator& ranks, Count& value) { broadcast(ranks, 0, std::as_writable_bytes(std::span(&value, 1))); }

// Collective: all ranks have arrived afterwards, and sleep while they wait.
void check_groups(const Communicator& ranks, int group_size) {
  agree(ranks, [&] {
    if (ranks.num_ranks() % group_size != 0) {
      throw UsageError(fmt::format("a batch by groups of {} processes in {}: their number is to be a multiple of {}", group_size,
                                   ranks.num_ranks(), group_size));
    }
    if (!ranks.carrier().is_mpi()) {
      throw UsageError("a batch by groups of processes: over MPI only, since a group that has lost a process ends nothing");
    }
    if (!ranks.gate().threads_may_call()) {
      throw UsageError(
          "a batch by groups of processes: one thread carries messages while another one solves; start MPI with "
          "MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE");
    }
  });
}

Place place_from(const Communicator& all, Rank first, Rank size) {
  std::vector<Rank> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), first);
  return rank_place(std::make_shared<const Communicator>(all.of_ranks(ranks)));
}

Communicator first_ranks(const Communicator& all, Rank group_size) {
  std::vector<Rank> ranks;
  for (Rank rank = 0; rank < all.num_ranks(); rank += group_size) {
    ranks.push_back(rank);
  }
  return all.of_ranks(ranks);
}

}  // namespace

std::string BatchGroup::lead(Count system) {
  broadcast_value(communicator_of(group_), system);
  return solve(system);
}

std::string BatchGroup::solve(Count system) {
  std::string result;
  agree(communicator_of(group_), [&] { result = work_(group_, system); });
  const char has_asked = to->batch_end_requested() ? 1 : 0;
  const std::vector<char> have_asked = all_gather_values(communicator_of(group_), has_asked);
  if (std::find(have_asked.begin(), have_asked.end(), 1) != have_asked.end()) {
    has_one_asked_ = true;
  }
  return result;
}

void BatchGroup::follow() {
  for (;;) {
    Count system = kNoSystem;
    broadcast_value(communicator_of(group_), system);
    if (system == kNoSystem) {
      break;
    }
    try {
      (void)solve(system);
    } catch (const CommunicationError&) {
      throw;
    } catch (const std::exception&) {
      continue;  // also thrown on the first process, which knows whether it ends the run
    }
  }
  part(nullptr);
}

void BatchGroup::end(const std::exception_ptr& failure) const {
  Count system = kNoSystem;
  broadcast_value(communicator_of(group_), system);
  part(failure);
}

// On the process where the failure occurred, the exception is unchanged.
void BatchGroup::part(const std::exception_ptr& failure) const {
  try {
    throw_first_failure(communicator_of(group_), failure);
  } catch (const CommunicationError&) {
    throw;
  } catch (...) {
    std::rethrow_exception(failure ? failure : std::current_exception());
  }
}

void Batch::run(const Place& place, const std::vector<Count>& systems,
                const std::function<std::string(const Place& group, Count)>& work,
                const std::function<void(Count, const std::string&)>& done) const {
  const Communicator& all = communicator_of(place);
  const Rank size = parts_->options.group_size;
  check_groups(all, size);
  const Rank first = all.rank() / size * size;
  const Place group = place_from(all, first, size);
  BatchGroup members(group, work, parts_->options.solver.observer);
  if (all.rank() != first) {
    members.follow();
    return;
  }
  std::exception_ptr failure;
  try {
    parts_->run_at(
        first_ranks(all, size), systems, [&members](Count system) { return members.lead(system); }, done, &members);
  } catch (const CommunicationError&) {
    throw;
  } catch (...) {
    failure = std::current_exception();
  }
  members.end(failure);
}

std::optional<Analysis> Batch::Parts::analysis_in(const Communicator& group) {
  const std::vector<char> have_it = all_gather_values(group, static_cast<char>(analysis ? 1 : 0));
  if (std::find(have_it.begin(), have_it.end(), 0) == have_it.end()) {
    return analysis;
  }
  std::vector<std::byte> bytes;
  Count num_bytes = 0;
  agree(group, [&] {
    if (group.rank() == 0) {
      const std::optional<Analysis> made = analysis || !fetch ? analysis : fetch();
      bytes = made ? bytes_of(*made) : std::vector<std::byte>();
      num_bytes = static_cast<Count>(bytes.size());
    }
  });
  broadcast_value(group, num_bytes);
  agree(group, [&] { bytes.resize(static_cast<std::size_t>(num_bytes)); });
  broadcast(group, 0, bytes);
  agree(group, [&] {
    if (num_bytes > 0) {
      const std::lock_guard lock(mutex);
      analysis = frond::analysis_of(bytes, options.solver);
    }
  });
  return analysis;
}

template <Scalar S>
SolveReport Batch::solve(const Place& group, const SystemMatrix<S>& matrix, DenseView<const S> b, DenseView<S> x,
                         Operation operation) const {
  const Communicator& ranks = communicator_of(group);
  SolverOptions solver = parts_->options.solver;
  solver.observer = with_call_off(std::move(solver.observer));
  const std::optional<Analysis> made = parts_->options.has_one_pattern ? parts_->analysis_in(ranks) : std::nullopt;
  const SystemMatrix<S>* given = given_or_null(matrix);
  const auto system = made
                          ? std::make_shared<const DistributedSystem<S>>(ranks, given, solver, made->parts().symbolic, std::nullopt)
                          : std::make_shared<const DistributedSystem<S>>(ranks, given, solver);
  if (parts_->options.has_one_pattern && !made) {
    const std::lock_guard lock(parts_->mutex);
    parts_->analysis = Analysis({.symbolic = system->symbolic(), .method = system->method(), .options = parts_->options.solver});
  }
  return factorize_on_ranks<S>(system).solve(b, x, operation);
}

#define FROND_INSTANTIATE(S) \
  template SolveReport Batch::solve(const Place&, const SystemMatrix<S>&, DenseView<const S>, DenseView<S>, Operation) const;
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
