// SPDX-License-Identifier: BSD-3-Clause
// Makes up records of sweeps of any size, the same in every call.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/simulation/simulation_page.hpp"

namespace frond::testing {

struct SampleSweep {
  std::string matrix = "A.mtx";
  std::vector<int> ranks = {1, 2, 4, 8};
  std::vector<std::string> exchanges = {"naive", "increments", "snapshot", "partial-snapshot"};
  std::vector<std::string> schedules = {"flops", "memory"};
  std::vector<bool> load_threads = {true, false};
  int num_spans_per_rank = 12;
  int tree_levels = 4;  ///< levels of a binary tree with leaf subtrees at the bottom; 0: no tree
};

struct SampledSweep {
  nlohmann::ordered_json record;
  ShownRun shown;

  [[nodiscard]] std::string page() const { return simulation_page(record, shown); }
};

/// Returns a sweep whose last run is shown.
[[nodiscard]] SampledSweep sample_sweep(const SampleSweep& sample);

/// Returns a run on `num_ranks` ranks such as `frond simulate` might produce.
[[nodiscard]] nlohmann::ordered_json sample_run(int num_ranks, const std::string& exchange, const std::string& schedule,
                                                bool has_load_thread);

}  // namespace frond::testing
