// SPDX-License-Identifier: BSD-3-Clause
// The work of one part of a row-distributed front, step by step, and the messages between the parts.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "factorization/distributed/front_plan.hpp"
#include "factorization/fronts/slave_rows.hpp"
#include "factorization/kernels/chunks.hpp"
#include "factorization/kernels/front_kernel.hpp"
#include "factorization/scheduling/front_part.hpp"

namespace frond {

/// A part at work. Its steps must not overlap; each may take long, and runs its loops over rows and columns in chunks.
///
///   LU, Cholesky   the master sends panels, at most kPanelsAhead more than the slowest slave has done; slaves report how many
///                  they have done;
///   LDLT, LDLH     slaves send the maxima of their columns; the master sends a panel, slaves answer how much of it they verify,
///                  the master says how much stays (FrontKernel's keep_verified), and asks for the maxima of the rest;
///   symmetric      slaves send their rows of L to the slaves below them.
/// In the end the master reports to the slaves how many columns are eliminated. A message of a slave to another may arrive before
/// the master's panel that it belongs to.
class PartWork {
 public:
  static constexpr Index kPanelsAhead = 4;

  virtual ~PartWork() = default;
  [[nodiscard]] virtual PartStep begin() = 0;
  [[nodiscard]] virtual PartStep go_on() = 0;
  [[nodiscard]] virtual PartStep receive(Rank from, std::span<const std::byte> body) = 0;  ///< aligned as ByteReader requires
  /// Returns, for a slave at the end, the largest entry of its pivot rows as defined in pivot_growth.hpp; 0 for Cholesky and
  /// masters.
  [[nodiscard]] virtual double largest_entry() const { return 0; }
};

/// A master's part, which also reports the counts of its kernel and sets FrontFactor::num_eliminated.
template <Scalar S>
class MasterWork : public PartWork {
 public:
  [[nodiscard]] virtual const PivotCounts& counts() const = 0;
  [[nodiscard]] virtual Count num_panels_undone() const { return 0; }  ///< slaves refused some of their pivots
};

/// Makes the work of the master's assembled part. `front` and `shares` outlive it. `must_eliminate_all`: the contribution rows are
/// those of a Schur complement, and columns without a pivot are eliminated by complete pivoting instead of being delayed.
template <Scalar S>
[[nodiscard]] std::unique_ptr<MasterWork<S>> make_master_work(Method method, FrontFactor<S>& front,
                                                              const std::vector<RowShare>& shares,
                                                              PivotTolerances<RealOf<S>> tolerances, const RunChunks& run_chunks,
                                                              bool must_eliminate_all = false);

/// Makes the work of a slave's assembled part, which sets rows.num_eliminated in the end. `rows` and `shares` outlive it.
template <Scalar S>
[[nodiscard]] std::unique_ptr<PartWork> make_slave_work(Method method, SlaveRows<S>& rows, Rank master,
                                                        const std::vector<RowShare>& shares, PivotTolerances<RealOf<S>> tolerances,
                                                        const RunChunks& run_chunks);

}  // namespace frond
