// SPDX-License-Identifier: BSD-3-Clause
// Decides which messages the slaves of a row-distributed front send when, for real arithmetic and for simulations without numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "factorization/distributed/front_plan.hpp"
#include "factorization/distributed/part_message.hpp"
#include "factorization/scheduling/front_part.hpp"
#include "frond/error.hpp"

namespace frond {

/// The common part of all slaves. An Arithmetic works on the slave's rows:
///
///   void take_panel(ByteReader&)                 LU, Cholesky: the rows take a panel, and for Cholesky become rows of L
///   void end(const EndOfPanels&)
template <class Arithmetic>
class SlaveProtocol {
 public:
  /// The arithmetic must outlive the protocol.
  SlaveProtocol(Arithmetic& arithmetic, const PartPlace& place) : arithmetic_(arithmetic), master_(place.master) {}

  PartStep go_on() { throw InternalError("a slave waits for its master"); }

 protected:
  [[nodiscard]] Arithmetic& arithmetic() { return arithmetic_; }
  void send_to_master(PartPayload payload, PartStep& step) const {
    step.messages.push_back({{master_}, PartRole::master, std::move(payload.body), payload.num_ghost_bytes});
  }
  [[noreturn]] static void fail_on_kind() { throw InternalError("a slave of a front received what is not sent to slaves"); }

 private:
  Arithmetic& arithmetic_;
  Rank master_;
};

template <class Arithmetic>
class LuSlave : public SlaveProtocol<Arithmetic> {
 public:
  using SlaveProtocol<Arithmetic>::SlaveProtocol;

  PartStep begin() { return {}; }

  PartStep receive(Rank /*from*/, std::span<const std::byte> body) {
    ByteReader reader(body);
    PartStep step;
    switch (reader.value<PartMessageKind>()) {
      case PartMessageKind::panel:
        this->arithmetic().take_panel(reader);
        ++num_applied_;
        this->send_to_master({encode_part(PartMessageKind::done, num_applied_)}, step);
        break;
      case PartMessageKind::end:
        this->arithmetic().end(decoded<EndOfPanels>(reader));
        step.finished = true;
        break;
      default:
        this->fail_on_kind();
    }
    reader.expect_end();
    return step;
  }

 private:
  Index num_applied_ = 0;  // panels
};

/// The common part of slaves of the symmetric methods: rows of L that are sent down and arrive from above. Rows from above wait
/// until this slave has its own rows of the same panel. The Arithmetic also has
///
///   PartPayload own_rows()                       of L, in the panel that stays
///   void apply_own_rows()                        to the rows of this slave
///   void apply_rows(Rank from, ByteReader&)      likewise, rows from above
template <class Arithmetic>
class SymmetricSlave : public SlaveProtocol<Arithmetic> {
 public:
  SymmetricSlave(Arithmetic& arithmetic, const PartPlace& place) : SlaveProtocol<Arithmetic>(arithmetic, place) {
    for (const RowShare& share : place.shares) {
      if (share.row_begin < place.own.row_begin) {
        above_[share.rank] = {};
      } else if (share.row_begin > place.own.row_begin) {
        below_.push_back(share.rank);
      }
    }
  }

 protected:
  // Sends and applies the slave's own rows in the columns of a panel that stays.
  void finish_panel(PartStep& step) {
    if (!below_.empty()) {
      PartPayload rows = this->arithmetic().own_rows();
      step.messages.push_back({below_, PartRole::slave, std::move(rows.body), rows.num_ghost_bytes});
    }
    this->arithmetic().apply_own_rows();
    ++num_panels_;
    apply_from_above();
  }

  // Handles the messages common to Cholesky and LDLT: rows from above, and the end.
  void take_other(PartMessageKind kind, Rank from, std::span<const std::byte> body, ByteReader& reader) {
    if (kind == PartMessageKind::rows) {
      above_.at(from).waiting.emplace_back(body.begin(), body.end());
      apply_from_above();
    } else if (kind == PartMessageKind::end) {
      const EndOfPanels end = decoded<EndOfPanels>(reader);
      this->arithmetic().end(end);
      panels_in_all_ = end.num_panels;
    } else {
      this->fail_on_kind();
    }
  }

