// SPDX-License-Identifier: BSD-3-Clause
// Passes a user's requests that ranks leave to the engine of rank 0, and reports their outcome.
#pragma once

#include <string>
#include <vector>

#include "factorization/ranks/rank_engine.hpp"
#include "frond/observer.hpp"

namespace frond {

class Leavers {
 public:
  /// No observer: no rank is to leave. The engine and the observer outlive this object.
  Leavers(RankEngine& engine, Observer* observer, double seconds_to_look = 0.1)
      : engine_(engine), observer_(observer), seconds_to_look_(seconds_to_look) {}

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

  RankEngine& engine_;
  Observer* observer_;      // may be null
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
