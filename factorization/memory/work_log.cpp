// SPDX-License-Identifier: BSD-3-Clause
// Lanes of threads. What finds no memory is not logged.
#include "factorization/memory/work_log.hpp"

#include <cstddef>
#include <new>
#include <utility>

#include "matrices/steady_clock.hpp"

namespace frond {
namespace {

constexpr double kGapSeconds = 20e-6;      // between pieces of one span: far less than can be seen
constexpr double kMomentSeconds = 200e-6;  // of which the highest memory is kept

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

// Whether the calling thread was not at work yet.
bool WorkLog::enter() noexcept {
  const std::lock_guard lock(mutex_);
  try {
    auto found = threads_.find(std::this_thread::get_id());
    if (found == threads_.end()) {
      lanes_.emplace_back();
      found = threads_.emplace(std::this_thread::get_id(), static_cast<int>(lanes_.size()) - 1).first;
    }
    Lane& lane = lanes_[static_cast<std::size_t>(found->second)];
    return !std::exchange(lane.is_busy, true);
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void WorkLog::leave(LoggedWork work, double begin_seconds) noexcept {
  const double end_seconds = steady_seconds();
  const std::lock_guard lock(mutex_);
  const int thread = threads_.at(std::this_thread::get_id());
  Lane& lane = lanes_[static_cast<std::size_t>(thread)];
  lane.is_busy = false;
  if (!lane.spans.empty() && lane.spans.back().work == work && begin_seconds - lane.spans.back().end_seconds < kGapSeconds) {
    lane.spans.back().end_seconds = end_seconds;
    return;
  }
  try {
    lane.spans.push_back({begin_seconds, end_seconds, work, thread});
  } catch (const std::bad_alloc&) {
  }
}

void WorkLog::note_bytes(Count bytes) noexcept {
  const double now = steady_seconds();
  const std::lock_guard lock(mutex_);
  try {
    if (moment_points_ == 0 || now - moment_seconds_ >= kMomentSeconds) {
      memory_.push_back({now, bytes});
      moment_seconds_ = now;
      moment_points_ = 1;
      return;
    }
    LoggedBytes& highest = memory_[memory_.size() - moment_points_];
    if (bytes >= highest.bytes) {
      highest.bytes = bytes;
      memory_.resize(memory_.size() - (moment_points_ - 1));
      moment_points_ = 1;
    } else if (moment_points_ == 1) {
      memory_.push_back({now, bytes});
      moment_points_ = 2;
    } else {
      memory_.back() = {now, bytes};
    }
  } catch (const std::bad_alloc&) {
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
