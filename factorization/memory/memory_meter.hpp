// SPDX-License-Identifier: BSD-3-Clause
// Counts the bytes of a factorization and enforces the user's limit and the budget.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

#include "factorization/memory/memory_limit.hpp"
#include "factorization/memory/work_log.hpp"
#include "factorization/memory/work_meter.hpp"
#include "frond/types.hpp"

namespace frond {

/// One meter per factorization. Thread-safe.
class MemoryMeter {
 public:
  /// `limit_bytes` 0: no limit. `whose` names the limit in messages, such as "the limit is". `work`, which may be null, may have a
  /// budget for bytes and outlives the meter; so does `log`, which may be null, and records the bytes in use whenever they have
  /// changed by about a hundredth.
  explicit MemoryMeter(Count limit_bytes, std::string whose = "the limit is", const WorkMeter* work = nullptr,
                       WorkLog* log = nullptr)
      : limit_(limit_bytes), whose_(std::move(whose)), work_(work), log_(log) {}

  /// Finds the limit that replaces the first one when a charge passes it; called once, if at all. Set it while nothing is charged.
  void set_later_limit(std::function<MemoryLimit()> find) { find_limit_ = std::move(find); }

  /// Counts memory before it is taken. Throws MemoryError, and counts nothing, if that passes the limit, and BudgetError if it
  /// passes the budget.
  void charge(Count bytes);
  void release(Count bytes) { note(current_.fetch_sub(bytes, std::memory_order_relaxed) - bytes); }

  /// The same for memory that does not stay with the factors: contribution blocks, workspaces, rows in transit.
  void charge_active(Count bytes);
  void release_active(Count bytes);

  /// Memory that is unused and not counted, but not returned to the system either: as soon as a charge leaves no room for it under
  /// the limit, `give_up` is called on the charging thread, and sets it anew. There is one holder at a time; an empty function
  /// removes it. Set the holder while nothing is charged.
  void set_idle(Count bytes) { idle_.store(bytes, std::memory_order_relaxed); }
  void set_holder_of_idle(std::function<void()> give_up) { give_up_idle_ = std::move(give_up); }

  [[nodiscard]] Count free_bytes() const;  ///< left under the limit; the largest Count without one
  [[nodiscard]] Count current() const { return current_.load(std::memory_order_relaxed); }
  [[nodiscard]] Count peak() const { return peak_.load(std::memory_order_relaxed); }
  [[nodiscard]] Count current_active() const { return current_active_.load(std::memory_order_relaxed); }
  [[nodiscard]] Count peak_active() const { return peak_active_.load(std::memory_order_relaxed); }  ///< without the factors

 private:
  [[nodiscard]] bool is_within_later_limit(Count now);
  void check_budget(Count now, Count bytes);
  void note(Count now);

  std::atomic<Count> limit_;
  std::string whose_;
  std::mutex finding_limit_;
  std::function<MemoryLimit()> find_limit_;  // empty: limit_ and whose_ stay as they are
  const WorkMeter* work_;
  WorkLog* log_;
  std::function<void()> give_up_idle_;
  std::atomic<Count> noted_{0};  // the last value passed to the log
  std::atomic<Count> idle_{0};
  std::atomic<Count> current_{0};
  std::atomic<Count> peak_{0};
  std::atomic<Count> current_active_{0};
  std::atomic<Count> peak_active_{0};
};

}  // namespace frond
