// SPDX-License-Identifier: BSD-3-Clause
// Solves with distributed factors and a distributed matrix, with iterative refinement and backward errors.
#pragma once

#include <memory>
#include <optional>

#include "frond/options.hpp"
#include "solver/course/solved_columns.hpp"
#include "solver/distributed/ranks/rank_meter.hpp"
#include "solver/distributed/ranks/solve_program.hpp"
#include "solver/numerics/accuracy/column_course.hpp"
#include "solver/numerics/accuracy/refinement_course.hpp"

namespace frond {

/// op(A) X = B for any number of columns, refined by RefinementCourse, and by the next_course() of single columns. Every rank has
/// the reports at the end.
template <Scalar S>
class RankRefinedSolve final : public SolveProgram<S> {
 public:
  /// `matrix`, `part` and `scales` as for RankMeter; `options` and the observer, which may be null, count on rank 0, where copies
  /// of the columns wanted are added to `kept`. Both outlive this object.
  RankRefinedSolve(const SolvableSystem<S>& system, const MatrixView<S>& matrix, const MatrixView<S>& part, Operation operation,
                   std::span<const RealOf<S>> scales, const RankSides<S>& sides, std::span<ColumnReport> reports,
                   const RefinementOptions& options, SolvedColumns<S>& kept, Channel& channel, Observer* observer = nullptr)
      : SolveProgram<S>(system, operation, sides, reports, channel),
        meter_(matrix, part, operation, scales, this->outbox()),
        options_(options),
        observer_(observer),
        kept_(kept) {}

 private:
  void solve_block(DenseView<const S> b, DenseView<S> x, std::span<ColumnReport> reports) override;
  bool proceed() override;
  bool receive(SolveMessage kind, Rank from, ByteReader& reader) override { return meter_.receive(kind, from, reader); }
  void judge();
  void judge_column();
  void continue_column();
  void start_columns();
  void keep_columns();

  RankMeter<S> meter_;
  RefinementOptions options_;
  Observer* observer_;
  SolvedColumns<S>& kept_;
  DenseView<const S> b_;  // of the block
  DenseView<S> x_;
  std::span<ColumnReport> reports_;
  std::optional<RefinementCourse<S>> course_;       // of the block
  std::unique_ptr<ColumnCourse<S>> column_course_;  // of a column, after it
  Index column_ = 0;
  int turn_ = 0;  // of the next course of this column
};

}  // namespace frond
