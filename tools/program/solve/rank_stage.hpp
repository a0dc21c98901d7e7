// SPDX-License-Identifier: BSD-3-Clause
// Runs `frond solve` in several processes.
#pragma once

#include <cstdio>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "factorization/ranks/work_search.hpp"
#include "frond/mpi.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "matrices/steady_clock.hpp"
#include "solver/course/once_course.hpp"
#include "solver/course/system_answers.hpp"
#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_checkpoint.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "solver/distributed/mpi/rank_team.hpp"
#include "tools/program/records/run_picture.hpp"
#include "tools/program/records/run_record.hpp"
#include "tools/program/solve/system_facts.hpp"

namespace frond {

/// The stage of a SolveRun whose calls are made by all ranks together; the matrix is on the first one.
template <Scalar S>
class RankStage {
 public:
  static constexpr bool kIsDistributed = true;
  using Analysed = std::shared_ptr<const DistributedSystem<S>>;
  using Factorized = Factorization<S>;

  RankStage(const Communicator& ranks, SolverOptions options) : ranks_(ranks), team_(ranks), options_(std::move(options)) {}

  [[nodiscard]] const Team& team() const { return team_; }
  [[nodiscard]] SolverOptions& options() { return options_; }

  [[nodiscard]] Analysed analyze(const SparseMatrix<S>* matrix) const {
    const std::optional<SystemMatrix<S>> given = given_as(matrix);
    return std::make_shared<const DistributedSystem<S>>(ranks_, given ? &*given : nullptr, options_);
  }
  /// Loads the system of a checkpoint, from which factorizations continue.
  [[nodiscard]] Analysed resume(const SparseMatrix<S>* matrix) const {
    const std::optional<SystemMatrix<S>> given = given_as(matrix);
    return resume_system<S>(ranks_, given ? &*given : nullptr, options_);
  }
  /// Uses the analysis for another matrix. Throws UsageError unless it fits.
  [[nodiscard]] Analysed with_values(const Analysed& analysed, const SparseMatrix<S>* matrix) const {
    const std::optional<SystemMatrix<S>> given = given_as(matrix);
    return std::make_shared<const DistributedSystem<S>>(*analysed, given ? &*given : nullptr);
  }
  [[nodiscard]] SystemFacts facts(const Analysed& analysed) const {
    return {*analysed->symbolic(), analysed->method(), analysed->options(), analysed->mapping_options()};
  }
  /// Returns the tasks to draw.
  [[nodiscard]] TaskGraph graph(const Analysed& analysed, Method method, Count scalar_bytes) const {
    return {analysed->symbolic()->tree(), method, scalar_bytes, analysed->mapping(method), analysed->options().factorization.kept};
  }
  /// Gathers the logs of all ranks on the first one, in seconds since `origin` of its steady_seconds(). Clocks are compared when
  /// ranks leave a barrier.
  [[nodiscard]] std::vector<RankLog> logs(const WorkLog& log, double origin) const {
    RankLog mine;
    team_.agree([&] { mine = {log.spans(), log.memory()}; });
    (void)all_gather(ranks_, {});
    const double meeting = steady_seconds();
    mine = std::move(mine).shifted(-meeting);
    const std::vector<std::vector<LoggedSpan>> spans = gather_lists(mine.spans);
    const std::vector<std::vector<LoggedBytes>> memory = gather_lists(mine.memory);
    std::vector<RankLog> all;
    team_.agree([&] {
      for (std::size_t rank = 0; rank < spans.size(); ++rank) {
        all.push_back(RankLog{spans[rank], memory[rank]}.shifted(meeting - origin));
      }
    });
    return all;
  }
  /// Loaded factors own their analysis.
  [[nodiscard]] Analysed analysed_of(const Factorized& factorization) const {
    return {std::shared_ptr<const void>(), &rank_backend_of(factorization).system()};
  }
  /// Notes the order that the first process found.
  void note_order(const Analysed& ordered, AnalysisFacts& facts) const {
    const VariableOrder& order = ordered->order();
    facts.ordering.kind = order.kind;
    facts.ordering.matching = order.matching;
    facts.ordering.num_compressed = order.num_compressed;
    facts.ordering.ordering_seconds = order.ordering_seconds;
    facts.num_blocks = order.num_blocks;
    facts.largest_block = order.largest_block;
  }
  void tell_distribution(const Analysed& analysed, std::FILE* stream, DistributionFacts& facts) const {
    const SolverOptions& options = analysed->options();
    facts.load_exchange = to_string(options.ranks.load_exchange);
    facts.schedule = to_string(options.ranks.schedule);
    facts.work = to_string(options.ranks.sharing);
    facts.has_load_thread = options.ranks.load_service.use_thread && ranks_.gate().threads_may_call();
    print_mapping(stream, facts.mapping);
  }

