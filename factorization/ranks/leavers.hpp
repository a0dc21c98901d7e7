// SPDX-License-Identifier: BSD-3-Clause
// Brings what a user asks for, that ranks leave, before the engine of rank 0, and says what has become of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "factorization/ranks/rank_engine.hpp"
#include "frond/load_options.hpp"

namespace frond {

class Leavers {
 public:
  /// `requested` is asked for ranks that are to leave, those that have left among them or not; null: nobody is to. `tell` hears one
  /// sentence for each who has left, or cannot; it may be empty. The engine outlives this object.
  Leavers(RankEngine& engine, std::function<LeaveRequest()> requested, std::function<void(const std::string&)> tell)
      : engine_(engine), requested_(std::move(requested)), tell_(std::move(tell)) {}

  void look();  ///< again and again, on the engine's thread

  [[nodiscard]] double seconds_at_rest() const { return seconds_at_rest_; }  ///< of this rank, in pauses that have ended

 private:
  void ask(double now);
  void conclude(double now);
  void tell(const std::string& sentence) const;

  RankEngine& engine_;
  std::function<LeaveRequest()> requested_;
  std::function<void(const std::string&)> tell_;
  std::string folder_;
  std::vector<Rank> asked_;    // increasing: under way, or to be tried again
  std::vector<Rank> settled_;  // that have left, or cannot
  Index record_before_ = 0;
  bool was_asked_ = false;
  double next_look_ = 0;
  double pause_begin_ = 0;
  bool was_paused_ = false;
  double seconds_at_rest_ = 0;
};

}  // namespace frond