  [[nodiscard]] bool is_finished() const { return panels_in_all_ >= 0 && num_done_from_above() >= panels_in_all_; }

  // The number of panels of which this slave has done its own rows and, for those before the last, the rows from above.
  [[nodiscard]] Index num_panels_done() const { return std::min(num_panels_, num_done_from_above() + 1); }

 private:
  struct Above {
    std::deque<std::vector<std::byte>> waiting;
    Index num_applied = 0;
  };

  [[nodiscard]] Index num_done_from_above() const {
    Index done = num_panels_;
    for (const auto& [rank, above] : above_) {
      done = std::min(done, above.num_applied);
    }
    return done;
  }

  void apply_from_above() {
    for (auto& [rank, above] : above_) {
      for (; !above.waiting.empty() && above.num_applied < num_panels_; ++above.num_applied) {
        ByteReader reader(above.waiting.front());
        static_cast<void>(reader.value<PartMessageKind>());
        this->arithmetic().apply_rows(rank, reader);
        reader.expect_end();
        above.waiting.pop_front();
      }
    }
  }

  std::map<Rank, Above> above_;
  std::vector<Rank> below_;
  Index num_panels_ = 0;      // that stayed and whose own rows are applied here
  Index panels_in_all_ = -1;  // as the master reports at the end
};

template <class Arithmetic>
class CholeskySlave : public SymmetricSlave<Arithmetic> {
 public:
  using SymmetricSlave<Arithmetic>::SymmetricSlave;

  PartStep begin() { return {}; }

  PartStep receive(Rank from, std::span<const std::byte> body) {
    ByteReader reader(body);
    PartStep step;
    switch (const auto kind = reader.value<PartMessageKind>()) {
      case PartMessageKind::panel:
        this->arithmetic().take_panel(reader);
        this->finish_panel(step);
        break;
      default:
        this->take_other(kind, from, body, reader);
    }
    if (this->num_panels_done() > num_told_) {
      num_told_ = this->num_panels_done();
      this->send_to_master({encode_part(PartMessageKind::done, num_told_)}, step);
    }
    step.finished = this->is_finished();
    return step;
  }

 private:
  Index num_told_ = 0;
};

/// LDLT and LDLH. The Arithmetic also has
///
///   PartPayload maxima()                         of the columns that are left
///   Index verify(body)                           how many pivots of the panel, which it keeps until they are committed
///   void commit(Index num_pivots)                of that panel stay
template <class Arithmetic>
class LdltSlave : public SymmetricSlave<Arithmetic> {
 public:
  using SymmetricSlave<Arithmetic>::SymmetricSlave;

  PartStep begin() {
    PartStep step;
    this->send_to_master(this->arithmetic().maxima(), step);
    return step;
  }

  PartStep receive(Rank from, std::span<const std::byte> body) {
    ByteReader reader(body);
    PartStep step;
    switch (const auto kind = reader.value<PartMessageKind>()) {
      case PartMessageKind::panel:
        this->send_to_master({encode_part(PartMessageKind::verdict, this->arithmetic().verify(body))}, step);
        break;
      case PartMessageKind::commit:
        commit(decoded<CommitOfPanel>(reader), step);
        break;
      default:
        this->take_other(kind, from, body, reader);
    }
    step.finished = this->is_finished();
    return step;
  }

 private:
  void commit(const CommitOfPanel& commit, PartStep& step) {
    this->arithmetic().commit(commit.num_pivots);
    if (commit.num_pivots > 0) {
      this->finish_panel(step);
    }
    if (commit.wants_maxima) {
      this->send_to_master(this->arithmetic().maxima(), step);
    }
  }
};

}  // namespace frond
