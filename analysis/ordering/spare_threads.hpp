// SPDX-License-Identifier: BSD-3-Clause
// Threads that an algorithm may use in addition to the one it runs on, shared by its branches.
#pragma once

#include <algorithm>
#include <atomic>

namespace frond {

/// A number of threads that are free to be started. Any thread may take and give back.
class SpareThreads {
 public:
  explicit SpareThreads(int number) : number_(number) {}

  /// Takes at most `most` of them, perhaps none.
  [[nodiscard]] int take(int most) {
    int number = number_.load();
    int taken = 0;
    do {
      taken = std::min(number, most);
    } while (taken > 0 && !number_.compare_exchange_weak(number, number - taken));
    return std::max(taken, 0);
  }

  void give(int number) { number_ += number; }

 private:
  std::atomic<int> number_;
};

/// Threads that a scope takes, or has been given, and gives back at its end.
class TakenThreads {
 public:
  TakenThreads(SpareThreads& spare, int most) : spare_(spare), number_(spare.take(most)) {}
  [[nodiscard]] static TakenThreads one_of(SpareThreads& spare) { return {OneTaken(), spare}; }
  ~TakenThreads() { spare_.give(number_); }
  TakenThreads(const TakenThreads&) = delete;
  TakenThreads& operator=(const TakenThreads&) = delete;

  [[nodiscard]] int number() const { return number_; }

 private:
  struct OneTaken {};
  TakenThreads(OneTaken /*already*/, SpareThreads& spare) : spare_(spare), number_(1) {}

  SpareThreads& spare_;
  int number_;
};

}  // namespace frond
