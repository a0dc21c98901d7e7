// SPDX-License-Identifier: BSD-3-Clause
// Implements the options of C, and callbacks that record that they are running.
#include "interfaces/c/solver_settings.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <mutex>

#include "solver/options/option_row.hpp"

namespace frond {
namespace {

constexpr std::string_view kIndexBase = "index-base";
constexpr std::string_view kMirrored = "mirrored";
constexpr std::string_view kTimeLimit = "time-limit";

constexpr std::array<NamedOption, 3> kOwnOptions = {
    {{kIndexBase, "0|1", "from what indices count", RepeatedPhase::none},
     {kMirrored, "error|sum", "what entries (i, j) and (j, i) of a matrix that is not general come to", RepeatedPhase::none},
     {kTimeLimit, "a number of seconds; 0: none", "after which a call ends", RepeatedPhase::none}}};

thread_local bool runs_callback = false;
thread_local const CallLimits* call_of_thread = nullptr;

// Sets the mark for its lifetime.
class CallbackNote {
 public:
  CallbackNote() { runs_callback = true; }
  ~CallbackNote() { runs_callback = false; }
  CallbackNote(const CallbackNote&) = delete;
  CallbackNote& operator=(const CallbackNote&) = delete;
};

const NamedOption* find_own(std::string_view name) {
  const auto* option =
      std::find_if(kOwnOptions.begin(), kOwnOptions.end(), [name](const NamedOption& known) { return known.name == name; });
  return option == kOwnOptions.end() ? nullptr : option;
}

std::chrono::steady_clock::duration ticks_of(double seconds) {
  constexpr double kLongest = 1e9;  // 30 years
  const std::chrono::duration<double> wide(std::min(seconds, kLongest));
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(wide);
}

}  // namespace

bool is_within_callback() { return runs_callback; }

void CallWatch::set_progress(frond_progress callback, void* context) {
  const std::unique_lock lock(mutex_);
  callbacks_.progress = callback;
  callbacks_.progress_context = context;
}

void CallWatch::set_stop(frond_stop callback, void* context) {
  const std::unique_lock lock(mutex_);
  callbacks_.stop = callback;
  callbacks_.stop_context = context;
}

CallWatch::Running::Running(CallWatch& watch, CallLimits& limits) : watch_(watch), limits_(limits) {
  limits_.deadline.reset();
  if (watch_.limit_seconds_ > 0) {
    limits_.deadline = std::chrono::steady_clock::now() + ticks_of(watch_.limit_seconds_);
  }
  const std::unique_lock lock(watch_.mutex_);
  watch_.running_.push_back(&limits_);
  call_of_thread = &limits_;
}

CallWatch::Running::~Running() {
  call_of_thread = nullptr;
  const std::unique_lock lock(watch_.mutex_);
  std::erase(watch_.running_, &limits_);
}

CallWatch::Alone::Alone(CallWatch& watch, const CallLimits& limits) : watch_(watch) { watch_.set_alone(&limits); }
CallWatch::Alone::~Alone() { watch_.set_alone(nullptr); }

void CallWatch::set_alone(const CallLimits* call) {
  const std::unique_lock lock(mutex_);
  alone_ = call;
}

bool CallWatch::stop_requested() {
  const std::shared_lock lock(mutex_);
  if (const CallLimits* call = call_of_thread != nullptr ? call_of_thread : alone_; call != nullptr) {
    return is_stop_wanted(*call);
  }
  return !running_.empty() &&
         std::all_of(running_.begin(), running_.end(), [this](const CallLimits* call) { return is_stop_wanted(*call); });
}

bool CallWatch::is_stop_wanted(const CallLimits& call) const {
  if (call.is_time_over()) {
    return true;
  }
  const Callbacks& asked = call.own.stop != nullptr ? call.own : callbacks_;
  const CallbackNote note;
  return asked.stop != nullptr && asked.stop(asked.stop_context) != 0;
}

void CallWatch::progress(double fraction) {
  const std::shared_lock lock(mutex_);
  const Callbacks& told = alone_ != nullptr && alone_->own.progress != nullptr ? alone_->own : callbacks_;
  const CallbackNote note;
  if (told.progress != nullptr) {
    told.progress(fraction, told.progress_context);
  }
}

void CallWatch::rank_idle(const std::string& report) { fmt::print(stderr, "frond: watchdog: {}\n", report); }

void SolverSettings::set(std::string_view name, std::string_view value) {
  const NamedOption* own = find_own(name);
  if (own == nullptr) {
    set_option(options_, name, value);
    const RepeatedPhase repeats = named_option(name).repeats;
    has_new_options = has_new_options || repeats != RepeatedPhase::none;
    has_new_analysis_options = has_new_analysis_options || repeats == RepeatedPhase::analysis;
    return;
  }
  if (name == kTimeLimit) {
    watch_->set_time_limit(parse_number(*own, value, 0.0, std::numeric_limits<double>::max()));
    return;
  }
  const std::vector<std::string_view> words = words_of(own->values);
  if (value != words.front() && value != words.back()) {
    refuse_value(*own, value);
  }
  if (name == kIndexBase) {
    first_index_ = value == words.back() ? 1 : 0;
  } else {
    adds_mirrored_ = value == words.back();
  }
}

std::string SolverSettings::get(std::string_view name) const {
  if (name == kIndexBase) {
    return std::to_string(first_index_);
  }
  if (name == kMirrored) {
    return adds_mirrored_ ? "sum" : "error";
  }
  return name == kTimeLimit ? fmt::format("{}", watch_->time_limit()) : option_value(options_, name);
}

const NamedOption* own_option(std::size_t number) { return number < kOwnOptions.size() ? &kOwnOptions[number] : nullptr; }

}  // namespace frond
