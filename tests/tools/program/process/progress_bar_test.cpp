// SPDX-License-Identifier: BSD-3-Clause
// Tests the bar on a terminal, and the lines written elsewhere.
#include "tools/program/process/progress_bar.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>

namespace frond {
namespace {

// Holds both ends of a terminal or a pipe.
class Line {
 public:
  explicit Line(bool is_terminal) {
    int written = -1;
    const bool is_open = is_terminal ? openpty(&reader_, &written, nullptr, nullptr, nullptr) == 0 : open_pipe(written);
    if (!is_open) {
      throw std::runtime_error("the system gives no terminal, or no pipe; is /dev/pts mounted?");
    }
    fcntl(reader_, F_SETFL, O_NONBLOCK);
    stream_ = fdopen(written, "w");
  }
  ~Line() {
    std::fclose(stream_);
    close(reader_);
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  [[nodiscard]] std::FILE* stream() const { return stream_; }

  // Returns what arrived since the last call.
  [[nodiscard]] std::string received() const {
    std::array<char, 4096> text{};
    const ssize_t length = read(reader_, text.data(), text.size());
    return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))};
  }

  // Returns what is drawn first; empty if nothing is drawn for a long time.
  [[nodiscard]] std::string first_line() const {
    std::string text;
    for (int i = 0; i < 2000 && text.empty(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      text = received();
    }
    return text;
  }

 private:
  bool open_pipe(int& written) {
    std::array<int, 2> ends{};
    const bool is_open = pipe(ends.data()) == 0;
    reader_ = ends[0];
    written = ends[1];
    return is_open;
  }

  int reader_ = -1;
  std::FILE* stream_ = nullptr;
};

TEST(ProgressBar, IsDrawnOnATerminalFromTheFirstSecondOnAndTakenAway) {
  const Line line(true);
  {
    const auto start = std::chrono::steady_clock::now();
    ProgressBar bar("working", line.stream());
    bar.update(0.5);
    EXPECT_EQ(line.first_line(), "\rworking [" + std::string(20, '#') + std::string(20, ' ') + "]  50 %");
    EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
  }
  EXPECT_TRUE(line.received().ends_with("\r\033[K"));
}

TEST(ProgressBar, TellsTheTimeWhileItDoesNotKnowHowMuchIsDone) {
  const Line line(true);
  const ProgressBar bar("reading", line.stream());
  const std::string text = line.first_line();
  EXPECT_TRUE(text.starts_with("\rreading ... ") && text.ends_with(" s")) << text;
}

TEST(ProgressBar, LeavesNoTraceOfShortWork) {
  const Line line(true);
  { const ProgressBar bar("working", line.stream()); }
  EXPECT_EQ(line.received(), "");
}

TEST(ProgressBar, WritesLinesToALog) {
  const Line line(false);
  ProgressBar bar("working", line.stream(), std::chrono::milliseconds(30));
  EXPECT_EQ(line.first_line(), "frond: working for 0 s\n");
  bar.update(0.5);
  EXPECT_TRUE(line.first_line().find("frond: working for ") == 0);
  std::string text = line.first_line();
  EXPECT_NE(text.find(" s, 50 %\n"), std::string::npos) << text;
}

TEST(ProgressBar, IsSilentInAPipeForTheFirstSeconds) {
  const Line line(false);
  {
    ProgressBar bar("working", line.stream());
    bar.update(0.5);
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  }
  EXPECT_EQ(line.received(), "");
}

}  // namespace
}  // namespace frond
