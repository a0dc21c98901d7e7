// SPDX-License-Identifier: BSD-3-Clause
// Follows the protocols of real parts by sizes, with costs from analysis/tree/front_cost.hpp.
#include "factorization/ghosts/ghost_parts.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "factorization/distributed/master_protocol.hpp"
#include "factorization/distributed/part_message.hpp"
#include "factorization/distributed/slave_protocol.hpp"
#include "factorization/kernels/rank_update.hpp"
#include "frond/error.hpp"

namespace frond {
namespace {

// Columns of the next panel, behind `num_eliminated` others.
Index panel_width(const FrontSize& size, Index num_eliminated) {
  return std::min(kPanelWidth, size.num_fully_summed - num_eliminated);
}

double master_flops(const GhostFront& front, Index begin, Index width) {
  const auto left = [&](Index eliminated) {
    return master_cost(front.size.order - eliminated, front.size.num_fully_summed - eliminated, front.method).flops;
  };
  return left(begin) - left(begin + width);
}

// Returns a slave's flops, including those for rows from above.
double slave_flops(const GhostFront& front, const RowShare& share, Index begin, Index width) {
  const auto left = [&](Index eliminated) {
    return slave_cost(front.size.order - eliminated, front.size.num_fully_summed - eliminated, share.row_begin, share.row_end,
                      front.method)
        .flops;
  };
  return left(begin) - left(begin + width);
}

Index num_rows(const RowShare& share) { return share.row_end - share.row_begin; }

class GhostWork {
 public:
  explicit GhostWork(const GhostFront& front) : front_(front) {}
  [[nodiscard]] static PartOutcome outcome() { return {}; }

 protected:
  [[nodiscard]] const GhostFront& front() const { return front_; }
  void add_flops(double flops) { front_.flops += flops; }

 private:
  GhostFront front_;
};

// The Arithmetic of a PanelMaster and of a VerifiedMaster.
class GhostElimination : public GhostWork {
 public:
  using GhostWork::GhostWork;

  [[nodiscard]] bool done() const { return num_eliminated_ == front().size.num_fully_summed; }

  // A panel has the rows from its first one on, as those of kernels: all that the master holds, and for LU all columns of A that it
  // holds.
  std::optional<PartPayload> next_panel() {
    width_ = panel_width(front().size, num_eliminated_);
    const Index rows = (front().method == Method::lu ? front().size.order : front().size.num_fully_summed) - num_eliminated_;
    add_flops(master_flops(front(), num_eliminated_, width_));
    return PartPayload{encode_part(PartMessageKind::panel, width_), static_cast<Count>(rows) * width_ * front().scalar_bytes};
  }
  void keep_panel() { num_eliminated_ += width_; }
  Index keep_verified() {
    keep_panel();
    return width_;
  }
  std::optional<PartPayload> last_panel() const { return std::nullopt; }
  [[nodiscard]] Index last_width() const { return 0; }
  [[nodiscard]] EndOfPanels end(Index num_panels) const { return {num_eliminated_, num_panels}; }

  void take_maxima(ByteReader& reader) const { static_cast<void>(reader.value<Index>()); }
  void take_verdict(ByteReader& reader) const { static_cast<void>(reader.value<Index>()); }

 private:
  Index num_eliminated_ = 0;
  Index width_ = 0;  // of the panel
};

// The Arithmetic of slaves, without numbers.
class GhostRows : public GhostWork {
 public:
  GhostRows(const GhostFront& front, const RowShare& share) : GhostWork(front), share_(share) {
    for (const RowShare& other : front.shares) {
      if (other.row_begin < share.row_begin) {
        num_rows_above_[other.rank] = num_rows(other);
      }
    }
  }

  void take_panel(ByteReader& reader) {
    width_ = reader.value<Index>();
    if (front().method == Method::lu) {
      eliminate();
    }
  }
  [[nodiscard]] PartPayload own_rows() const {
    const Count bytes = static_cast<Count>(num_rows(share_)) * width_ * front().scalar_bytes;
    return {encode_part(PartMessageKind::rows, width_), bytes};
  }
  // The rest of the panel's flops comes with rows of other slaves.
  void apply_own_rows() {
    const Index width = width_;
    eliminate();
    for (const auto& [rank, rows] : num_rows_above_) {
      add_flops(-flops_with(rows, width));
    }
  }
  void apply_rows(Rank from, ByteReader& reader) { add_flops(flops_with(num_rows_above_.at(from), reader.value<Index>())); }

  [[nodiscard]] PartPayload maxima() const {
    const Index left = front().size.num_fully_summed - num_eliminated_;
    return {encode_part(PartMessageKind::maxima, left), front().real_bytes * left};
  }
  Index verify(std::span<const std::byte> body) {
    ByteReader reader(body);
    static_cast<void>(reader.value<PartMessageKind>());
    width_ = reader.value<Index>();
    add_flops(verification_flops());
    return width_;
  }
  void commit(Index /*num_pivots*/) { add_flops(-verification_flops()); }  // done before the verdict
  void end(const EndOfPanels& /*end*/) const {}

 private:
  void eliminate() {
    add_flops(slave_flops(front(), share_, num_eliminated_, width_));
    num_eliminated_ += width_;
  }
  [[nodiscard]] double verification_flops() const { return static_cast<double>(num_rows(share_)) * width_ * width_; }
  [[nodiscard]] double flops_with(Index rows_above, Index width) const { return 2.0 * rows_above * num_rows(share_) * width; }

  RowShare share_;
  std::map<Rank, Index> num_rows_above_;  // of the slaves above
  Index width_ = 0;                       // of the last panel that arrived
  Index num_eliminated_ = 0;
};

}  // namespace

std::unique_ptr<PartWork> make_ghost_master(const GhostFront& front) {
  const PartPlace place{front.shares};
  if (front.method == Method::ldlt || front.method == Method::ldlh) {
    return std::make_unique<ProtocolWork<GhostElimination, VerifiedMaster>>(place, front);
  }
  return std::make_unique<ProtocolWork<GhostElimination, PanelMaster>>(place, front);
}

std::unique_ptr<PartWork> make_ghost_slave(const GhostFront& front, Rank slave) {
  const RowShare share = share_of(front.shares, slave);
  const PartPlace place{front.shares, front.master, share};
  switch (front.method) {
    case Method::lu:
      return std::make_unique<ProtocolWork<GhostRows, LuSlave>>(place, front, share);
    case Method::cholesky:
      return std::make_unique<ProtocolWork<GhostRows, CholeskySlave>>(place, front, share);
    case Method::ldlt:
    case Method::ldlh:
      return std::make_unique<ProtocolWork<GhostRows, LdltSlave>>(place, front, share);
  }
  throw InternalError("a factorization method without row-distributed fronts");
}

}  // namespace frond
