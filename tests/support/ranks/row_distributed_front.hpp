// SPDX-License-Identifier: BSD-3-Clause
// Simulates one front with its rows over a master and slaves, all in this process. Messages are copies, and the slaves take them as
// late as the protocol allows.
#pragma once

#include <string>
#include <vector>

#include "factorization/kernels/row_panel.hpp"
#include "tests/support/ranks/single_front.hpp"

namespace frond::test {

/// Mistakes in the protocol that the oracles must notice.
enum class Fault {
  none,
  lost_exchanges,   ///< the slaves are not informed of exchanges
  lost_rows,        ///< the last slave does not get the first slave's rows of L
  ignored_verdict,  ///< pivots that failed the verification stay
  forgotten_undo    ///< the first slave keeps pivots that the others undo
};

/// Half-open ranges of contribution rows: slave i has offsets[i] .. offsets[i+1].
using RowPartition = std::vector<Index>;

/// Returns one irregular partition for each number of slaves from 1 to 4, as far as there are enough rows.
[[nodiscard]] std::vector<RowPartition> irregular_partitions(Index num_rows, std::uint64_t seed);

/// Returns all partitions of `num_rows` rows.
[[nodiscard]] std::vector<RowPartition> all_partitions(Index num_rows);

[[nodiscard]] std::string to_string(const RowPartition& partition);

struct ProtocolCounts {
  Count panels = 0;
  Count panels_undone = 0;  ///< with pivots that were taken back
};

template <Scalar S>
class RowDistributedFront {
 public:
  RowDistributedFront(Method method, const DenseMatrix<S>& matrix, Index num_fully_summed, const RowPartition& partition);

  void eliminate(const PivotTolerances<RealOf<S>>& tolerances, Fault fault = Fault::none);

  /// Returns the parts of all processes, joined as one process would hold them.
  [[nodiscard]] SingleFront<S>& gathered() { return gathered_; }

  [[nodiscard]] const PivotCounts& counts() const { return counts_; }
  [[nodiscard]] const ProtocolCounts& protocol() const { return protocol_; }

 private:
  struct Slave {
    Index row_begin;
    Index num_rows;
    std::vector<S> summed;  // num_rows x p
    std::vector<S> cb;      // LU: cb_order x num_rows, else num_rows x (row_begin + num_rows)
  };

  void scatter();
  void gather();
  template <class Move>
  void move_entries(Move move);
  template <class SentPanel, class Kernel>
  std::vector<SentPanel> master_panels(Kernel& kernel);
  void eliminate_lu(const PivotTolerances<RealOf<S>>& tolerances, Fault fault);
  void eliminate_cholesky(const PivotTolerances<RealOf<S>>& tolerances, Fault fault);
  void eliminate_ldlt(const PivotTolerances<RealOf<S>>& tolerances, Fault fault);
  [[nodiscard]] LuRowBlock<S> lu_rows(Slave& slave) const;
  [[nodiscard]] SymmetricRowBlock<S> symmetric_rows(Slave& slave) const;

  Method method_;
  SingleFront<S> gathered_;
  FrontFactor<S> master_;  // its `lower` is master_lower_, other arrays are those of gathered_
  std::vector<S> master_lower_;
  std::vector<Slave> slaves_;
  PivotCounts counts_;
  ProtocolCounts protocol_;
};

}  // namespace frond::test
