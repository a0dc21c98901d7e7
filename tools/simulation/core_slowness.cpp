// SPDX-License-Identifier: BSD-3-Clause
// Combines given spells with intervals drawn as time goes on.
#include "tools/simulation/core_slowness.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "matrices/mixed_bits.hpp"

namespace frond {

// The random sequences of ranks are independent, and so are those of stretches.
CompetingIntervals::CompetingIntervals(const CompetingLoad& load, Rank rank, double mean_seconds)
    : seed_(mixed_bits(load.seed, static_cast<std::uint64_t>(rank) + 1)),
      share_(load.share),
      mean_disturbed_(mean_seconds),
      mean_quiet_(mean_seconds * (1 - load.share) / load.share),
      bits_(seed_) {
  begin(0);
}

double CompetingIntervals::uniform() { return static_cast<double>((bits_.next() >> 11) + 1) * 0x1p-53; }

double CompetingIntervals::length() { return -(is_disturbed_ ? mean_disturbed_ : mean_quiet_) * std::log(uniform()); }

void CompetingIntervals::begin(double stretch) {
  const double seconds = kStretch * mean_disturbed_;
  bits_ = SplitMix64(mixed_bits(seed_, static_cast<std::uint64_t>(stretch)));
  is_disturbed_ = uniform() <= share_;
  end_seconds_ = stretch * seconds + length();
  stretch_end_ = (stretch + 1) * seconds;
}

void CompetingIntervals::advance(double seconds) {
  while (seconds >= stretch_end_) {
    begin(std::max(std::floor(seconds / (kStretch * mean_disturbed_)), std::round(stretch_end_ / (kStretch * mean_disturbed_))));
  }
  while (end_seconds_ <= seconds) {
    is_disturbed_ = !is_disturbed_;
    end_seconds_ += length();
  }
}

CoreSlowness::CoreSlowness(std::vector<SlowSpell> spells, std::optional<CompetingIntervals> competing)
    : spells_(std::move(spells)), competing_(competing) {}

double CoreSlowness::factor(double seconds) {
  double factor = 1;
  for (const SlowSpell& spell : spells_) {
    factor *= spell.begin_seconds <= seconds && seconds < spell.end_seconds ? spell.factor : 1;
  }
  if (competing_) {
    competing_->advance(seconds);
    factor *= competing_->is_disturbed() ? kCompetingFactor : 1;
  }
  return factor;
}

double CoreSlowness::next_change(double seconds) {
  double next = std::numeric_limits<double>::infinity();
  for (const SlowSpell& spell : spells_) {
    for (const double change : {spell.begin_seconds, spell.end_seconds}) {
      next = change > seconds ? std::min(next, change) : next;
    }
  }
  if (competing_) {
    competing_->advance(seconds);
    next = std::min(next, competing_->end_seconds());
  }
  return next;
}

std::vector<CoreSlowness> slowness_of_ranks(const std::vector<SlowSpell>& spells, const std::optional<CompetingLoad>& competing,
                                            Rank num_ranks, double competing_seconds) {
  std::vector<CoreSlowness> slowness;
  for (Rank rank = 0; rank < num_ranks; ++rank) {
    std::vector<SlowSpell> own;
    std::copy_if(spells.begin(), spells.end(), std::back_inserter(own),
                 [rank](const SlowSpell& spell) { return spell.rank == rank; });
    std::optional<CompetingIntervals> intervals;
    if (competing_seconds > 0) {
      intervals.emplace(*competing, rank, competing_seconds);
    }
    slowness.emplace_back(std::move(own), intervals);
  }
  return slowness;
}

}  // namespace frond
