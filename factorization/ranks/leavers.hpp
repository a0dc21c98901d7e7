// SPDX-License-Identifier: BSD-3-Clause
// Passes a user's requests that ranks leave to the engine of rank 0, and reports their outcome.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "factorization/ranks/rank_engine.hpp"
#include "frond/load_options.hpp"

namespace frond {

class Leavers {
 public:
  /// `requested` returns the ranks that are to leave, including or not those that have left; null: no rank is to leave. `tell`
  /// receives one sentence for each rank that has left, or cannot; it may be empty. The engine outlives this object.
  Leavers(RankEngine& engine, std::function<LeaveRequest()> requested, std::function<void(const std::string&)> tell,
          double seconds_to_look = 0.1)
      : engine_(engine), requested_(std::move(requested)), tell_(std::move(tell)), seconds_to_look_(seconds_to_look) {}

  void look(double now);  ///< to be called again and again, on the engine's thread; seconds of any clock

  /// Before that time look() does nothing, unless the engine pauses.
  [[nodiscard]] double next_look() const { return next_look_; }
  [[nodiscard]] bool waits() const { return !asked_.empty(); }  ///< a rank that was asked has neither left nor refused
  [[nodiscard]] const std::vector<std::string>& refusals() const { return refusals_; }  ///< why ranks cannot leave

  [[nodiscard]] double seconds_at_rest() const { return seconds_at_rest_; }  ///< of this rank, in pauses that have ended

 private:
  void ask(double now);
  void conclude(double now);
  void refuse(const std::string& who, const std::string& why);
  void tell(const std::string& sentence) const;

  RankEngine& engine_;
  std::function<LeaveRequest()> requested_;
  std::function<void(const std::string&)> tell_;
  double seconds_to_look_;  // from one question to the next
  std::string folder_;
  std::vector<Rank> asked_;    // increasing: pending, or to be tried again
  std::vector<Rank> settled_;  // that have left, or cannot
  Index record_before_ = 0;
  bool was_asked_ = false;
  std::vector<std::string> refusals_;
  double next_look_ = 0;
  double pause_begin_ = 0;
  bool was_paused_ = false;
  double seconds_at_rest_ = 0;
};

}  // namespace frond
