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
#include "loadinfo/load_server.hpp"
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

// What the ranks share.
template <Scalar S>
struct Problem {
  const Symbolic& symbolic;
  Method method;
  const Mapping& mapping;
  const TaskGraph& graph;
  ScaledValues<S> matrix;
  PivotTolerances<RealOf<S>> tolerances;
};

template <Scalar S>
class VirtualRank {
 public:
  VirtualRank(const Problem<S>& problem, VirtualNetwork& network, Rank rank, const VirtualRun& run)
      : channel_(network.channel(0, rank)),
        meter_(run.memory_limit, "the limit is"),
        storage_(std::make_shared<FactorStorage>(problem.symbolic.tree(), problem.method, sizeof(S),
                                                 std::make_shared<RegionPool>(0),
                                                 [&problem, rank](NodeId node) { return shape_on(problem.mapping, node, rank); })),
        arena_(0, meter_, regions_),
        numerics_({{problem.symbolic, problem.graph, problem.method, problem.matrix, problem.tolerances, *storage_, arena_, meter_},
                   regions_,
                   false,
                   pool_,
                   {},
                   rank}),
        loads_(network.channel(1, rank), {run.mechanism, {}}),
        engine_({problem.symbolic.tree(), problem.method, sizeof(S), problem.graph, problem.mapping, numerics_, numerics_, channel_,
                 loads_},
                {.tasks = {.rank = rank, .max_active = 4}, .selection = run.selection, .piece_bytes = run.piece_bytes}) {
    numerics_.set_events(engine_);
  }

  RankEngine& engine() { return engine_; }
  FrontNumerics<S>& numerics() { return numerics_; }
  [[nodiscard]] RankFactors<S> take_factors() const { return numerics_.fronts().take_factors(storage_); }

  // One event drawn by `random`; false if there is none.
  bool step(std::mt19937& random, const VirtualRun& run, Count& num_messages) {
    if (random() % 2 == 0 && serve_loads()) {
      return true;
    }
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
    if (pool_.num_jobs() > 0) {
      return run_job(random, run);
    }
    return serve_loads();
  }

 private:
  bool serve_loads() {
    const bool has_served = loads_.serve() > 0;
    return engine_.on_load_event() || has_served;
  }

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
  MemoryMeter meter_;
  RegionPool regions_{0};
  std::shared_ptr<FactorStorage> storage_;
  ContributionArena arena_;
  VirtualPool pool_;
  FrontNumerics<S> numerics_;
  LoadServer loads_;
  RankEngine engine_;
};

}  // namespace

template <Scalar S>
VirtualRunResult<S> factorize_on_virtual_ranks(const std::shared_ptr<const Symbolic>& symbolic, Method method,
                                               const SparseMatrix<S>& a, const Mapping& mapping, const VirtualRun& run) {
  const Rank num_ranks = mapping.num_ranks();
  const TaskGraph graph(symbolic->tree(), method, sizeof(S), mapping);
  const ScaledValues<S> matrix{a.values, {}, {}};
  const Problem<S> problem{*symbolic, method, mapping, graph, matrix, pivot_tolerances<S>(*symbolic, matrix, PivotingOptions{})};
  const BlasThreadsGuard guard;
  VirtualNetwork network(num_ranks, 2, run.buffer_bytes, run.seed);
  std::mt19937 random(run.seed);
  std::vector<std::unique_ptr<VirtualRank<S>>> ranks;
  for (Rank rank = 0; rank < num_ranks; ++rank) {
    ranks.push_back(std::make_unique<VirtualRank<S>>(problem, network, rank, run));
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
  for (Rank rank = 0; rank < num_ranks; ++rank) {
    VirtualRank<S>& part = *ranks[static_cast<std::size_t>(rank)];
    const RankEngine& engine = part.engine();
    EXPECT_TRUE(engine.ended()) << "rank " << rank << " hangs: " << engine.num_waiting_sends() << " sends wait, "
                                << engine.num_outputs_left() << " outputs have not gone, " << engine.num_arriving()
                                << " streams are to come, " << engine.num_undecided() << " fronts have no slaves";
    EXPECT_EQ(engine.failure(), result.failure) << "rank " << rank;
    result.factors.push_back(part.take_factors());
    EXPECT_TRUE(result.failure || engine.tasks().active_bytes() == 0)
        << "rank " << rank << " holds " << engine.tasks().active_bytes();
    result.report += part.numerics().report();
    result.counts.decisions += engine.counts().decisions;
    result.counts.slaves_chosen += engine.counts().slaves_chosen;
    result.counts.refusals += engine.counts().refusals;
  }
  EXPECT_TRUE(network.is_empty());
  result.counts.refused_sends = network.num_refused();
  return result;
}

template VirtualRunResult<double> factorize_on_virtual_ranks(const std::shared_ptr<const Symbolic>&, Method,
                                                             const SparseMatrix<double>&, const Mapping&, const VirtualRun&);
template VirtualRunResult<std::complex<double>> factorize_on_virtual_ranks(const std::shared_ptr<const Symbolic>&, Method,
                                                                           const SparseMatrix<std::complex<double>>&,
                                                                           const Mapping&, const VirtualRun&);

}  // namespace frond::test
