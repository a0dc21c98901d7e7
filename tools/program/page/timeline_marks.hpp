// SPDX-License-Identifier: BSD-3-Clause
// Reduces timelines to what is visible.
#pragma once

#include <span>
#include <vector>

#include "tools/program/page/picture.hpp"

namespace frond {

/// One or several spans of a rank, drawn as one piece as long as their sum.
struct TimelineMark {
  double begin = 0;
  double end = 0;
  Role role = Role::subtree;  ///< of several spans, the one that takes the most time
  long node = 0;              ///< of a single span
  int num_spans = 1;
};

/// Merges spans shorter than `resolution` seconds that lie together within that time, so that a rank has at most two marks for each
/// `resolution`. The spans must not overlap and must be in order of time.
[[nodiscard]] std::vector<TimelineMark> merge_spans(std::span<const TimelineSpan> spans, double resolution);

/// marks[rank]: every timeline merged with the finest resolution, at least `finest`, that leaves at most `most` marks, or with the
/// coarsest sensible one.
[[nodiscard]] std::vector<std::vector<TimelineMark>> timeline_marks(const Timeline& timeline, double finest, std::size_t most);

/// occupation[role][k] = how many ranks, on average, are in this role during the k-th of `num_steps` equal parts of the time from 0
/// to `seconds`.
using Occupation = std::array<std::vector<double>, kNumRoles>;
[[nodiscard]] Occupation occupation_of(const Timeline& timeline, double seconds, std::size_t num_steps);

}  // namespace frond