  [[nodiscard]] std::unique_ptr<Factorized> factorize(const Analysed& analysed, const SparseMatrix<S>* /*matrix*/) const {
    return std::make_unique<Factorized>(factorize_on_ranks<S>(analysed));
  }
  [[nodiscard]] std::pair<OnceReport, std::vector<RankRunCounts>> solve_once(const Analysed& analysed,
                                                                             const SparseMatrix<S>* /*matrix*/,
                                                                             DenseView<const S> b, DenseView<S> x) const {
    const std::unique_ptr<SystemCourse<S>> course = rank_course<S>(analysed);
    const LedSides<S> sides(team_, analysed->symbolic()->order(), b, x);
    OnceReport report = OnceCourse<S>(*course).run(sides.view());
    return {std::move(report), course->current().backend().rank_counts()};
  }
  [[nodiscard]] std::unique_ptr<Factorized> load(const std::string& path, const SparseMatrix<S>* matrix) const {
    const std::optional<SystemMatrix<S>> given = given_as(matrix);
    return std::make_unique<Factorized>(load_on_ranks<S>(ranks_, {path}, given ? &*given : nullptr, options_));
  }

  /// Returns all factors, for this process alone.
  [[nodiscard]] std::unique_ptr<Factorized> replicate(const Factorized& factorization) const {
    return std::make_unique<Factorized>(replicate_factors(factorization));
  }
  [[nodiscard]] SolveReport solve_in_blocks(const Factorized& copies, DenseView<const S> b, DenseView<S> x,
                                            Operation operation) const {
    const Ranks ranks(std::shared_ptr<const Communicator>(std::shared_ptr<void>(), &ranks_));
    return frond::solve_in_blocks<S>(ranks, copies, b, x, operation);
  }

  [[nodiscard]] std::vector<RankRunCounts> counts(const Factorized& factorization) const {
    return rank_backend_of(factorization).rank_counts();
  }
  [[nodiscard]] std::vector<Count> of_all_processes(Count mine) const { return all_gather_values(ranks_, mine); }
  /// Returns the prediction for the first process, which has the record.
  [[nodiscard]] Count peak_bytes(const RunRecord& record) const {
    const auto& predicted = record.distribution.mapping.estimate.ranks;
    return predicted.empty() ? 0 : predicted.front().factor_bytes + predicted.front().peak_active_bytes;
  }
  [[nodiscard]] Count factor_bytes(const RunRecord& record) const {
    const auto& predicted = record.distribution.mapping.estimate.ranks;
    return predicted.empty() ? 0 : predicted.front().factor_bytes;
  }

 private:
  // Returns [rank] on the first process; nothing elsewhere.
  template <class T>
  [[nodiscard]] std::vector<std::vector<T>> gather_lists(const std::vector<T>& mine) const {
    const std::vector<Count> num_bytes = all_gather_values(ranks_, static_cast<Count>(mine.size() * sizeof(T)));
    std::vector<T> all;
    team_.agree([&] {
      if (team_.leads()) {
        all.resize(static_cast<std::size_t>(std::accumulate(num_bytes.begin(), num_bytes.end(), Count{0})) / sizeof(T));
      }
    });
    gather(ranks_, 0, std::as_bytes(std::span(mine)), num_bytes, std::as_writable_bytes(std::span(all)));
    std::vector<std::vector<T>> lists;
    team_.agree([&] {
      auto next = all.begin();
      for (std::size_t rank = 0; rank < num_bytes.size() && team_.leads(); ++rank) {
        const auto end = next + num_bytes[rank] / static_cast<Count>(sizeof(T));
        lists.emplace_back(next, end);
        next = end;
      }
    });
    return lists;
  }

  [[nodiscard]] static std::optional<SystemMatrix<S>> given_as(const SparseMatrix<S>* matrix) {
    return matrix != nullptr ? std::optional<SystemMatrix<S>>(*matrix) : std::nullopt;
  }

  const Communicator& ranks_;
  RankTeam team_;
  SolverOptions options_;
};

}  // namespace frond
