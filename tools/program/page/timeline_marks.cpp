// SPDX-License-Identifier: BSD-3-Clause
// Merges spans too short to be visible.
#include "tools/program/page/timeline_marks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace frond {
namespace {

// Collects short spans of a rank into one mark.
class ShortSpans {
 public:
  [[nodiscard]] bool has_room_for(const TimelineSpan& span, double resolution) const {
    return num_spans_ == 0 || span.end - begin_ <= resolution;
  }

  void add(const TimelineSpan& span) {
    begin_ = num_spans_ == 0 ? span.begin : begin_;
    node_ = span.node;
    seconds_[static_cast<std::size_t>(span.role)] += span.end - span.begin;
    ++num_spans_;
  }

  // The mark is as long as its spans without the gaps: the coloured length equals the busy time.
  void move_to(std::vector<TimelineMark>& marks) {
    if (num_spans_ > 0) {
      const auto longest = std::max_element(seconds_.begin(), seconds_.end());
      marks.push_back({begin_, begin_ + std::accumulate(seconds_.begin(), seconds_.end(), 0.0),
                       static_cast<Role>(longest - seconds_.begin()), node_, num_spans_});
    }
    *this = {};
  }

 private:
  double begin_ = 0;
  long node_ = 0;
  int num_spans_ = 0;
  std::array<double, kNumRoles> seconds_{};
};

std::size_t num_marks(const std::vector<std::vector<TimelineMark>>& marks) {
  return std::accumulate(marks.begin(), marks.end(), std::size_t{0},
                         [](std::size_t sum, const std::vector<TimelineMark>& rank) { return sum + rank.size(); });
}

}  // namespace

std::vector<TimelineMark> merge_spans(std::span<const TimelineSpan> spans, double resolution) {
  std::vector<TimelineMark> marks;
  ShortSpans merged;
  for (const TimelineSpan& span : spans) {
    const bool is_short = span.end - span.begin < resolution;
    if (!is_short || !merged.has_room_for(span, resolution)) {
      merged.move_to(marks);
    }
    if (is_short) {
      merged.add(span);
    } else {
      marks.push_back({span.begin, span.end, span.role, span.node, 1});
    }
  }
  merged.move_to(marks);
  return marks;
}

std::vector<std::vector<TimelineMark>> timeline_marks(const Timeline& timeline, double finest, std::size_t most) {
  constexpr int kMostDoublings = 6;
  std::vector<std::vector<TimelineMark>> marks(timeline.size());
  double resolution = finest;
  for (int doubling = 0; doubling <= kMostDoublings; ++doubling, resolution *= 2) {
    for (std::size_t rank = 0; rank < timeline.size(); ++rank) {
      marks[rank] = merge_spans(timeline[rank], resolution);
    }
    if (num_marks(marks) <= most) {
      break;
    }
  }
  return marks;
}

Occupation occupation_of(const Timeline& timeline, double seconds, std::size_t num_steps) {
  Occupation occupation;
  occupation.fill(std::vector<double>(num_steps, 0.0));
  const double steps_per_second = static_cast<double>(num_steps) / seconds;
  for (const std::vector<TimelineSpan>& spans : timeline) {
    for (const TimelineSpan& span : spans) {
      std::vector<double>& ranks = occupation[static_cast<std::size_t>(span.role)];
      const double begin = std::clamp(span.begin * steps_per_second, 0.0, static_cast<double>(num_steps));
      const double end = std::clamp(span.end * steps_per_second, 0.0, static_cast<double>(num_steps));
      for (auto step = static_cast<std::size_t>(begin); static_cast<double>(step) < end; ++step) {
        const auto left = static_cast<double>(step);
        ranks[step] += std::min(end, left + 1) - std::max(begin, left);
      }
    }
  }
  return occupation;
}

}  // namespace frond
