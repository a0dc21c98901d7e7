// SPDX-License-Identifier: BSD-3-Clause
// Keeps a lane per thread. Events for which there is no memory are not logged.
#include "factorization/memory/work_log.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "matrices/steady_clock.hpp"

namespace frond {
namespace {

constexpr double kGapSeconds = 20e-6;      // between pieces of one span: far less than can be seen
constexpr double kMomentSeconds = 200e-6;  // for which the highest and the last value of memory are kept

}  // namespace

std::shared_ptr<WorkLog> make_work_log() { return std::make_shared<WorkLog>(); }

WorkLog::Scope::Scope(WorkLog* log, LoggedWork work) : log_(log != nullptr && log->enter() ? log : nullptr), work_(work) {
  begin_seconds_ = log_ != nullptr ? steady_seconds() : 0;
}

WorkLog::Scope::~Scope() {
  if (log_ != nullptr) {
    log_->leave(work_, begin_seconds_);
  }
}

// Returns whether the calling thread was not at work yet.
bool WorkLog::enter() noexcept {
  const std::lock_guard lock(mutex_);
  try {
    auto found = threads_.find(std::this_thread::get_id());
    if (found == threads_.end()) {
      lanes_.emplace_back();
      found = threads_.emplace(std::this_thread::get_id(), static_cast<int>(lanes_.size()) - 1).first;
    }
    Lane& lane = lanes_[found->second];
    return !std::exchange(lane.is_busy, true);
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void WorkLog::leave(LoggedWork work, double begin_seconds) noexcept {
  const double end_seconds = steady_seconds();
  const std::lock_guard lock(mutex_);
  const int thread = threads_.at(std::this_thread::get_id());
  Lane& lane = lanes_[thread];
  lane.is_busy = false;
  if (!lane.spans.empty() && lane.spans.back().work == work && begin_seconds - lane.spans.back().end_seconds < kGapSeconds) {
    lane.spans.back().end_seconds = end_seconds;
    return;
  }
  while (lane.spans.size() >= most_entries_) {
    coarsen(lane);
  }
  try {
    lane.spans.push_back({begin_seconds, end_seconds, work, thread});
  } catch (const std::bad_alloc&) {
  }
}

// Joins short spans that lie within twice the previous resolution. Joined spans are never longer than the time between the begin of
// the first and the end of the last, so that spans stay apart.
void WorkLog::coarsen(Lane& lane) {
  lane.resolution_seconds = std::max(2 * lane.resolution_seconds, kGapSeconds);
  const double resolution = lane.resolution_seconds;
  std::size_t num_kept = 1;
  double longest = lane.spans.front().end_seconds - lane.spans.front().begin_seconds;  // of the spans in the last one kept
  for (std::size_t k = 1; k < lane.spans.size(); ++k) {
    LoggedSpan& last = lane.spans[num_kept - 1];
    const LoggedSpan next = lane.spans[k];
    const double length = next.end_seconds - next.begin_seconds;
    if (next.end_seconds - last.begin_seconds > resolution) {
      lane.spans[num_kept++] = next;
      longest = length;
      continue;
    }
    if (length > longest) {
      last.work = next.work;
      longest = length;
    }
    last.end_seconds += length;
  }
  lane.spans.resize(num_kept);
}

void WorkLog::note_bytes(Count bytes) noexcept {
  const LoggedBytes point{steady_seconds(), bytes};
  const std::lock_guard lock(mutex_);
  try {
    while (memory_.size() >= most_entries_) {
      coarsen_memory();
    }
    moment_length_ = std::max(moment_length_, kMomentSeconds);
    add_bytes(point);
  } catch (const std::bad_alloc&) {
  }
}

// Adds a value to the last moment, or to a new one.
void WorkLog::add_bytes(const LoggedBytes& point) {
  if (moment_points_ == 0 || point.seconds - moment_seconds_ >= moment_length_) {
    memory_.push_back(point);
    moment_seconds_ = point.seconds;
    moment_points_ = 1;
    return;
  }
  LoggedBytes& highest = memory_[memory_.size() - moment_points_];
  if (point.bytes >= highest.bytes) {
    highest.bytes = point.bytes;
    memory_.resize(memory_.size() - (moment_points_ - 1));
    moment_points_ = 1;
  } else if (moment_points_ == 1) {
    memory_.push_back(point);
    moment_points_ = 2;
  } else {
    memory_.back() = point;
  }
}

// Doubles the length of the moments.
void WorkLog::coarsen_memory() {
  moment_length_ *= 2;
  moment_points_ = 0;
  const std::vector<LoggedBytes> points = std::exchange(memory_, {});
  for (const LoggedBytes& point : points) {
    add_bytes(point);
  }
}

std::vector<LoggedSpan> WorkLog::spans() const {
  const std::lock_guard lock(mutex_);
  std::vector<LoggedSpan> all;
  for (const Lane& lane : lanes_) {
    all.insert(all.end(), lane.spans.begin(), lane.spans.end());
  }
  return all;
}

std::vector<LoggedBytes> WorkLog::memory() const {
  const std::lock_guard lock(mutex_);
  return memory_;
}

}  // namespace frond
