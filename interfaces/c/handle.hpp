// SPDX-License-Identifier: BSD-3-Clause
// Defines frond_solver, and how calls reach it: locked, timed, and with every exception turned into a status and a message.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <variant>

#include "frond.h"
#include "frond/report.hpp"
#include "interfaces/c/solver_of.hpp"

namespace frond {

/// The outcome of a thread's last call, and the limits of its calls.
struct CallRecord {
  CallLimits limits;
  std::string message;               ///< empty after a success
  std::string text;                  ///< returned by the call
  std::optional<SolveReport> solve;  ///< of the thread's last solve
};

/// Returns the status and the message of the exception being handled.
[[nodiscard]] std::pair<frond_status, std::string> describe_exception() noexcept;

[[nodiscard]] frond_status status_of(Verdict verdict);

/// Returns the status for a solver whose creation failed with the exception being handled, and keeps the message for
/// reason_for_none().
[[nodiscard]] frond_status note_none_made() noexcept;

/// The message of a solver that is NULL, for this thread.
[[nodiscard]] const char* reason_for_none() noexcept;

/// Clears the message of reason_for_none(), after a solver has been made.
void note_made() noexcept;

/// Returns what work(solver, record), or work(solver), returns; a success if that is nothing.
template <class Work, class Solver>
frond_status status_of_work(Work& work, Solver& solver, CallRecord& record) {
  if constexpr (!std::is_invocable_v<Work&, Solver&, CallRecord&>) {
    const auto alone = [&work](Solver& own, CallRecord& /*record*/) { return work(own); };
    return status_of_work(alone, solver, record);
  } else if constexpr (std::is_void_v<std::invoke_result_t<Work&, Solver&, CallRecord&>>) {
    work(solver, record);
    return FROND_SUCCESS;
  } else {
    return work(solver, record);
  }
}

}  // namespace frond

struct frond_solver {
 public:
  explicit frond_solver(frond::AnySolver solver)
      : solver_(std::move(solver)), base_(std::visit([](auto& own) -> frond::SolverBase& { return *own; }, solver_)) {}
  /// Over several processes collective, unless another process is known to be gone.
  ~frond_solver();
  /// Makes the destructor local: the other processes are not met any more.
  void leave() { others_are_gone_ = true; }
  frond_solver(const frond_solver&) = delete;
  frond_solver& operator=(const frond_solver&) = delete;

  /// Returns the record of the calling thread.
  [[nodiscard]] frond::CallRecord& record();

  /// Calls work(solver, record) for a SolverOf<S> while no other call runs, and returns its status (see status_of_work()). Over
  /// several processes all make the same call; otherwise all get a usage error.
  template <class Work>
  frond_status change(const char* call, Work work) noexcept {
    return guarded([&](frond::CallRecord& record) {
      const std::unique_lock lock = enter_alone();
      CallWatch& watch = base_.settings().watch();
      const CallWatch::Running running(watch, record.limits);
      const CallWatch::Alone alone(watch, record.limits);
      begin(call);
      return std::visit([&](auto& own) { return frond::status_of_work(work, *own, record); }, solver_);
    });
  }

  /// The same with a SolverBase and on this process alone, for state with a lock of its own: other calls may run meanwhile.
  template <class Work>
  frond_status set_here(Work work) noexcept {
    return guarded([&](frond::CallRecord& record) { return frond::status_of_work(work, base_, record); });
  }

  /// The same on this process alone.
  template <class Work>
  frond_status change_here(Work work) noexcept {
    return guarded([&](frond::CallRecord& record) {
      const std::unique_lock lock = enter_alone();
      return frond::status_of_work(work, base_, record);
    });
  }
  /// The same concurrently with other calls that only read.
  template <class Work>
  frond_status ask_here(Work work) noexcept {
    return guarded([&](frond::CallRecord& record) {
      const std::shared_lock lock = enter();
      return frond::status_of_work(work, std::as_const(base_), record);
    });
  }

  /// As change(), but factorizes the matrix first if necessary; in a single process it runs concurrently with other such calls.
  template <class Work>
  frond_status ask_factors(const char* call, Work work) noexcept {
    if (!base_.team().has_callers_side_by_side()) {
      return change(call, [&](auto& solver, frond::CallRecord& record) {
        if (!solver.is_factorized()) {
          solver.factorize();
        }
        return frond::status_of_work(work, std::as_const(solver), record);
      });
    }
    return guarded([&](frond::CallRecord& record) {
      std::shared_lock asking = enter();
      CallWatch& watch = base_.settings().watch();
      const CallWatch::Running running(watch, record.limits);
      begin(call);
      while (!base_.is_factorized()) {  // another call may change something in between
        asking.unlock();
        {
          const std::unique_lock changing = enter_alone();
          const CallWatch::Alone alone(watch, record.limits);
          if (!base_.is_factorized()) {
            base_.factorize();
          }
        }
        asking = enter();
      }
      return std::visit([&](auto& own) { return frond::status_of_work(work, std::as_const(*own), record); }, solver_);
    });
  }

 private:
  using CallWatch = frond::CallWatch;

  // Calls enter in the order of their arrival, so that a stream of concurrent calls cannot starve one that runs alone.
  [[nodiscard]] std::unique_lock<std::shared_mutex> enter_alone() {
    const std::lock_guard turn(turn_);
    return std::unique_lock(mutex_);
  }
  [[nodiscard]] std::shared_lock<std::shared_mutex> enter() {
    const std::lock_guard turn(turn_);
    return std::shared_lock(mutex_);
  }

  template <class Work>
  frond_status guarded(Work work) noexcept {
    frond::CallRecord* own = nullptr;
    try {
      own = &record();
      own->message.clear();
      refuse_callback();
      const frond_status status = work(*own);
      own->message = status == FROND_SUCCESS ? std::string() : with_base(std::move(own->message));  // drops callbacks' messages
      return status;
    } catch (...) {
      return note_exception(own);
    }
  }

  /// Checks that all make the same call. Throws UsageError if they do not, and CommunicationError if a process has destroyed the
  /// solver or is gone.
  void begin(const char* call);
  frond_status note_exception(frond::CallRecord* record) noexcept;
  /// Counts the variables in the message from the caller's index base.
  [[nodiscard]] std::string with_base(std::string message) const;
  static void refuse_callback();

  frond::AnySolver solver_;
  frond::SolverBase& base_;  // the same
  std::atomic<bool> others_are_gone_ = false;
  std::mutex turn_;  // taken while waiting for mutex_
  std::shared_mutex mutex_;
  std::mutex records_mutex_;
  std::map<std::thread::id, frond::CallRecord> records_;
};
