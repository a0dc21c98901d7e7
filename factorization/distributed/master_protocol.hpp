// SPDX-License-Identifier: BSD-3-Clause
// Decides which messages the master of a row-distributed front sends when, for real arithmetic and for simulations without numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "factorization/distributed/front_plan.hpp"
#include "factorization/distributed/part_message.hpp"
#include "factorization/distributed/part_work.hpp"
#include "factorization/scheduling/front_part.hpp"
#include "frond/error.hpp"

namespace frond {

/// The common part of both masters. An Arithmetic eliminates:
///
///   bool done()                                  no pivot is left to be looked for
///   optional<PartPayload> next_panel()           eliminates the next panel; nothing: it has no pivots
///   optional<PartPayload> last_panel()           where nothing may be delayed, the columns that were rejected
///   EndOfPanels end(Index num_panels)            the last message to the slaves
template <class Arithmetic>
class MasterProtocol {
 public:
  /// The arithmetic must outlive the protocol.
  MasterProtocol(Arithmetic& arithmetic, const PartPlace& place) : arithmetic_(arithmetic), shares_(place.shares) {}

 protected:
  [[nodiscard]] Arithmetic& arithmetic() { return arithmetic_; }
  [[nodiscard]] const Arithmetic& arithmetic() const { return arithmetic_; }
  [[nodiscard]] std::size_t num_slaves() const { return shares_.size(); }
  [[nodiscard]] Index num_panels() const { return num_panels_; }
  void count_panel() { ++num_panels_; }

  void send_to_all(PartPayload payload, PartStep& step) const {
    step.messages.push_back({ranks_of(shares_), PartRole::slave, std::move(payload.body), payload.num_ghost_bytes});
  }
  void send_end(PartStep& step) { send_to_all({encode_part(PartMessageKind::end, arithmetic_.end(num_panels_))}, step); }

  [[nodiscard]] std::size_t index_of(Rank slave) const {
    const auto found = std::find_if(shares_.begin(), shares_.end(), [slave](const RowShare& share) { return share.rank == slave; });
    if (found == shares_.end()) {
      throw InternalError("rank " + std::to_string(slave) + " answers for a front of which it holds no rows");
    }
    return static_cast<std::size_t>(found - shares_.begin());
  }

  [[noreturn]] static void fail_on_kind() { throw InternalError("the master of a front received what slaves do not send"); }

 private:
  Arithmetic& arithmetic_;
  const std::vector<RowShare>& shares_;
  Index num_panels_ = 0;  // that had pivots
};

/// LU and Cholesky: what the master accepts, the slaves accept. The Arithmetic also has
///
///   void keep_panel()                            all pivots of the panel, if it has any
template <class Arithmetic>
class PanelMaster : public MasterProtocol<Arithmetic> {
 public:
  PanelMaster(Arithmetic& arithmetic, const PartPlace& place)
      : MasterProtocol<Arithmetic>(arithmetic, place), num_applied_(place.shares.size(), 0) {}

  PartStep begin() { return go_on(); }

  PartStep go_on() {
    PartStep step;
    if (!this->arithmetic().done()) {
      send_panel(this->arithmetic().next_panel(), step);
      this->arithmetic().keep_panel();
      if (this->arithmetic().done()) {
        send_panel(this->arithmetic().last_panel(), step);
        this->send_end(step);
      }
    }
    return judge(std::move(step));
  }

  PartStep receive(Rank from, std::span<const std::byte> body) {
    ByteReader reader(body);
    if (reader.value<PartMessageKind>() != PartMessageKind::done) {
      this->fail_on_kind();
    }
    num_applied_[this->index_of(from)] = reader.value<Index>();
    reader.expect_end();
    return judge({});
  }

 private:
  void send_panel(std::optional<PartPayload> panel, PartStep& step) {
    if (panel) {
      this->send_to_all(std::move(*panel), step);
      this->count_panel();
    }
  }

  [[nodiscard]] PartStep judge(PartStep step) const {
    const bool is_done = this->arithmetic().done();
    const Index behind = this->num_panels() - *std::min_element(num_applied_.begin(), num_applied_.end());
    step.goes_on = !is_done && behind < PartWork::kPanelsAhead;
    step.finished = is_done && behind == 0;
    return step;
  }

  std::vector<Index> num_applied_;  // [slave] = panels
};

/// LDLT and LDLH: one panel at a time, since the next one depends on what the slaves verify. The Arithmetic also has
///
///   void take_maxima(ByteReader&)                of the columns that are left, of one slave
///   void take_verdict(ByteReader&)               how many pivots of the panel it verifies
///   optional<PartPayload> next_panel()           skips panels without pivots
///   Index keep_verified()                        what all have verified; how many pivots stay
///   Index last_width()                           of last_panel()
template <class Arithmetic>
class VerifiedMaster : public MasterProtocol<Arithmetic> {
 public:
  VerifiedMaster(Arithmetic& arithmetic, const PartPlace& place)
      : MasterProtocol<Arithmetic>(arithmetic, place), answers_left_(place.shares.size()) {}

  PartStep begin() { return {}; }
  PartStep go_on() { throw InternalError("the master of an indefinite front waits for its slaves"); }

  PartStep receive(Rank from, std::span<const std::byte> body) {
    static_cast<void>(this->index_of(from));
    ByteReader reader(body);
    const auto kind = reader.value<PartMessageKind>();
    PartStep step;
    if (kind == PartMessageKind::maxima) {
      this->arithmetic().take_maxima(reader);
    } else if (kind == PartMessageKind::verdict) {
      this->arithmetic().take_verdict(reader);
    } else {
      this->fail_on_kind();
    }
    reader.expect_end();
    if (--answers_left_ == 0) {
      answers_left_ = this->num_slaves();
      kind == PartMessageKind::maxima ? next_panel(step) : commit(step);
    }
    return step;
  }

 private:
  void next_panel(PartStep& step) {
    if (std::optional<PartPayload> panel = this->arithmetic().next_panel()) {
      this->send_to_all(std::move(*panel), step);
    } else {
      finish(step);
    }
  }

  // Where nothing may be delayed, the rejected columns form a last panel, all of which stays.
  void finish(PartStep& step) {
    if (std::optional<PartPayload> last = this->arithmetic().last_panel()) {
      is_final_ = true;
      this->send_to_all(std::move(*last), step);
    } else {
      end(step);
    }
  }

  void commit(PartStep& step) {
    if (is_final_) {
      this->count_panel();
      send_commit({this->arithmetic().last_width(), false}, step);
      end(step);
      return;
    }
    const Index num_kept = this->arithmetic().keep_verified();
    if (num_kept > 0) {
      this->count_panel();
    }
    const bool is_done = this->arithmetic().done();
    send_commit({num_kept, !is_done}, step);
    if (is_done) {
      finish(step);
    }
  }

  void send_commit(const CommitOfPanel& commit, PartStep& step) const {
    this->send_to_all({encode_part(PartMessageKind::commit, commit)}, step);
  }

  void end(PartStep& step) {
    this->send_end(step);
    step.finished = true;
  }

  std::size_t answers_left_;
  bool is_final_ = false;  // the panel is the last one, of what was rejected
};

}  // namespace frond
