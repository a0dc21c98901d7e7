// SPDX-License-Identifier: BSD-3-Clause
// Draws a progress bar.
#include "tools/progress_bar.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace frond {
namespace {

constexpr int kWidth = 40;
constexpr std::chrono::milliseconds kPatience{1000};
constexpr std::chrono::milliseconds kInterval{100};

}  // namespace

ProgressBar::ProgressBar(std::string label, std::FILE* stream)
    : label_(std::move(label)), stream_(stream), is_terminal_(isatty(fileno(stream)) == 1), next_draw_(Clock::now() + kPatience) {}

ProgressBar::~ProgressBar() {
  if (is_drawn_) {
    std::fputs("\r\033[K", stream_);
    std::fflush(stream_);
  }
}

void ProgressBar::update(double fraction) {
  if (!is_terminal_ || Clock::now() < next_draw_) {
    return;
  }
  const double shown = std::clamp(fraction, 0.0, 1.0);
  const std::string done(static_cast<std::size_t>(shown * kWidth), '#');
  fmt::print(stream_, "\r{} [{:<{}}] {:3.0f} %", label_, done, kWidth, 100 * shown);
  std::fflush(stream_);
  is_drawn_ = true;
  next_draw_ = Clock::now() + kInterval;
}

}  // namespace frond
