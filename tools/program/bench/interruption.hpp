// SPDX-License-Identifier: BSD-3-Clause
// Ctrl-C as a question that is asked between two measurements.
#pragma once

#include <csignal>

namespace frond {

/// While it lives, SIGINT and SIGTERM do not end the process but are remembered. One at a time in a process.
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
