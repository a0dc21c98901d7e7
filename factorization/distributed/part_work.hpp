// SPDX-License-Identifier: BSD-3-Clause
// The work of one part of a row-distributed front, step by step, and the messages between the parts.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "factorization/distributed/front_plan.hpp"
#include "factorization/fronts/slave_rows.hpp"
#include "factorization/kernels/chunks.hpp"
#include "factorization/kernels/front_kernel.hpp"
#include "factorization/scheduling/front_part.hpp"

namespace frond {

/// What a part reports in the end.
struct PartOutcome {
  PivotCounts counts{};         ///< of a master's kernel
  Count num_panels_undone = 0;  ///< of a master: slaves refused some of their pivots
  double largest_entry = 0;     ///< of a slave's pivot rows, as defined in pivot_growth.hpp; not of Cholesky
};

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
  [[nodiscard]] virtual PartOutcome outcome() const { return {}; }                         ///< when it is finished
};

/// What the protocol of a part knows of the front; `shares` outlive the part.
struct PartPlace {
  const std::vector<RowShare>& shares;
  Rank master = 0;
  RowShare own{};  ///< of a slave
};

/// A part whose protocol decides when to send what its arithmetic makes.
template <class Arithmetic, template <class> class Protocol>
class ProtocolWork final : public PartWork {
 public:
  template <class... Arguments>
  explicit ProtocolWork(const PartPlace& place, Arguments&&... arguments)
      : arithmetic_(std::forward<Arguments>(arguments)...), protocol_(arithmetic_, place) {}

  PartStep begin() override { return protocol_.begin(); }
  PartStep go_on() override { return protocol_.go_on(); }
  PartStep receive(Rank from, std::span<const std::byte> body) override { return protocol_.receive(from, body); }
  [[nodiscard]] PartOutcome outcome() const override { return arithmetic_.outcome(); }

 private:
  Arithmetic arithmetic_;
  Protocol<Arithmetic> protocol_;
};

/// Makes the work of the master's assembled part, which sets FrontFactor::num_eliminated. `front` and `shares` outlive it.
/// `must_eliminate_all`: the contribution rows are those of a Schur complement, and columns without a pivot are eliminated by
/// complete pivoting instead of being delayed.
template <Scalar S>
[[nodiscard]] std::unique_ptr<PartWork> make_master_work(Method method, FrontFactor<S>& front, const std::vector<RowShare>& shares,
                                                         PivotTolerances<RealOf<S>> tolerances, const RunChunks& run_chunks,
                                                         bool must_eliminate_all = false);

/// Makes the work of a slave's assembled part, which sets rows.num_eliminated in the end. `rows` and `shares` outlive it.
template <Scalar S>
[[nodiscard]] std::unique_ptr<PartWork> make_slave_work(Method method, SlaveRows<S>& rows, Rank master,
                                                        const std::vector<RowShare>& shares, PivotTolerances<RealOf<S>> tolerances,
                                                        const RunChunks& run_chunks);

}  // namespace frond
