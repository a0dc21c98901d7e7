// SPDX-License-Identifier: BSD-3-Clause
// A sweep of simulations as its page needs it: numbers of ranks x mechanisms x schedules x load thread, and one run in detail.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tools/program/page/picture.hpp"

namespace frond {

/// The settings varied in addition to the number of ranks.
struct SweepSetting {
  std::string exchange;
  std::string schedule;
  bool has_load_thread = true;
};

struct SweepRun {
  double num_ranks = 0;
  SweepSetting setting;
  double seconds = 0;
  double mean_busy_seconds = 0;
  double load_imbalance = 0;
  double peak_active_entries = 0;  ///< of the rank with the most
  double mean_peak_active_entries = 0;
  double fullest_rank = 0;
  double peak_bytes = 0;
  double main_messages = 0;
  double main_message_bytes = 0;
  double load_messages = 0;
  double load_message_bytes = 0;
  std::string load_messages_by_type;  ///< "update 12, reservation 3"
  double num_decisions = 0;
  double num_slaves = 0;
  double snapshot_seconds = 0;
};

struct FailedSweepRun {
  double num_ranks = 0;
  SweepSetting setting;
  std::string error;
};

struct Sweep {
  std::string matrix;
  double order = 0;
  double num_entries = 0;
  std::string method;
  std::vector<SweepRun> runs;
  std::vector<FailedSweepRun> failed_runs;
  const SweepRun* shown_run = nullptr;  ///< in `runs`; null: there is no timeline and no tree
  Timeline timeline;
  std::vector<TreeMark> tree;

  Sweep() = default;
  Sweep(Sweep&&) = default;
  Sweep& operator=(Sweep&&) = default;
  Sweep(const Sweep&) = delete;  // the copy's shown_run would be the original's
  Sweep& operator=(const Sweep&) = delete;
  ~Sweep() = default;
};

/// Reads the record of `frond simulate --sweep --json`. Missing figures are 0; throws InternalError for unknown roles and kinds of
/// nodes.
[[nodiscard]] Sweep read_sweep(const nlohmann::ordered_json& json);

}  // namespace frond
