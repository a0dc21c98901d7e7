// SPDX-License-Identifier: BSD-3-Clause
// Observers that stop calls, or do what tests ask.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "frond/observer.hpp"

namespace frond::testing {

/// Requests a stop from its k-th query on; 0: never.
class StopAt final : public Observer {
 public:
  explicit StopAt(int first = 0) : first_(first) {}
  void begin(int first) {
    num_asked_ = 0;
    first_ = first;
  }
  bool stop_requested() override { return ++num_asked_ >= first_ && first_ > 0; }
  [[nodiscard]] int num_asked() const { return num_asked_; }

 private:
  std::atomic<int> num_asked_{0};
  std::atomic<int> first_;
};

/// Calls a function for each question and report; by default they do nothing.
struct Calls final : Observer {
  Calls() = default;
  template <class Member, class Function>
  Calls(Member member, Function function) {
    this->*member = std::move(function);
  }

  bool stop_requested() override { return stop(); }
  bool batch_end_requested() override { return batch_end ? batch_end() : stop(); }
  std::vector<Rank> ranks_to_leave(std::string& /*folder*/) override { return leave(); }
  void progress(double fraction) override { part(fraction); }
  void refinement_step(int number) override { step(number); }
  void rank_idle(const std::string& report) override { text(report); }
  void leave_answered(const std::string& sentence) override { text(sentence); }
  void checkpoint_failed(const std::string& why) override { text(why); }

  std::function<bool()> stop = [] { return false; };
  std::function<bool()> batch_end;  // empty: as stop
  std::function<std::vector<Rank>()> leave = [] { return std::vector<Rank>(); };
  std::function<void(double)> part = [](double) {};
  std::function<void(int)> step = [](int) {};
  std::function<void(const std::string&)> text = [](const std::string&) {};
};

}  // namespace frond::testing
