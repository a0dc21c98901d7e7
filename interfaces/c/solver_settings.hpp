// SPDX-License-Identifier: BSD-3-Clause
// The options of a solver as C knows them, and what ends its calls.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "frond.h"
#include "frond/named_options.hpp"
#include "frond/options.hpp"
#include "interfaces/c/input_pattern.hpp"

namespace frond {

/// The callbacks of a caller and the time that it allows, as options ask for them. Thread-safe.
class CallWatch {
 public:
  void set_progress(frond_progress progress, void* context);
  void set_stop(frond_stop stop, void* context);
  /// From the begin of each call on; 0: any time.
  void set_time_limit(double seconds) { limit_seconds_ = seconds; }
  [[nodiscard]] double time_limit() const { return limit_seconds_; }

  void begin_call();
  /// That of the call that began last.
  [[nodiscard]] bool is_time_over() const;
  [[nodiscard]] bool is_stop_wanted() const;
  void tell_progress(double fraction) const;

 private:
  frond_progress progress_ = nullptr;
  void* progress_context_ = nullptr;
  frond_stop stop_ = nullptr;
  void* stop_context_ = nullptr;
  double limit_seconds_ = 0;
  std::atomic<std::int64_t> deadline_ = 0;  // of the call that began last, in ticks of the steady clock
};

/// Whether a callback of a caller is running on this thread, from which no call may be made.
[[nodiscard]] bool is_within_callback();

class SolverSettings {
 public:
  /// Sets an option of the solver or one of those that C has besides. Throws UsageError.
  void set(std::string_view name, std::string_view value);
  [[nodiscard]] std::string get(std::string_view name) const;

  [[nodiscard]] SolverOptions& options() { return options_; }
  [[nodiscard]] const SolverOptions& options() const { return options_; }
  /// With the callbacks, such as they are now.
  [[nodiscard]] SolverOptions watched_options() const;

  [[nodiscard]] CallWatch& watch() const { return *watch_; }
  [[nodiscard]] IndexBase base() const { return base_; }
  [[nodiscard]] bool detects_symmetry() const { return detects_symmetry_; }

  /// What has been set since the last analysis, and the last factorization, so that these have to be made again.
  bool has_new_analysis_options = false;
  bool has_new_options = false;

 private:
  SolverOptions options_;
  std::shared_ptr<CallWatch> watch_ = std::make_shared<CallWatch>();
  IndexBase base_;
  bool detects_symmetry_ = false;
};

/// The options that the solver of C++ has not, counted from 0; null after the last one.
[[nodiscard]] const NamedOption* own_option(std::size_t number);

}  // namespace frond
