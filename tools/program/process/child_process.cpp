// SPDX-License-Identifier: BSD-3-Clause
// Runs children with posix_spawn, two pipes and a clock.
#include "tools/program/process/child_process.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "frond/error.hpp"
#include "tools/program/process/other_programs.hpp"

namespace frond {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kGrace{5};  // between asking and killing

// The reading end of a pipe whose writing end the child gets.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) {
      throw InternalError(fmt::format("no pipe to a child process: {}", std::strerror(errno)));
    }
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] int reading_end() const { return ends_[0]; }
  [[nodiscard]] int writing_end() const { return ends_[1]; }
  void close_writing_end() { close_end(1); }

  // Appends the available data to `text`. False at the end of the stream.
  bool read_into(std::string& text) const {
    std::array<char, 1 << 16> chunk;
    const ssize_t size = read(ends_[0], chunk.data(), chunk.size());
    text.append(chunk.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    return size > 0;
  }

 private:
  void close_end(std::size_t end) {
    if (ends_[end] >= 0) {
      close(ends_[end]);
      ends_[end] = -1;
    }
  }

  std::array<int, 2> ends_{-1, -1};
};

pid_t start(std::vector<std::string> arguments, std::vector<std::string> environment, const Pipe& output, const Pipe& errors) {
  const std::vector<char*> argv = pointers_to(arguments);
  const std::vector<char*> variables = pointers_to(environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.writing_end(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.writing_end(), STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environment.empty() ? environ : variables.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw InternalError(fmt::format("{} cannot be started: {}", arguments.front(), std::strerror(error)));
  }
  return child;
}

// Reads both pipes until they end, the time is over, or `wants_stop` returns true. Returns true if they ended.
bool collect(const Pipe& output, const Pipe& errors, Clock::time_point deadline, const std::function<bool()>& wants_stop,
             ChildResult& result) {
  std::array<pollfd, 2> ends{pollfd{output.reading_end(), POLLIN, 0}, pollfd{errors.reading_end(), POLLIN, 0}};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    result.timed_out = left <= 0;
    if (result.timed_out || (wants_stop && wants_stop())) {
      return false;
    }
    if (poll(ends.data(), ends.size(), static_cast<int>(std::min<long long>(left, 1000))) < 0) {
      continue;  // interrupted by a signal
    }
    if (ends[0].revents != 0 && !output.read_into(result.output)) {
      ends[0].fd = -1;
    }
    if (ends[1].revents != 0 && !errors.read_into(result.errors)) {
      ends[1].fd = -1;
    }
  }
  return true;
}

// Asks the child to end, and kills it if it does not. Returns the status from waitpid.
int end_child(pid_t child) {
  kill(child, SIGTERM);
  int status = 0;
  for (const Clock::time_point deadline = Clock::now() + kGrace; Clock::now() < deadline;) {
    if (waitpid(child, &status, WNOHANG) == child) {
      return status;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return status;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& arguments, double seconds_limit, const ChildSetting& setting) {
  ChildResult result;
  Pipe output;
  Pipe errors;
  const Clock::time_point begin = Clock::now();
  const pid_t child = start(arguments, setting.environment, output, errors);
  output.close_writing_end();
  errors.close_writing_end();
  const auto deadline = begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_limit));
  const bool has_ended = collect(output, errors, deadline, setting.wants_stop, result);
  const int status = has_ended ? wait_for(child) : end_child(child);
  result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace frond
