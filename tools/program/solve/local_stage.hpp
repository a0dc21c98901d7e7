// SPDX-License-Identifier: BSD-3-Clause
// Runs `frond solve` in one process.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "frond/factorization.hpp"
#include "frond/solve.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/course/team.hpp"
#include "solver/local/resume_local.hpp"
#include "solver/numerics/problem/analysed_matrix.hpp"
#include "tools/program/records/run_picture.hpp"
#include "tools/program/records/run_record.hpp"
#include "tools/program/solve/system_facts.hpp"

namespace frond {

/// The stage of a SolveRun in one process.
template <Scalar S>
class LocalStage {
 public:
  static constexpr bool kIsDistributed = false;
  using Analysed = Analysis;
  using Factorized = Factorization<S>;

  explicit LocalStage(SolverOptions options) : options_(std::move(options)) {}

  [[nodiscard]] const Team& team() const { return alone_; }
  [[nodiscard]] SolverOptions& options() { return options_; }

  [[nodiscard]] Analysed analyze(const SparseMatrix<S>* matrix) const { return frond::analyze(*matrix, options_); }
  /// Loads the analysis of a checkpoint, from which factorizations continue.
  [[nodiscard]] Analysed resume(const SparseMatrix<S>* matrix) const {
    SystemMatrix<S> given(*matrix);
    return Analysed(resume_analysis(given, options_));
  }
  /// Uses the analysis for another matrix. Throws UsageError unless it fits.
  [[nodiscard]] Analysed with_values(const Analysed& analysed, const SparseMatrix<S>* matrix) const {
    AnalysisParts parts = analysed.parts();
    parts.method = choose_method<S>(*matrix, options_);
    (void)AnalysedMatrix<S>(*parts.symbolic, *matrix, parts.method);
    return Analysed(std::move(parts));
  }
  [[nodiscard]] SystemFacts facts(const Analysed& analysed) const {
    return {*analysed.parts().symbolic, analysed.method(), options_, options_.analysis.mapping};
  }
  /// Returns the tasks to draw.
  [[nodiscard]] TaskGraph graph(const Analysed& analysed, Method method, Count scalar_bytes) const {
    return {analysed.parts().symbolic->tree(), method, scalar_bytes, options_.factorization.kept};
  }
  /// Returns logs in seconds since `origin`, a time of steady_seconds().
  [[nodiscard]] std::vector<RankLog> logs(const WorkLog& log, double origin) const {
    return {RankLog{log.spans(), log.memory()}.shifted(-origin)};
  }
  [[nodiscard]] Analysed analysed_of(const Factorized& factorization) const { return factorization.analysis(); }
  void note_order(const Analysed& /*ordered*/, AnalysisFacts& /*facts*/) const {}  // the analysis itself knows it
  void tell_distribution(const Analysed& /*analysed*/, std::FILE* /*stream*/, DistributionFacts& /*facts*/) const {}

  [[nodiscard]] std::unique_ptr<Factorized> factorize(const Analysed& analysed, const SparseMatrix<S>* matrix) const {
    return std::make_unique<Factorized>(analysed, *matrix);
  }
  [[nodiscard]] std::pair<OnceReport, std::vector<RankRunCounts>> solve_once(const Analysed& analysed,
                                                                             const SparseMatrix<S>* matrix, DenseView<const S> b,
                                                                             DenseView<S> x) const {
    OnceReport report = frond::solve_once<S>(analysed, *matrix, b, x);
    std::vector<RankRunCounts> counts{counts_of_one_process(report.system.factorization)};
    return {std::move(report), std::move(counts)};
  }
  [[nodiscard]] std::unique_ptr<Factorized> load(const std::string& path, const SparseMatrix<S>* matrix) const {
    return std::make_unique<Factorized>(Factorized::load(path, *matrix, options_));
  }

  [[nodiscard]] std::vector<RankRunCounts> counts(const Factorized& factorization) const {
    return {counts_of_one_process(factorization.report().factorization)};
  }
  [[nodiscard]] std::vector<Count> of_all_processes(Count mine) const { return {mine}; }
  /// Returns the prediction for this process.
  [[nodiscard]] Count peak_bytes(const RunRecord& record) const { return record.analysis.memory.peak_bytes(); }
  [[nodiscard]] Count factor_bytes(const RunRecord& record) const { return record.factorization.report.factorization.factor_bytes; }

 private:
  SolverOptions options_;
  Alone alone_;
};

}  // namespace frond
