// SPDX-License-Identifier: BSD-3-Clause
// Holds the options of a solver as C knows them, and the limits of its calls.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "frond.h"
#include "frond/observer.hpp"
#include "frond/options.hpp"
#include "interfaces/c/input_pattern.hpp"
#include "solver/options/option_table.hpp"

namespace frond {

/// Callbacks of a caller and their contexts; a null callback is not called.
struct Callbacks {
  frond_progress progress = nullptr;
  void* progress_context = nullptr;
  frond_stop stop = nullptr;
  void* stop_context = nullptr;
};

/// The deadline and the callbacks of one call.
struct CallLimits {
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
  Callbacks own = {};  ///< of the calling thread; they replace those of the solver

  [[nodiscard]] bool is_time_over() const { return deadline && std::chrono::steady_clock::now() > *deadline; }
};

/// Observes for the caller's callbacks and time limit. Thread-safe: callbacks may be set while calls run, and replaced callbacks
/// are not called any more.
class CallWatch final : public Observer {
 public:
  void set_progress(frond_progress callback, void* context);
  void set_stop(frond_stop callback, void* context);
  /// Counts from the start of each call; 0: no limit. No call may be running.
  void set_time_limit(double seconds) { limit_seconds_ = seconds; }
  [[nodiscard]] double time_limit() const { return limit_seconds_; }

  /// A call of this thread, for the lifetime of this object. `limits` must outlive it.
  class Running {
   public:
    /// Starts the clock of the call.
    Running(CallWatch& watch, CallLimits& limits);
    ~Running();
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    CallWatch& watch_;
    CallLimits& limits_;
  };
  /// While this object lives, only the call of `limits` is working, although others may have begun.
  class Alone {
   public:
    Alone(CallWatch& watch, const CallLimits& limits);
    ~Alone();
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;

   private:
    CallWatch& watch_;
  };

  /// For a call's own thread or a helper thread. A helper of concurrent calls cannot know its call: it stops only when all of them
  /// are to stop, since the thread of each call checks for itself.
  bool stop_requested() override;
  void progress(double fraction) override;
  void rank_idle(const std::string& report) override;

 private:
  [[nodiscard]] bool is_stop_wanted(const CallLimits& call) const;
  void set_alone(const CallLimits* call);

  std::shared_mutex mutex_;  // held shared while a callback runs
  Callbacks callbacks_;
  std::vector<const CallLimits*> running_;
  const CallLimits* alone_ = nullptr;
  double limit_seconds_ = 0;
};

/// Whether a caller's callback is running on this thread; callbacks must not make calls.
[[nodiscard]] bool is_within_callback();

class SolverSettings {
 public:
  SolverSettings() { options_.observer = watch_; }

  /// Sets an option of the solver or one of the options that only C has. Throws UsageError.
  void set(std::string_view name, std::string_view value);
  [[nodiscard]] std::string get(std::string_view name) const;

  [[nodiscard]] SolverOptions& options() { return options_; }
  [[nodiscard]] const SolverOptions& options() const { return options_; }
  [[nodiscard]] CallWatch& watch() const { return *watch_; }
  /// May be read while others set it.
  [[nodiscard]] IndexBase base() const { return {first_index_, adds_mirrored_}; }

  /// What has changed since the last analysis, and the last factorization, so that these must be repeated.
  bool has_new_analysis_options = false;
  bool has_new_options = false;

 private:
  SolverOptions options_;
  std::shared_ptr<CallWatch> watch_ = std::make_shared<CallWatch>();
  std::atomic<std::int64_t> first_index_ = 0;
  std::atomic<bool> adds_mirrored_ = false;
};

/// The options that only C has, counted from 0; null after the last one.
[[nodiscard]] const NamedOption* own_option(std::size_t number);

}  // namespace frond
