// SPDX-License-Identifier: BSD-3-Clause
// Systems of one pattern that are factorized and solved several at a time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "frond/dense.hpp"
#include "frond/matrix.hpp"
#include "frond/report.hpp"
#include "solver/thin/lane_errors.hpp"
#include "solver/thin/thin_system.hpp"

namespace frond {

/// One system in each lane of the processor's vectors, all with the pivots of another system of their pattern, the leader. What
/// becomes of a system depends on the leader alone, and not on those in other lanes. Not thread-safe.
template <Scalar S>
class LaneSystem {
 public:
  /// Up to kLanes systems op(A_k) X_k = B_k; X_k and B_k have columns [k * num_columns, (k + 1) * num_columns).
  struct Systems {
    std::span<const SystemMatrix<S>> matrices;
    DenseView<const S> b;
    DenseView<S> x;
    Index num_columns;
    Operation operation;
  };

  explicit LaneSystem(std::shared_ptr<const ThinSystem<S>> leader);

  /// Whether systems can be solved like this one.
  [[nodiscard]] static bool suits(const ThinSystem<S>& leader);

  /// Reports of the systems for which these pivots do, and which one correction, at most, makes accurate: those get the verdict and
  /// the accuracy that they get alone. Others have no report, and anything in X. B is finite.
  [[nodiscard]] std::vector<std::optional<SolveReport>> solve(const Systems& systems);

 private:
  [[nodiscard]] bool serves(const SystemMatrix<S>& matrix) const;
  [[nodiscard]] bool may_solve(int lane) const;
  [[nodiscard]] LaneReports<S> solve_column(bool is_transposed, Index num_systems);

  std::shared_ptr<const ThinSystem<S>> leader_;
  std::unique_ptr<LaneFactors<S>> factors_;
  std::vector<LaneNumbers<S>> values_;
  std::vector<LaneNumbers<S>> b_;
  std::vector<LaneNumbers<S>> x_;
  std::vector<LaneNumbers<S>> sweep_;
  std::vector<LaneNumbers<S>> rest_;
  std::vector<LaneNumbers<S>> correction_;
  std::vector<LaneSums<S>> sums_;
};

}  // namespace frond
