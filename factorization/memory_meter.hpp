// SPDX-License-Identifier: BSD-3-Clause
// Counts the bytes of a factorization and enforces the user's limit, and its budget.
#pragma once

#include <atomic>
#include <string>
#include <utility>

#include "factorization/work_meter.hpp"
#include "matrices/types.hpp"

namespace frond {

/// One meter per factorization. Thread-safe.
class MemoryMeter {
 public:
  /// `limit_bytes` 0: none. `whose` names the limit in messages, such as "the limit is". `work`, which may be null, has a budget
  /// for bytes, too, and outlives the meter.
  explicit MemoryMeter(Count limit_bytes, std::string whose = "the limit is", const WorkMeter* work = nullptr)
      : limit_(limit_bytes), whose_(std::move(whose)), work_(work) {}

  /// Counts memory before it is taken. Throws MemoryError, and counts nothing, if that passes the limit, and BudgetError if it
  /// passes the budget.
  void charge(Count bytes);
  void release(Count bytes) { current_.fetch_sub(bytes, std::memory_order_relaxed); }

  /// The same for memory that does not stay with the factors: contribution blocks, workspaces, rows on their way.
  void charge_active(Count bytes);
  void release_active(Count bytes);

  [[nodiscard]] Count free_bytes() const;  ///< that the limit still grants; the largest Count without one
  [[nodiscard]] Count current() const { return current_.load(std::memory_order_relaxed); }
  [[nodiscard]] Count peak() const { return peak_.load(std::memory_order_relaxed); }
  [[nodiscard]] Count current_active() const { return current_active_.load(std::memory_order_relaxed); }
  [[nodiscard]] Count peak_active() const { return peak_active_.load(std::memory_order_relaxed); }  ///< without the factors

 private:
  void check_budget(Count now, Count bytes);

  Count limit_;
  std::string whose_;
  const WorkMeter* work_;
  std::atomic<Count> current_{0};
  std::atomic<Count> peak_{0};
  std::atomic<Count> current_active_{0};
  std::atomic<Count> peak_active_{0};
};

}  // namespace frond
