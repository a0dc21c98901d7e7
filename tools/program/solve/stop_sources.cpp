// SPDX-License-Identifier: BSD-3-Clause
// Polls one source of stop requests after the other.
#include "tools/program/solve/stop_sources.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "matrices/steady_clock.hpp"
#include "solver/storage/checkpoint/checkpoint_info.hpp"
#include "tools/program/process/other_programs.hpp"

namespace frond {
namespace {

constexpr double kLookSeconds = 0.5;

// Returns a description of what the directory holds by now.
std::string finished_part(const std::string& checkpoint) {
  try {
    const CheckpointInfo info = read_checkpoint_info(checkpoint);
    double flops = 0;
    for (const AttemptInfo& attempt : info.attempts) {
      flops = std::max(flops, attempt.flops);
    }
    return info.attempts.empty() ? fmt::format("{} has nothing of the factorization yet", checkpoint)
                                 : fmt::format("{} has {:.1f} % of the flops", checkpoint, 100 * flops / std::max(1.0, info.flops));
  } catch (const Error& error) {
    return fmt::format("the checkpoint is of no use: {}", error.what());
  }
}

}  // namespace

std::string resume_command(const std::vector<std::string>& words, Rank num_processes) {
  constexpr std::string_view kCheckpoint = "--checkpoint";
  std::string command = num_processes > 1 ? fmt::format("mpiexec.mpich -n {}", num_processes) : "";
  for (std::string word : words) {
    if (word == kCheckpoint || word.starts_with("--checkpoint=")) {
      word.replace(0, kCheckpoint.size(), "--resume");
    }
    command += (command.empty() ? "" : " ") + shell_word(word);
  }
  return command;
}

StopSources::StopSources(double time_limit_seconds, std::string checkpoint, Rank num_processes)
    : time_limit_seconds_(time_limit_seconds),
      end_(steady_seconds() + time_limit_seconds),
      checkpoint_(std::move(checkpoint)),
      num_processes_(num_processes) {
  if (!checkpoint_.empty()) {
    signals_.emplace();
  }
}

bool StopSources::is_over() const { return time_limit_seconds_ > 0 && steady_seconds() >= end_; }

bool StopSources::stop_requested() {
  if (signals_ && !is_requested_ && steady_seconds() >= next_look_) {
    next_look_ = steady_seconds() + kLookSeconds;
    is_requested_ = is_stop_requested(checkpoint_);
  }
  const char* signal = signals_ ? signals_->stop_signal() : nullptr;
  if (signal != nullptr && std::string_view(signal) == "SIGINT" && !has_told_.exchange(true)) {
    tell_on_stderr(
        fmt::format("\nfrond: writing what is finished to {}; Ctrl-C again ends at once, and may lose it\n", checkpoint_));
  }
  return is_over() || is_requested_ || signal != nullptr;
}

void StopSources::checkpoint_failed(const std::string& why) {
  has_trouble_ = true;
  tell_on_stderr(fmt::format("frond: warning: the {} not kept up any more: {}; what was listed before is good\n",
                             checkpoint_.empty() ? "copies are" : "checkpoint is", why));
}

void StopSources::throw_stopped(const char* phase) const {
  const std::string limit = fmt::format("--time-limit: {:g} s were over {}", time_limit_seconds_, phase);
  if (!signals_) {
    throw StoppedError(limit + "; allow more time, or see by frond analyze what it takes");
  }
  const char* signal = signals_->stop_signal();
  const std::string cause = signal != nullptr ? fmt::format("{} came {}", signal, phase)
                            : is_requested_   ? fmt::format("frond checkpoint --stop asked for it {}", phase)
                                              : limit;
  throw SuspendedError(fmt::format("{}: {}{}; go on with\n  {}", cause, finished_part(checkpoint_),
                                   has_trouble_ ? ", since it could not be written any more" : "",
                                   resume_command(own_command_line(), num_processes_)));
}

}  // namespace frond
