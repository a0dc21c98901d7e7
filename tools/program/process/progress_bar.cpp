// SPDX-License-Identifier: BSD-3-Clause
// Draws a progress bar.
#include "tools/program/process/progress_bar.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

namespace frond {
namespace {

constexpr int kWidth = 40;
constexpr std::chrono::milliseconds kPatience{1000};
constexpr std::chrono::milliseconds kInterval{100};

}  // namespace

ProgressBar::ProgressBar(std::string label, std::FILE* stream, std::chrono::milliseconds log_interval)
    : label_(std::move(label)), stream_(stream), log_interval_(log_interval) {
  const bool is_terminal = isatty(fileno(stream)) == 1;
  try {
    painter_ = std::thread([this, is_terminal] { paint(is_terminal); });
  } catch (const std::system_error&) {  // without a thread there is no bar
  }
}

ProgressBar::~ProgressBar() {
  if (painter_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      is_done_ = true;
    }
    wake_.notify_one();
    painter_.join();
  }
}

void ProgressBar::paint(bool is_terminal) {
  try {
    is_terminal ? draw_until_done() : log_until_done();
  } catch (const std::exception&) {  // without memory there is no bar
  }
}

void ProgressBar::draw_until_done() {
  std::unique_lock lock(mutex_);
  const auto is_done = [this] { return is_done_; };
  if (wake_.wait_for(lock, kPatience, is_done)) {
    return;
  }
  do {
    draw();
  } while (!wake_.wait_for(lock, kInterval, is_done));
  std::fputs("\r\033[K", stream_);
  std::fflush(stream_);
}

void ProgressBar::log_until_done() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, log_interval_, [this] { return is_done_; })) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    const std::string part = fraction_ < 0 ? "" : fmt::format(", {:.0f} %", 100 * std::clamp(fraction_.load(), 0.0, 1.0));
    show(fmt::format("frond: {} for {:.0f} s{}\n", label_, elapsed.count(), part));
    std::fflush(stream_);
  }
}

// Errors are ignored: the terminal may have been closed.
void ProgressBar::show(const std::string& text) const { (void)std::fputs(text.c_str(), stream_); }

void ProgressBar::draw() {
  if (fraction_ < 0) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    show(fmt::format("\r{} ... {:.0f} s", label_, elapsed.count()));
  } else {
    const double shown = std::clamp(fraction_.load(), 0.0, 1.0);
    const std::string done(static_cast<std::size_t>(shown * kWidth), '#');
    show(fmt::format("\r{} [{:<{}}] {:3.0f} %", label_, done, kWidth, 100 * shown));
  }
  std::fflush(stream_);
}

}  // namespace frond
