// SPDX-License-Identifier: BSD-3-Clause
// The adversarial driver.
#include "tests/factorization/virtual_ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "factorization/front_numerics.hpp"
#include "factorization/kernels/blas_threads.hpp"
#include "factorization/rank_engine.hpp"
#include "tests/loadinfo/virtual_network.hpp"

namespace frond::test {
namespace {

// Jobs wait until the driver draws one.
class VirtualPool final : public TaskPool {
 public:
  void submit(Index /*priority*/, Job job) override { jobs_.push_back(std::move(job)); }
  void run(Job first) override {
    first();
    while (!jobs_.empty()) {
      take(0)();
    }
  }
  [[nodiscard]] int num_workers() const override { return 4; }  // large fronts are split into jobs
  [[nodiscard]] int num_workers_seen() const override { return 1; }

  [[nodiscard]] std::size_t num_jobs() const { return jobs_.size(); }
  Job take(std::size_t index) {
    Job job = std::move(jobs_[index]);
    jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(index));
    return job;
  }

 private:
  std::vector<Job> jobs_;
};

template <Scalar S>
class VirtualRank {
 public:
  VirtualRank(const Symbolic& symbolic, const TaskGraph& graph, Method method, const ScaledValues<S>& matrix,
              PivotTolerances<RealOf<S>> tolerances, Channel& channel, const std::shared_ptr<FactorStorage>& storage,
              const VirtualRun& run)
      : channel_(channel),
        arena_(0, meter_, regions_),
        numerics_({symbolic, graph, method, matrix, tolerances, *storage, arena_, meter_, regions_, false, pool_, {}}),
        engine_(graph, numerics_, numerics_, channel,
                {.tasks = {.rank = channel.rank(), .max_active = 4}, .piece_bytes = run.piece_bytes}) {
    numerics_.set_events(engine_);
  }

  RankEngine& engine() { return engine_; }
  FrontNumerics<S>& numerics() { return numerics_; }

  // One event drawn by `random`; false if there is none.
  bool step(std::mt19937& random, const VirtualRun& run, Count& num_messages) {
    if (channel_.take_room_event()) {
      engine_.on_room();
      return true;
    }
    if (pool_.num_jobs() > 0 && random() % 2 == 0) {
      return run_job(random, run);
    }
    if (std::optional<ReceivedMessage> message = channel_.poll()) {
      ++num_messages;
      if (run.is_garbled(channel_.rank())) {
        message.emplace(message->from(), 1, std::make_unique<std::byte[]>(1));
      }
      engine_.on_message(*message);
      return true;
    }
    return pool_.num_jobs() > 0 && run_job(random, run);
  }

 private:
  bool run_job(std::mt19937& random, const VirtualRun& run) {
    const TaskPool::Job job = pool_.take(random() % pool_.num_jobs());
    try {
      run.before_job(channel_.rank());
      job();
    } catch (...) {
      engine_.fail(std::current_exception());
    }
    return true;
  }

  Channel& channel_;
  MemoryMeter meter_{Count{1} << 40, "the limit is"};
  RegionPool regions_{0};
  ContributionArena arena_;
  VirtualPool pool_;
  FrontNumerics<S> numerics_;
  RankEngine engine_;
};

}  // namespace

template <Scalar S>
VirtualRunResult<S> factorize_on_virtual_ranks(const std::shared_ptr<const Symbolic>& symbolic, Method method,
                                               const SparseMatrix<S>& a, const Mapping& mapping, const VirtualRun& run) {
  const Rank num_ranks = mapping.num_ranks();
  const TaskGraph graph(symbolic->tree(), method, sizeof(S), mapping);
  const ScaledValues<S> matrix{a.values, {}, {}};
  const BlasThreadsGuard guard;
  VirtualNetwork network(num_ranks, 1, run.buffer_bytes, run.seed);
  std::mt19937 random(run.seed);
  const auto memory = std::make_shared<std::vector<std::shared_ptr<FactorStorage>>>();
  std::vector<std::unique_ptr<VirtualRank<S>>> ranks;
  for (Rank rank = 0; rank < num_ranks; ++rank) {
    const auto is_held = [&](NodeId node) { return mapping.master(node) == rank; };
    memory->push_back(
        std::make_shared<FactorStorage>(symbolic->tree(), method, sizeof(S), std::make_shared<RegionPool>(0), is_held));
    ranks.push_back(std::make_unique<VirtualRank<S>>(*symbolic, graph, method, matrix,
                                                     pivot_tolerances<S>(*symbolic, matrix, PivotingOptions{}),
                                                     network.channel(0, rank), memory->back(), run));
  }
  VirtualRunResult<S> result;
  for (const auto& rank : ranks) {
    rank->engine().start();
  }
  for (bool has_moved = true; has_moved;) {
    has_moved = network.deliver();
    const std::size_t first = random() % ranks.size();
    for (std::size_t i = 0; i < ranks.size() && !(has_moved && random() % 3 == 0); ++i) {
      has_moved = ranks[(first + i) % ranks.size()]->step(random, run, result.counts.messages) || has_moved;
    }
  }
  result.failure = ranks[0]->engine().failure();
  std::vector<FrontFactor<S>> fronts(static_cast<std::size_t>(symbolic->tree().num_nodes()));
  for (Rank rank = 0; rank < num_ranks; ++rank) {
    VirtualRank<S>& part = *ranks[static_cast<std::size_t>(rank)];
    EXPECT_TRUE(part.engine().ended()) << "rank " << rank << " hangs: " << part.engine().num_waiting_sends() << " sends wait, "
                                       << part.engine().num_outputs_left() << " outputs are not fetched, "
                                       << part.engine().num_arriving() << " are to come";
    EXPECT_EQ(part.engine().failure(), result.failure) << "rank " << rank;
    const std::vector<FrontFactor<S>> own = part.numerics().take_factors();
    for (NodeId node = 0; node < symbolic->tree().num_nodes(); ++node) {
      if (mapping.master(node) == rank) {
        fronts[static_cast<std::size_t>(node)] = own[static_cast<std::size_t>(node)];
      } else if (!result.failure) {
        EXPECT_EQ(own[static_cast<std::size_t>(node)].lower, nullptr) << "node " << node << " is still held by rank " << rank;
      }
    }
    EXPECT_TRUE(result.failure || part.engine().active_bytes() == 0)
        << "rank " << rank << " holds " << part.engine().active_bytes();
    result.report += part.numerics().report();
  }
  EXPECT_TRUE(network.is_empty());
  result.counts.refused_sends = network.num_refused();
  result.memory = memory;
  if (!result.failure) {
    result.factors.emplace(symbolic, method, std::move(fronts), memory->front(), std::vector<RealOf<S>>(),
                           std::vector<RealOf<S>>());
  }
  return result;
}

template VirtualRunResult<double> factorize_on_virtual_ranks(const std::shared_ptr<const Symbolic>&, Method,
                                                             const SparseMatrix<double>&, const Mapping&, const VirtualRun&);
template VirtualRunResult<std::complex<double>> factorize_on_virtual_ranks(const std::shared_ptr<const Symbolic>&, Method,
                                                                           const SparseMatrix<std::complex<double>>&,
                                                                           const Mapping&, const VirtualRun&);

}  // namespace frond::test
