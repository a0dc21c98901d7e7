// SPDX-License-Identifier: BSD-3-Clause
// The naive mechanism (Guermouche and L'Excellent 2005, section 2.1): a rank sends its load once it has moved far enough from the
// load it sent last.
#pragma once

#include "loadinfo/mechanisms/maintained_view.hpp"

namespace frond {

/// Kept as published, for comparison, with its weaknesses: nothing is reserved, so a slave's load rises only when its task arrives.
/// Until then the master itself, and every other rank, may choose the same slave again; several masters see it idle for as long as
/// it is busy with a long task and does not read messages. At rest, views are within the threshold of the truth.
class NaiveExchange final : public MaintainedView {
 public:
  NaiveExchange(Rank rank, Rank num_ranks, LoadSink& sink, Load threshold)
      : MaintainedView(rank, num_ranks, sink), threshold_(threshold) {}

 private:
  [[nodiscard]] Load variation_on_arrival(const Load& cost, const Load& /*reserved*/) const override { return cost; }

  void on_variation(const Load& /*change*/) override {
    if (exceeds(load() - last_sent_, threshold_)) {
      last_sent_ = load();
      send_to_listeners({.kind = LoadMessageKind::update, .load = last_sent_});
    }
  }

  void on_decision(std::span<const Assignment> /*chosen*/) override {}

  void receive(Rank from, const LoadMessage& message) override {
    switch (message.kind) {
      case LoadMessageKind::update:
        view_of(from) = message.load;
        break;
      case LoadMessageKind::no_more_master:
        on_no_more_master_of(from);
        break;
      default:
        fail_on(from, message, "no message of the naive mechanism");
    }
  }

  Load threshold_;
  Load last_sent_;
};

}  // namespace frond
