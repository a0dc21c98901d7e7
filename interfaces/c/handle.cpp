// SPDX-License-Identifier: BSD-3-Clause
// Keeps the records of threads, and converts exceptions to statuses.
#include "interfaces/c/handle.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <new>
#include <string_view>
#include <vector>

#include "frond/error.hpp"
#include "solver/course/team.hpp"
#include "solver/numerics/problem/counted_from.hpp"

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
  } catch (...) {  // no memory for the message
    return {FROND_MEMORY_ERROR, {}};
  }
}

frond_status status_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::solved:
    case Verdict::unmeasured:
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

namespace {

// Why the last solver that the thread requested was not made; empty if it was.
thread_local std::string last_reason;

}  // namespace

frond_status note_none_made() noexcept {
  auto [status, message] = describe_exception();
  last_reason = std::move(message);
  return status;
}

const char* reason_for_none() noexcept {
  return last_reason.empty() ? "there is no solver: the pointer is NULL" : last_reason.c_str();
}

void note_made() noexcept { last_reason.clear(); }

}  // namespace frond

namespace {

constexpr std::int64_t kDestroys = -1;

// The same on all processes, and never negative.
std::int64_t number_of_call(std::string_view call) {
  std::uint64_t number = 0;
  for (const char letter : call) {
    number = number * 31 + static_cast<unsigned char>(letter);
  }
  return static_cast<std::int64_t>(number >> 1U);
}

}  // namespace

frond::CallRecord& frond_solver::record() {
  const std::lock_guard lock(records_mutex_);
  return records_[std::this_thread::get_id()];
}

frond_solver::~frond_solver() {
  try {
    if (base_.team().size() > 1 && !others_are_gone_) {
      static_cast<void>(base_.team().of_all(kDestroys));
    }
  } catch (const std::exception& error) {  // from MPI, which has ended: no other process can be met
    static_cast<void>(error);
  }
}

void frond_solver::begin(const char* call) {
  const frond::Team& team = base_.team();
  if (team.size() == 1) {
    return;
  }
  if (others_are_gone_) {
    throw frond::CommunicationError(
        "another process is gone, or has destroyed the solver: all that is left is to destroy it here, too");
  }
  const std::int64_t mine = number_of_call(call);
  const std::vector<frond::Count> of_all = team.of_all(mine);
  if (const auto gone = std::find(of_all.begin(), of_all.end(), kDestroys); gone != of_all.end()) {
    others_are_gone_ = true;
    throw frond::CommunicationError(
        fmt::format("rank {} calls frond_destroy() while this process calls {}(): all have to make the "
                    "same calls, one after the other; all that is left is to destroy the solver here, too",
                    gone - of_all.begin(), call));
  }
  if (std::adjacent_find(of_all.begin(), of_all.end(), std::not_equal_to<>()) == of_all.end()) {
    return;
  }
  std::string of_the_first = call;
  frond::share_list(team, of_the_first);
  team.agree([&] {
    if (call != of_the_first) {
      throw frond::UsageError(
          fmt::format("this process calls {}() while the first one calls {}(): all have to make the same calls, "
                      "one after the other",
                      call, of_the_first));
    }
  });
}

std::string frond_solver::with_base(std::string message) const {
  return frond::counted_from(std::move(message), static_cast<frond::Index>(base_.base().first));
}

frond_status frond_solver::note_exception(frond::CallRecord* record) noexcept {
  auto [status, message] = frond::describe_exception();
  others_are_gone_ = others_are_gone_ || status == FROND_COMMUNICATION_ERROR;
  try {
    // The clock, not the stopped operation, knows that the time limit was the reason.
    if (status == FROND_STOPPED && record != nullptr && record->limits.is_time_over()) {
      message = fmt::format("stopped after the {} seconds of the option time-limit", base_.settings().watch().time_limit());
    }
    if (record != nullptr) {
      record->message = with_base(std::move(message));
    }
  } catch (const std::exception& error) {  // no memory for the message
    static_cast<void>(error);
  }
  return status;
}

void frond_solver::refuse_callback() {
  if (frond::is_within_callback()) {
    throw frond::UsageError("a callback of progress or of stopping may not call the solver: return from it first");
  }
}
