// SPDX-License-Identifier: BSD-3-Clause
// What disturbs a core: spells in which it takes longer, and the load of other programs, drawn from a seed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "frond/types.hpp"
#include "matrices/splitmix.hpp"

namespace frond {

/// The core of a rank takes `factor` times as long, from one moment of the factorization to another.
struct SlowSpell {
  Rank rank = 0;
  double factor = 1;
  double begin_seconds = 0;
  double end_seconds = std::numeric_limits<double>::infinity();
};

/// Other programs that now and then share each rank's core.
struct CompetingLoad {
  std::uint64_t seed = 0;
  double share = 0.25;  ///< of the time during which there is one; above 0 and below 1
};

/// A program that competes gets half of the core, as schedulers of operating systems see to.
inline constexpr double kCompetingFactor = 2;

/// On one core: intervals with and without another program, whose lengths are exponentially distributed. Having one at the
/// beginning is as likely as at any other time. Every `kStretch` means they begin anew: so a rank that waits for long need not draw
/// all that it sleeps through, and finds the same intervals as one that does not.
class CompetingIntervals {
 public:
  /// `mean_seconds` is that of an interval with another program.
  CompetingIntervals(const CompetingLoad& load, Rank rank, double mean_seconds);

  /// Goes to the interval of this moment, which is not before that of an earlier call.
  void advance(double seconds);

  [[nodiscard]] bool is_disturbed() const { return is_disturbed_; }
  [[nodiscard]] double end_seconds() const { return std::min(end_seconds_, stretch_end_); }

 private:
  static constexpr double kStretch = 100;

  void begin(double stretch);      // the one with this number
  [[nodiscard]] double uniform();  // above 0, at most 1
  [[nodiscard]] double length();   // of an interval

  std::uint64_t seed_;  // of this rank
  double share_;
  double mean_disturbed_;
  double mean_quiet_;
  SplitMix64 bits_;
  bool is_disturbed_ = false;
  double end_seconds_ = 0;
  double stretch_end_ = 0;
};

/// How many times as long as usual a core takes.
class CoreSlowness {
 public:
  /// Spells of this core; where they overlap, their factors and that of other programs multiply.
  explicit CoreSlowness(std::vector<SlowSpell> spells = {}, std::optional<CompetingIntervals> competing = {});

  /// Questions are asked in the order of time.
  [[nodiscard]] double factor(double seconds);
  /// When that may change after this moment; infinity: it does not any more.
  [[nodiscard]] double next_change(double seconds);

 private:
  std::vector<SlowSpell> spells_;
  std::optional<CompetingIntervals> competing_;
};

/// Intervals with other programs last so much of the time that all takes, in the mean.
inline constexpr double kCompetingPart = 0.1;

/// [rank]; without competing load `competing_seconds` is 0.
[[nodiscard]] std::vector<CoreSlowness> slowness_of_ranks(const std::vector<SlowSpell>& spells,
                                                          const std::optional<CompetingLoad>& competing, Rank num_ranks,
                                                          double competing_seconds);

}  // namespace frond
