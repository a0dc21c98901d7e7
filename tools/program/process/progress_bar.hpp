// SPDX-License-Identifier: BSD-3-Clause
// Shows the progress of long work in a line on the terminal, or in lines of a log.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

namespace frond {

/// During its life it shows the work in progress: the fraction done once update() has been called, otherwise the elapsed time. On a
/// terminal, from the first second on, in one line that disappears at the end; elsewhere a line every ten seconds, so that a log
/// shows progress. A separate thread draws.
class ProgressBar {
 public:
  /// `log_interval` is the time between the lines of a log.
  ProgressBar(std::string label, std::FILE* stream, std::chrono::milliseconds log_interval = std::chrono::seconds(10));
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `fraction` of the work is done.
  void update(double fraction) { fraction_ = fraction; }

 private:
  void paint(bool is_terminal);
  void draw_until_done();
  void log_until_done();
  void draw();
  void show(const std::string& text) const;

  std::string label_;
  std::FILE* stream_;
  std::chrono::milliseconds log_interval_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<double> fraction_{-1};  // negative: unknown
  std::mutex mutex_;
  std::condition_variable wake_;
  bool is_done_ = false;
  std::thread painter_;
};

}  // namespace frond
