// SPDX-License-Identifier: BSD-3-Clause
// Implements the meter's counting.
#include "factorization/memory/memory_meter.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include "frond/error.hpp"

namespace frond {
namespace {

void raise_to(Count now, std::atomic<Count>& peak) {
  Count highest = peak.load(std::memory_order_relaxed);
  while (now > highest && !peak.compare_exchange_weak(highest, now, std::memory_order_relaxed)) {
  }
}

}  // namespace

void MemoryMeter::charge(Count bytes) {
  const Count now = current_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (limit_ > 0 && now > limit_ && !is_within_later_limit(now)) {
    release(bytes);
    throw MemoryError("the factorization needs at least " + std::to_string(now) + " bytes at this point, but " + whose_ + ' ' +
                          std::to_string(limit_) +
                          ": give it more memory, or lower the pivot threshold so that fewer pivots are delayed",
                      now, limit_);
  }
  check_budget(now, bytes);
  raise_to(now, peak_);
  note(now);
  const Count with_idle = now + idle_.load(std::memory_order_relaxed);
  if (limit_ > 0 && give_up_idle_ && with_idle > limit_ && !is_within_later_limit(with_idle)) {
    give_up_idle_();
  }
}

bool MemoryMeter::is_within_later_limit(Count now) {
  const std::lock_guard lock(finding_limit_);
  if (find_limit_) {
    const MemoryLimit found = std::exchange(find_limit_, {})();
    limit_ = found.bytes;
    whose_ = found.whose();
  }
  return now <= limit_ || limit_ == 0;
}

// Reads the clock only for visible changes: there may be thousands of small fronts.
void MemoryMeter::note(Count now) {
  if (log_ == nullptr) {
    return;
  }
  constexpr Count kLeastChange = 1 << 16;
  const Count noted = noted_.load(std::memory_order_relaxed);
  if (std::abs(now - noted) >= std::max(noted / 128, kLeastChange)) {
    noted_.store(now, std::memory_order_relaxed);
    log_->note_bytes(now);
  }
}

// Checks the budget for `bytes` more, which are taken back if it does not have them.
void MemoryMeter::check_budget(Count now, Count bytes) {
  if (work_ == nullptr) {
    return;
  }
  try {
    work_->check_bytes(now);
  } catch (const BudgetError&) {
    release(bytes);
    throw;
  }
}

void MemoryMeter::charge_active(Count bytes) {
  charge(bytes);
  raise_to(current_active_.fetch_add(bytes, std::memory_order_relaxed) + bytes, peak_active_);
}

void MemoryMeter::release_active(Count bytes) {
  current_active_.fetch_sub(bytes, std::memory_order_relaxed);
  release(bytes);
}

Count MemoryMeter::free_bytes() const {
  return limit_ > 0 ? std::max<Count>(limit_ - current(), 0) : std::numeric_limits<Count>::max();
}

}  // namespace frond
