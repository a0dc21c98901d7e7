// SPDX-License-Identifier: BSD-3-Clause
// Observers that pass on to another one what they do not decide themselves.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frond/observer.hpp"

namespace frond {

struct RelayedObserver : Observer {
  explicit RelayedObserver(std::shared_ptr<Observer> receiver)
      : to(receiver ? std::move(receiver) : std::make_shared<Observer>()) {}

  bool stop_requested() override { return to->stop_requested(); }
  bool batch_end_requested() override { return to->batch_end_requested(); }
  bool list_requested() override { return to->list_requested(); }
  std::vector<Rank> ranks_to_leave(std::string& folder) override { return to->ranks_to_leave(folder); }
  void progress(double fraction) override { to->progress(fraction); }
  void refinement_step(int step) override { to->refinement_step(step); }
  void rank_idle(const std::string& report) override { to->rank_idle(report); }
  void leave_answered(const std::string& sentence) override { to->leave_answered(sentence); }
  void checkpoint_failed(const std::string& why) override { to->checkpoint_failed(why); }

  std::shared_ptr<Observer> to;  // never null
};

/// For factorizations that a caller did not ask for.
struct ObserverWithoutProgress : RelayedObserver {
  using RelayedObserver::RelayedObserver;
  void progress(double /*fraction*/) override {}
};

}  // namespace frond
