// SPDX-License-Identifier: BSD-3-Clause
// Waits in a thread, then exits in a way that the launcher takes for a proper one.
#include "tools/program/process/end_timer.hpp"

#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace frond {
namespace {

// Stops a thread forever, wherever it is.
void freeze(pthread_t thread) {
  struct sigaction action = {};
  action.sa_handler = [](int) {
    for (;;) {
      pause();
    }
  };
  if (sigaction(SIGUSR2, &action, nullptr) == 0) {
    (void)pthread_kill(thread, SIGUSR2);
  }
}

// MPICH's launcher fails, and ends the other processes, if one exits without this message of its protocol (PMI 1) and its answer.
// The launcher marks the processes it has started by HYDI_CONTROL_FD; other launchers that use the protocol accept the message.
void take_leave_of_launcher() {
  const char* descriptor = std::getenv("PMI_FD");
  if (descriptor == nullptr || std::getenv("HYDI_CONTROL_FD") == nullptr) {
    return;
  }
  const int launcher = std::atoi(descriptor);
  constexpr std::string_view kWord = "cmd=finalize\n";
  if (write(launcher, kWord.data(), kWord.size()) > 0) {
    constexpr int kMostMilliseconds = 1000;
    pollfd answer = {launcher, POLLIN, 0};
    char character = 0;
    while (character != '\n' && poll(&answer, 1, kMostMilliseconds) == 1 && read(launcher, &character, 1) == 1) {
    }
  }
}

}  // namespace

EndTimer::EndTimer(ExitCode code, double seconds) {
  try {
    thread_ = std::thread([this, code, seconds, maker = pthread_self()] { run(code, seconds, maker); });
  } catch (const std::system_error&) {  // without a thread there is no timer
  }
}

EndTimer::~EndTimer() {
  if (thread_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    has_ended_.notify_one();
    thread_.join();
  }
}

void EndTimer::run(ExitCode code, double seconds, pthread_t maker) {
  std::unique_lock lock(mutex_);
  if (!has_ended_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return is_over_; })) {
    // A process that continued after another had left would reach the launcher in the middle of the farewells.
    freeze(maker);
    constexpr std::chrono::seconds kUntilAllAreFrozen(1);
    std::this_thread::sleep_for(kUntilAllAreFrozen);
    take_leave_of_launcher();
    std::_Exit(static_cast<int>(code));
  }
}

}  // namespace frond
