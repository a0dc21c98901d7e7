// SPDX-License-Identifier: BSD-3-Clause
// Records of threads, and exceptions as statuses.
#include "interfaces/c/handle.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <new>
#include <string_view>

#include "frond/error.hpp"
#include "solver/course/team.hpp"

namespace frond {

std::pair<frond_status, std::string> describe_exception() noexcept {
  try {
    try {
      throw;
    } catch (const MemoryError& error) {
      return {FROND_MEMORY_ERROR, error.what()};
    } catch (const std::bad_alloc&) {
      return {FROND_MEMORY_ERROR, "the system has no memory left"};
    } catch (const StoppedError& error) {
      return {FROND_STOPPED, error.what()};
    } catch (const CommunicationError& error) {
      return {FROND_COMMUNICATION_ERROR, error.what()};
    } catch (const InternalError& error) {
      return {FROND_INTERNAL_ERROR, error.what()};
    } catch (const OutputError& error) {
      return {FROND_OUTPUT_ERROR, error.what()};
    } catch (const InputError& error) {
      return {FROND_INPUT_ERROR, error.what()};
    } catch (const Error& error) {
      return {FROND_USAGE_ERROR, error.what()};
    } catch (const std::exception& error) {
      return {FROND_INTERNAL_ERROR, error.what()};
    } catch (...) {
      return {FROND_INTERNAL_ERROR, "something else than an exception was thrown"};
    }
  } catch (...) {  // there is no memory for the sentence
    return {FROND_MEMORY_ERROR, {}};
  }
}

frond_status status_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::solved:
      return FROND_SUCCESS;
    case Verdict::accuracy_missed:
      return FROND_ACCURACY_MISSED;
    case Verdict::singular:
      return FROND_SINGULAR;
    case Verdict::not_positive_definite:
      return FROND_NOT_POSITIVE_DEFINITE;
    case Verdict::rank_in_doubt:
      return FROND_RANK_IN_DOUBT;
  }
  throw InternalError("a verdict without a status");
}

}  // namespace frond

frond::CallRecord& frond_solver::record() {
  const std::lock_guard lock(records_mutex_);
  return records_[std::this_thread::get_id()];
}

void frond_solver::begin(const char* call) {
  solver_->settings().watch().begin_call();
  const frond::Team& team = solver_->team();
  if (team.size() == 1) {
    return;
  }
  std::array<char, 40> of_the_first{};
  const std::string_view mine = std::string_view(call).substr(0, of_the_first.size() - 1);
  std::copy(mine.begin(), mine.end(), of_the_first.begin());
  frond::share_value(team, of_the_first);
  team.agree([&] {
    if (mine != of_the_first.data()) {
      throw frond::UsageError(fmt::format(
          "this process calls {}() while the first one calls {}(): all have to make the same calls, one after the other", mine,
          of_the_first.data()));
    }
  });
}

void frond_solver::refuse_callback() {
  if (frond::is_within_callback()) {
    throw frond::UsageError("a callback of progress or of stopping may not call the solver: return from it first");
  }
}
