// SPDX-License-Identifier: BSD-3-Clause
// Draws pairs of bars.
#include "tools/program/bench/bench_chart.hpp"

#include <fmt/format.h>

#include <vector>

#include "tools/program/bench/bench_table.hpp"
#include "tools/program/bench/svg.hpp"

namespace frond {
namespace {

// Returns the entry of Frond or of its peers with the least total time on at most `num_cores` cores; null if there is none.
const BenchEntry* fastest(const BenchResult& result, int num_cores, bool is_frond) {
  const BenchEntry* best = nullptr;
  for (const BenchEntry& entry : result.entries) {
    const bool takes_part =
        entry.counts() && entry.contestant.program.is_frond() == is_frond && entry.contestant.num_cores() <= num_cores;
    if (takes_part && (best == nullptr || medians_of(entry).total < medians_of(*best).total)) {
      best = &entry;
    }
  }
  return best;
}

Bar bar_of(const BenchEntry& entry, const std::string& label, double unit) {
  const Medians medians = medians_of(entry);
  return {label,
          {medians.analysis / unit, medians.first_factor / unit, medians.solve / unit},
          format_seconds(medians.total) + " s",
          entry.contestant.program.is_frond()};
}

}  // namespace

std::string bench_chart(const BenchResults& results) {
  const std::vector<int> counts = core_counts(results);
  std::vector<Bar> bars;
  for (const BenchResult& result : results.problems) {
    const BenchEntry* frond = counts.empty() ? nullptr : fastest(result, counts.back(), true);
    const BenchEntry* peer = counts.empty() ? nullptr : fastest(result, counts.back(), false);
    if (frond != nullptr && peer != nullptr) {
      const double unit = medians_of(*peer).total;
      bars.push_back(bar_of(*frond, result.problem + ": frond", unit));
      bars.push_back(bar_of(*peer, peer->contestant.program.name, unit));
    }
  }
  return bar_chart_file(bars, {"analysis", "first factorization", "one solve"});
}

}  // namespace frond
