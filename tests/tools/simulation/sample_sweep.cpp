// SPDX-License-Identifier: BSD-3-Clause
// Makes up figures that grow and shrink like those of simulations.
#include "tests/tools/simulation/sample_sweep.hpp"

#include <cmath>

namespace frond::testing {
namespace {

using OrderedJson = nlohmann::ordered_json;

// Returns a number in [1, 1.5) that depends on the text only.
double scatter(const std::string& text) {
  unsigned hash = 17;
  for (const char c : text) {
    hash = 31 * hash + static_cast<unsigned char>(c);
  }
  return 1 + hash % 100 / 200.0;
}

// Returns one span after another, with as much idle time as work.
std::vector<TimelineSpan> sample_spans(int rank, int num_spans, double seconds) {
  const double pitch = seconds / num_spans;
  std::vector<TimelineSpan> spans;
  for (int k = 0; k < num_spans; ++k) {
    spans.push_back({k * pitch, (k + 0.5) * pitch, 10 * rank + k, static_cast<Role>(5 * k / num_spans)});
  }
  return spans;
}

// Node 1 is the root; 2k and 2k + 1 are the children of k.
std::vector<TreeMark> sample_tree(int levels, int num_ranks) {
  std::vector<TreeMark> tree;
  for (int node = 1; node < 1 << levels; ++node) {
    const bool is_leaf = 2 * node >= 1 << levels;
    const auto kind = static_cast<TreeMarkKind>(is_leaf ? 0 : node == 1 ? 3 : node < 4 ? 2 : 1);  // 0: a subtree
    tree.push_back({node, node == 1 ? -1L : node / 2, kind, node % num_ranks, std::floor(6000.0 / node), std::floor(2000.0 / node),
                    1e12 / node / node});
  }
  return tree;
}

}  // namespace

OrderedJson sample_run(int num_ranks, const std::string& exchange, const std::string& schedule, bool has_load_thread) {
  const std::string text = exchange + schedule + (has_load_thread ? "on" : "off");
  const double seconds = 100 / std::pow(num_ranks, 0.8) * scatter(text);
  const double entries = std::round(9e7 / std::pow(num_ranks, 0.7) * scatter(schedule + exchange));
  const int load_messages = num_ranks == 1 ? 0 : static_cast<int>(900 * num_ranks * (2 - scatter(exchange)));
  return {{"ranks", num_ranks},
          {"load_exchange", exchange},
          {"schedule", schedule},
          {"load_thread", has_load_thread},
          {"predicted_seconds", seconds},
          {"busy_seconds_mean", 0.6 * seconds},
          {"load_imbalance", 1.25},
          {"peak_active_entries_max", entries},
          {"peak_active_entries_mean", 0.8 * entries},
          {"peak_active_rank", num_ranks / 2},
          {"peak_bytes_max", 24 * entries},
          {"main_messages", 2000 * num_ranks},
          {"main_message_bytes", 3e8 * num_ranks},
          {"load_messages", load_messages},
          {"load_message_bytes", 40 * load_messages},
          {"load_messages_by_type", {{"update", load_messages}}},
          {"dynamic_decisions", 3 * num_ranks},
          {"slaves_chosen", 7 * num_ranks},
          {"snapshot_seconds", 0.25}};
}

SampledSweep sample_sweep(const SampleSweep& sample) {
  OrderedJson runs = OrderedJson::array();
  for (const int ranks : sample.ranks) {
    for (const std::string& exchange : sample.exchanges) {
      for (const std::string& schedule : sample.schedules) {
        for (const bool has_load_thread : sample.load_threads) {
          runs.push_back(sample_run(ranks, exchange, schedule, has_load_thread));
        }
      }
    }
  }
  ShownRun shown;
  if (!runs.empty()) {
    const OrderedJson& last = runs.back();
    shown.number = runs.size() - 1;
    for (int rank = 0; rank < last["ranks"].get<int>(); ++rank) {
      shown.timeline.push_back(sample_spans(rank, sample.num_spans_per_rank, last["predicted_seconds"].get<double>()));
    }
    shown.tree = sample_tree(sample.tree_levels, last["ranks"].get<int>());
  }
  return {{{"matrix", sample.matrix},
           {"order", 185193},
           {"entries", 11390625},
           {"method", "lu"},
           {"runs", runs},
           {"failed_runs", OrderedJson::array()}},
          shown};
}

}  // namespace frond::testing
