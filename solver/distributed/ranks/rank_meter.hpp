// SPDX-License-Identifier: BSD-3-Clause
// One rank's part in measuring the backward errors of solutions with a matrix whose entries are distributed.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "frond/dense.hpp"
#include "matrices/products.hpp"
#include "solver/distributed/ranks/solve_message.hpp"
#include "solver/numerics/accuracy/backward_error.hpp"

namespace frond {

/// BackwardErrorMeter over several ranks. Each multiplies with its part of the matrix; the sums go up the tree of ranks, always in
/// the same order.
template <Scalar S>
class RankMeter {
 public:
  /// `part` has the size of the matrix and some of its entries: the parts of all ranks add up to it, and no two hold the same
  /// entry. `matrix` is that sum; only rank 0 reads its entries, to distinguish single equations. `outbox` and the arrays of the
  /// matrices must outlive this object. So must `scales`, as for ErrorScale, the same on all ranks.
  RankMeter(const MatrixView<S>& matrix, const MatrixView<S>& part, Operation operation, std::span<const RealOf<S>> scales,
            Outbox& outbox);

  /// On rank 0: starts multiplying with X.
  void start(DenseView<const S> x);

  /// Takes the message if it belongs to the meter: `reader` is behind its kind.
  [[nodiscard]] bool receive(SolveMessage kind, Rank from, ByteReader& reader);

  /// On rank 0: true once after the products with X have arrived.
  [[nodiscard]] bool take_products() { return std::exchange(has_products_, false); }

  /// Afterwards: residual := b - op(A) x for x = column k of X. Fills in the errors of ColumnReport, see ErrorScale::measure().
  [[nodiscard]] ColumnReport measure(Index k, std::span<const S> b, std::span<const S> x, std::span<S> residual,
                                     std::span<const S> correction = {}) const;

  [[nodiscard]] std::vector<RealOf<S>> sizes(std::span<const S> b, std::span<const S> x) const { return scale_->sizes(b, x); }

  [[nodiscard]] std::span<const RealOf<S>> equation_sizes() const {
    return scale_->equation_sizes();
  }  ///< of |op(A)|, after any products

 private:
  using R = RealOf<S>;
  struct Sums {                 // over some ranks, column by column of X
    std::vector<S> products;    // op(A) X, rounded
    std::vector<S> lows;        // the rounding errors of these
    std::vector<R> magnitudes;  // |op(A)| |X|
    RowSums<R> row_sums;        // of op(A), and of op(A) D if there are scales; only the first time

    Sums& operator+=(const Sums& other);
  };

  void multiply_part(std::span<const S> x);
  void combine();

  MatrixView<S> matrix_;
  MatrixView<S> part_;
  Operation operation_;
  std::span<const R> scales_;
  Outbox& outbox_;
  Sums sums_;
  std::array<Sums, 2> branch_sums_;
  Rank num_missing_ = 0;  // branches whose sums have not arrived
  bool has_products_ = false;
  std::optional<SharedProduct<S>> product_;  // with the part, from the first product on
  std::optional<ErrorScale<S>> scale_;       // rank 0
};

}  // namespace frond
