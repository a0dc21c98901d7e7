// SPDX-License-Identifier: BSD-3-Clause
// Ranks go on together, or fail together.
#pragma once

#include <exception>

#include "frond/error.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// Collective: throws on every rank the same exception, of the lowest rank that has passed one, naming that rank; returns if all
/// have passed null.
void throw_first_failure(const Communicator& ranks, const std::exception_ptr& mine);

/// Collective: does `work` on every rank. If that throws on one, all throw. What communication throws is passed on at once, since
/// ranks cannot agree on it.
template <class Work>
void agree(const Communicator& ranks, Work work) {
  std::exception_ptr exception;
  try {
    work();
  } catch (const CommunicationError&) {
    throw;
  } catch (...) {
    exception = std::current_exception();
  }
  throw_first_failure(ranks, exception);
}

}  // namespace frond
