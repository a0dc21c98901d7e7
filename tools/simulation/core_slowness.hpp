// SPDX-License-Identifier: BSD-3-Clause
// Simulates disturbances of a core: slow spells, and load of other programs drawn from a seed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "frond/types.hpp"
#include "matrices/splitmix.hpp"

namespace frond {

/// The core of a rank takes `factor` times as long during a time interval of the factorization.
struct SlowSpell {
  Rank rank = 0;
  double factor = 1;
  double begin_seconds = 0;
  double end_seconds = std::numeric_limits<double>::infinity();
};

/// Other programs that share each rank's core from time to time.
struct CompetingLoad {
  std::uint64_t seed = 0;
  double share = 0.25;  ///< of the time with such a program; above 0 and below 1
};

/// A competing program gets half of the core, as operating systems schedule it.
inline constexpr double kCompetingFactor = 2;

/// Intervals with and without another program on one core; their lengths are exponentially distributed. A program is as likely at
/// the beginning as at any other time. The sequence restarts every `kStretch` means: so a rank that waits for long need not draw
/// all intervals of its wait, and finds the same ones as a rank that does not wait.
class CompetingIntervals {
 public:
  /// `mean_seconds` is the mean length of an interval with another program.
  CompetingIntervals(const CompetingLoad& load, Rank rank, double mean_seconds);

  /// Moves to the interval of this moment, which must not be earlier than in previous calls.
  void advance(double seconds);

  [[nodiscard]] bool is_disturbed() const { return is_disturbed_; }
  [[nodiscard]] double end_seconds() const { return std::min(end_seconds_, stretch_end_); }

 private:
  static constexpr double kStretch = 100;

  void begin(double stretch);      // starts the stretch with this number
  [[nodiscard]] double uniform();  // above 0, at most 1
  [[nodiscard]] double length();   // random length of an interval

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

  /// Calls must be in the order of time.
  [[nodiscard]] double factor(double seconds);
  /// Returns the next moment after this one at which the factor may change; infinity if there is none.
  [[nodiscard]] double next_change(double seconds);

 private:
  std::vector<SlowSpell> spells_;
  std::optional<CompetingIntervals> competing_;
};

/// Mean length of an interval with other programs, as a fraction of the total time.
inline constexpr double kCompetingPart = 0.1;

/// Returns [rank]; without competing load `competing_seconds` is 0.
[[nodiscard]] std::vector<CoreSlowness> slowness_of_ranks(const std::vector<SlowSpell>& spells,
                                                          const std::optional<CompetingLoad>& competing, Rank num_ranks,
                                                          double competing_seconds);

}  // namespace frond
