// SPDX-License-Identifier: BSD-3-Clause
// What the mechanisms share that keep every rank informed all the time: a decision can be taken at once, by the view there is.
#pragma once

#include <vector>

#include "loadinfo/load_exchange.hpp"

namespace frond {

class MaintainedView : public LoadExchange {
 public:
  /// Has rank `other` not yet said that it takes no more decisions?
  [[nodiscard]] bool is_listening(Rank other) const { return is_listening_[other]; }

 protected:
  MaintainedView(Rank rank, Rank num_ranks, LoadSink& sink)
      : LoadExchange(rank, num_ranks, sink), is_listening_(static_cast<std::size_t>(num_ranks), true) {}

  void on_want_to_decide() override {}
  [[nodiscard]] bool is_view_complete() const override { return true; }
  void on_no_more_master() override { send_to_others({.kind = LoadMessageKind::no_more_master}); }

  void on_no_more_master_of(Rank from) { is_listening_[from] = false; }

  void send_to_listeners(const LoadMessage& message) {
    for (Rank to = 0; to < num_ranks(); ++to) {
      if (to != rank() && is_listening_[to]) {
        send(to, message);
      }
    }
  }

 private:
  std::vector<bool> is_listening_;
};

}  // namespace frond
