// SPDX-License-Identifier: BSD-3-Clause
// The common part of the mechanisms that keep every rank informed at all times: a decision can be made at once, from the current
// view.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "loadinfo/mechanisms/load_exchange.hpp"
#include "loadinfo/mechanisms/load_watchers.hpp"

namespace frond {

/// If ranks watch only some others, views of ranks that are not watched are meaningless.
class MaintainedView : public LoadExchange {
 public:
  /// True if rank `other` has not yet announced its last decision.
  [[nodiscard]] bool is_listening(Rank other) const { return is_listening_[other]; }

 protected:
  /// Without `watchers`, every rank watches all others.
  MaintainedView(Rank rank, Rank num_ranks, LoadSink& sink, std::shared_ptr<const LoadWatchers> watchers = {})
      : LoadExchange(rank, num_ranks, sink),
        watchers_(std::move(watchers)),
        is_listening_(static_cast<std::size_t>(num_ranks), true) {}

  /// True if `watcher` needs to know the load of `watched`.
  [[nodiscard]] bool watches(Rank watcher, Rank watched) const { return !watchers_ || watchers_->watches(watcher, watched); }

  void on_want_to_decide() override {
    if (!std::all_of(candidates().begin(), candidates().end(),
                     [this](Rank candidate) { return candidate == rank() || watches(rank(), candidate); })) {
      throw InternalError("a rank wants to choose a slave that it does not watch");
    }
  }
  [[nodiscard]] bool is_view_complete() const override { return true; }
  void on_no_more_master() override {
    const LoadMessage message{.kind = LoadMessageKind::no_more_master};
    if (!watchers_) {
      send_to_others(message);
      return;
    }
    for (const Rank watched : watchers_->watched_by(rank())) {
      send(watched, message);
    }
  }

  void on_no_more_master_of(Rank from) { is_listening_[from] = false; }

  void send_to_listeners(const LoadMessage& message) {
    const auto send_if_listening = [&](Rank to) {
      if (to != rank() && is_listening_[to]) {
        send(to, message);
      }
    };
    if (watchers_) {
      std::for_each(watchers_->of(rank()).begin(), watchers_->of(rank()).end(), send_if_listening);
      return;
    }
    for (Rank to = 0; to < num_ranks(); ++to) {
      send_if_listening(to);
    }
  }

 private:
  std::shared_ptr<const LoadWatchers> watchers_;  // null: every rank watches all others
  std::vector<bool> is_listening_;
};

}  // namespace frond
