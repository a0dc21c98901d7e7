// SPDX-License-Identifier: BSD-3-Clause
// Installs signal handlers that set flags.
#include "tools/program/process/stop_signals.hpp"

#include <atomic>

namespace frond {
namespace {

// A handler may access nothing else. Lock-free, as required in a handler.
std::atomic<int> stop_signal_number{0};
std::atomic<bool> is_list_wanted{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void remember_stop(int signal) { stop_signal_number = signal; }
void remember_list(int /*signal*/) { is_list_wanted = true; }

}  // namespace

StopSignals::StopSignals() {
  stop_signal_number = 0;
  is_list_wanted = false;
  struct sigaction action = {};
  action.sa_flags = SA_RESTART;
  action.sa_handler = remember_list;
  sigaction(SIGUSR2, &action, &old_user_);
  action.sa_handler = remember_stop;
  sigaction(SIGTERM, &action, &old_terminate_);
  sigaction(SIGHUP, &action, &old_hang_up_);
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  sigaction(SIGINT, &action, &old_interrupt_);
}

StopSignals::~StopSignals() {
  sigaction(SIGTERM, &old_terminate_, nullptr);
  sigaction(SIGHUP, &old_hang_up_, nullptr);
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGUSR2, &old_user_, nullptr);
}

// NOLINTNEXTLINE(readability-convert-member-functions-to-static): while there is one
const char* StopSignals::stop_signal() const {
  const int signal = stop_signal_number;
  switch (signal) {
    case 0:
      return nullptr;
    case SIGINT:
      return "SIGINT";
    case SIGHUP:
      return "SIGHUP";
    default:
      return "SIGTERM";
  }
}

// NOLINTNEXTLINE(readability-convert-member-functions-to-static): while there is one
bool StopSignals::take_list_request() { return is_list_wanted.exchange(false); }

}  // namespace frond
