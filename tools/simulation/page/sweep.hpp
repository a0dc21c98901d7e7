// SPDX-License-Identifier: BSD-3-Clause
// A sweep of simulations as its page needs it: numbers of ranks x mechanisms x schedules x load thread, and one run in detail.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
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

/// The key of a figure in the record of a run.
using RunFigure = const char*;
inline constexpr RunFigure kSeconds = "predicted_seconds";
inline constexpr RunFigure kActivePeak = "peak_active_entries_max";  ///< of the rank with the most

struct SweepRun {
  double num_ranks = 0;
  SweepSetting setting;
  nlohmann::ordered_json record;  ///< all that is known of it

  /// Returns a figure; 0 if it is missing.
  [[nodiscard]] double operator[](RunFigure figure) const;
  /// Returns a text; empty if it is missing.
  [[nodiscard]] std::string text(const char* key) const;
};

/// One run of a sweep in detail.
struct ShownRun {
  std::optional<std::size_t> number = {};  ///< its position; none: no run is shown
  Timeline timeline = {};
  std::vector<TreeMark> tree = {};
};

struct Sweep {
  std::string matrix;
  double order = 0;
  double num_entries = 0;
  std::string method;
  std::vector<SweepRun> runs;
  std::vector<SweepRun> failed_runs;    ///< with their "error"
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

/// Reads the record of `frond simulate --sweep --json`. Missing figures are 0.
[[nodiscard]] Sweep read_sweep(const nlohmann::ordered_json& json, ShownRun shown = {});

}  // namespace frond
