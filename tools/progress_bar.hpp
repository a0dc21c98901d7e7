// SPDX-License-Identifier: BSD-3-Clause
// A bar on the terminal for work that takes long.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace frond {

/// Draws on `stream`, if that is a terminal, from the first second on, ten times a second at most; takes the line away at the
/// end.
class ProgressBar {
 public:
  ProgressBar(std::string label, std::FILE* stream);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `fraction` of the work is done. Not to be called by two threads at once.
  void update(double fraction);

 private:
  using Clock = std::chrono::steady_clock;

  std::string label_;
  std::FILE* stream_;
  bool is_terminal_;
  bool is_drawn_ = false;
  Clock::time_point next_draw_;
};

}  // namespace frond
