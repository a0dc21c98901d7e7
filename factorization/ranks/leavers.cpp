// SPDX-License-Identifier: BSD-3-Clause
// Polls the clock and the requests to leave.
#include "factorization/ranks/leavers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frond/error.hpp"

namespace frond {
namespace {

constexpr double kSecondsToTryAgain = 1.0;  // after a pause without result

bool contains(const std::vector<Rank>& ranks, Rank rank) { return std::find(ranks.begin(), ranks.end(), rank) != ranks.end(); }

}  // namespace

void Leavers::look(double now) {
  if (engine_.pauses() != was_paused_) {
    was_paused_ = !was_paused_;
    seconds_at_rest_ += was_paused_ ? 0 : now - pause_begin_;
    pause_begin_ = now;
  }
  if (observer_ != nullptr && now >= next_look_ && !engine_.pauses()) {
    next_look_ = now + seconds_to_look_;
    if (was_asked_) {
      conclude(now);
    } else {
      ask(now);
    }
  }
}

void Leavers::ask(double now) {
  folder_.clear();
  for (const Rank rank : observer_->ranks_to_leave(folder_)) {
    if (contains(settled_, rank) || contains(asked_, rank)) {
      continue;
    }
    if (rank < 0 || rank >= engine_.num_ranks()) {
      refuse(fmt::format("rank {}", rank), fmt::format("there are {} ranks, from 0 on", engine_.num_ranks()));
      settled_.push_back(rank);
      continue;
    }
    asked_.insert(std::upper_bound(asked_.begin(), asked_.end(), rank), rank);
  }
  if (asked_.empty()) {
    return;
  }
  record_before_ = engine_.record();
  was_asked_ = engine_.drain(asked_, folder_);
  next_look_ = was_asked_ ? now : next_look_;
}

// Called when the pause is over. A request that failed only for lack of memory may succeed when other fronts are done; other
// obstacles will stay.
void Leavers::conclude(double now) {
  was_asked_ = false;
  const std::string who = fmt::format("{} {}", asked_.size() == 1 ? "rank" : "ranks", fmt::join(asked_, ", "));
  if (engine_.record() > record_before_) {
    observer_->leave_answered(fmt::format("{} {} left: what {} held is on its way to the others", who,
                                          asked_.size() == 1 ? "has" : "have", asked_.size() == 1 ? "it" : "they"));
  } else if (engine_.refusal() && engine_.refusal()->kind == Failure::Kind::memory && engine_.refusal()->needed_bytes == 0) {
    next_look_ = now + kSecondsToTryAgain;
    return;
  } else if (engine_.refusal()) {
    refuse(who, engine_.refusal()->text);
  }
  settled_.insert(settled_.end(), asked_.begin(), asked_.end());
  asked_.clear();
}

void Leavers::refuse(const std::string& who, const std::string& why) {
  refusals_.push_back(why);
  observer_->leave_answered(fmt::format("{} cannot leave: {}", who, why));
}

}  // namespace frond
