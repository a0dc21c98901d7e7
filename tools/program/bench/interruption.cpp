// SPDX-License-Identifier: BSD-3-Clause
// Installs a signal handler that sets a flag.
#include "tools/program/bench/interruption.hpp"

namespace frond {
namespace {

volatile std::sig_atomic_t has_been_interrupted = 0;  // a handler may access nothing else

void remember(int /*signal*/) { has_been_interrupted = 1; }

}  // namespace

Interruption::Interruption() {
  has_been_interrupted = 0;
  struct sigaction action = {};
  action.sa_handler = remember;  // without SA_RESTART: a wait for a child ends
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
}

Interruption::~Interruption() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
}

bool Interruption::has_come() const { return has_been_interrupted != 0; }  // NOLINT(readability-convert-member-functions-to-static)

}  // namespace frond
