// SPDX-License-Identifier: BSD-3-Clause
// Lets the program ask between two measurements whether Ctrl-C was pressed.
#pragma once

#include <csignal>

namespace frond {

/// During its life, SIGINT and SIGTERM do not end the process but are remembered. One at a time in a process.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  [[nodiscard]] bool has_come() const;

 private:
  struct sigaction old_interrupt_ = {};
  struct sigaction old_terminate_ = {};
};

}  // namespace frond
