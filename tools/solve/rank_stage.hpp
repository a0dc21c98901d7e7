// SPDX-License-Identifier: BSD-3-Clause
// `frond solve` in several processes.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "loadinfo/mpi/collective.hpp"
#include "solver/mpi/distributed_factorization.hpp"
#include "solver/mpi/distributed_once.hpp"
#include "solver/mpi/rank_team.hpp"
#include "tools/records/run_record.hpp"
#include "tools/solve/system_facts.hpp"

namespace frond {

/// The stage of a SolveRun on which ranks make all calls together; the matrix is on the first one.
template <Scalar S>
class RankStage {
 public:
  static constexpr bool kIsDistributed = true;
  using Analysed = std::shared_ptr<const DistributedSystem<S>>;
  using Factorized = DistributedFactorization<S>;

  RankStage(const Communicator& ranks, DistributedOptions options) : ranks_(ranks), team_(ranks), options_(std::move(options)) {}

  [[nodiscard]] const Team& team() const { return team_; }
  [[nodiscard]] SolverOptions& options() { return options_.solver; }

  [[nodiscard]] Analysed analyze(const SparseMatrix<S>* matrix) const {
    const std::optional<SystemMatrix<S>> given = given_as(matrix);
    return std::make_shared<const DistributedSystem<S>>(ranks_, given ? &*given : nullptr, options_);
  }
  /// For another matrix. Throws UsageError unless it fits.
  [[nodiscard]] Analysed with_values(const Analysed& analysed, const SparseMatrix<S>* matrix) const {
    const std::optional<SystemMatrix<S>> given = given_as(matrix);
    return std::make_shared<const DistributedSystem<S>>(*analysed, given ? &*given : nullptr);
  }
  [[nodiscard]] SystemFacts facts(const Analysed& analysed) const {
    return {*analysed->symbolic(), analysed->method(), analysed->options().solver, analysed->mapping_options()};
  }
  [[nodiscard]] const Symbolic& symbolic(const Factorized& factorization) const { return factorization.symbolic(); }
  /// Factors that were loaded own their analysis.
  [[nodiscard]] Analysed analysed_of(const Factorized& factorization) const {
    return {std::shared_ptr<const void>(), &factorization.system()};
  }
  /// As the first process found it.
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
    const DistributedOptions& options = analysed->options();
    facts.load_exchange = to_string(options.load_exchange);
    facts.schedule = to_string(options.schedule);
    facts.has_load_thread = options.load_service.use_thread && ranks_.gate().threads_may_call();
    print_mapping(stream, facts.mapping);
  }

  [[nodiscard]] std::unique_ptr<Factorized> factorize(const Analysed& analysed, const SparseMatrix<S>* /*matrix*/) const {
    return std::make_unique<Factorized>(analysed);
  }
  [[nodiscard]] std::pair<OnceReport, std::vector<RankRunCounts>> solve_once(const Analysed& analysed,
                                                                             const SparseMatrix<S>* /*matrix*/,
                                                                             DenseView<const S> b, DenseView<S> x) const {
    DistributedOnceReport report = frond::solve_once<S>(analysed, b, x);
    return {std::move(report.whole), std::move(report.rank_counts)};
  }
  [[nodiscard]] std::unique_ptr<Factorized> load(const std::string& path, const SparseMatrix<S>* matrix) const {
    const std::optional<SystemMatrix<S>> given = given_as(matrix);
    return Factorized::load(ranks_, path, given ? &*given : nullptr, options_);
  }

  [[nodiscard]] std::vector<RankRunCounts> counts(const Factorized& factorization) const { return factorization.rank_counts(); }
  [[nodiscard]] std::vector<Count> of_all_processes(Count mine) const { return all_gather_values(ranks_, mine); }
  /// Predicted for the first process, which has the record.
  [[nodiscard]] Count peak_bytes(const RunRecord& record) const {
    const auto& predicted = record.distribution.mapping.estimate.ranks;
    return predicted.empty() ? 0 : predicted.front().factor_bytes + predicted.front().peak_active_bytes;
  }
  [[nodiscard]] Count factor_bytes(const RunRecord& record) const {
    const auto& predicted = record.distribution.mapping.estimate.ranks;
    return predicted.empty() ? 0 : predicted.front().factor_bytes;
  }

 private:
  [[nodiscard]] static std::optional<SystemMatrix<S>> given_as(const SparseMatrix<S>* matrix) {
    return matrix != nullptr ? std::optional<SystemMatrix<S>>(*matrix) : std::nullopt;
  }

  const Communicator& ranks_;
  RankTeam team_;
  DistributedOptions options_;
};

}  // namespace frond
