// SPDX-License-Identifier: BSD-3-Clause
// Makes ranks continue together, or fail together.
#pragma once

#include <exception>

#include "frond/error.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// Collective: throws the same exception on every rank, that of the lowest rank that passed one, naming that rank; returns if all
/// passed null.
void throw_first_failure(const Communicator& ranks, const std::exception_ptr& mine);

/// Collective: runs `work` on every rank. If it throws on one, all throw. Communication errors are passed on at once, since ranks
/// cannot agree on them.
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
