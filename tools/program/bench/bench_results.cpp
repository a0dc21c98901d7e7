// SPDX-License-Identifier: BSD-3-Clause
// Computes medians, ratios and means.
#include "tools/program/bench/bench_results.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "tools/program/bench/statistics.hpp"

namespace frond {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

// Cores that share caches and frequency reach 90 % and more of their speed alone; a core that another program uses reaches half.
constexpr double kQuietFraction = 0.8;

// figure(run) of all runs.
template <class Figure>
std::vector<double> collect(const BenchEntry& entry, Figure figure) {
  std::vector<double> values;
  values.reserve(entry.runs.size());
  for (const PeerAnswer& run : entry.runs) {
    values.push_back(static_cast<double>(std::invoke(figure, run)));
  }
  return values;
}

double positive_or_nothing(double value) { return value > 0 ? value : kNothing; }

double peak_to_estimate(const PeerAnswer& run) {
  return static_cast<double>(run.factor_peak_bytes) / positive_or_nothing(static_cast<double>(run.estimated_factor_peak_bytes));
}

double median_speed(const BenchResults& results, int num_threads, double MachineSpeed::*speed) {
  std::vector<double> values;
  for (const MachineSpeed& round : results.machine) {
    if (round.num_threads == num_threads) {
      values.push_back(round.*speed);
    }
  }
  return median(values);
}

double mean_ratio(const BenchResults& results, const std::string& label, double Medians::*figure) {
  std::vector<double> ratios;
  for (const BenchResult& result : results.problems) {
    for (const BenchEntry& entry : result.entries) {
      if (entry.contestant.label() == label) {
        ratios.push_back(ratio_to_best_peer(result, entry, figure));
      }
    }
  }
  return geometric_mean(ratios);
}

}  // namespace

std::string Contestant::label() const {
  const std::string threads = fmt::format("{} thread{}{}", num_threads, num_threads == 1 ? "" : "s", setting.label());
  return num_ranks == 1 ? fmt::format("{}, {}", program.name, threads)
                        : fmt::format("{}, {} processes{}", program.name, num_ranks, num_threads == 1 ? "" : " of " + threads);
}

Medians medians_of(const BenchEntry& entry) {
  Medians medians;
  if (!entry.counts()) {
    return medians;
  }
  const std::vector<double> factor_seconds = collect(entry, &PeerAnswer::warm_factor_seconds);
  const std::vector<double> errors = collect(entry, &PeerAnswer::judged_error);
  medians.analysis = median(collect(entry, &PeerAnswer::analysis_seconds));
  medians.first_factor = median(collect(entry, &PeerAnswer::first_factor_seconds));
  medians.factor = median(factor_seconds);
  medians.factor_spread = relative_spread(factor_seconds);
  medians.solve = median(collect(entry, [](const PeerAnswer& run) { return median(run.solve_seconds); }));
  medians.total = median(collect(entry, &PeerAnswer::total_seconds));
  medians.again = median(collect(entry, &PeerAnswer::again_seconds));
  medians.peak_bytes = positive_or_nothing(median(collect(entry, &PeerAnswer::peak_bytes)));
  medians.peak_to_estimate = median(collect(entry, peak_to_estimate));
  medians.backward_error = *std::max_element(errors.begin(), errors.end());
  return medians;
}

double best_peer(const BenchResult& result, int num_cores, double Medians::*figure) {
  double best = kNothing;
  for (const BenchEntry& entry : result.entries) {
    if (!entry.contestant.program.is_frond() && entry.contestant.num_cores() <= num_cores) {
      best = std::fmin(best, medians_of(entry).*figure);
    }
  }
  return best;
}

void leave_out_slower_settings(BenchResult& result) {
  for (BenchEntry& entry : result.entries) {
    const auto faster = std::find_if(result.entries.begin(), result.entries.end(), [&entry](const BenchEntry& other) {
      return other.contestant.program.name == entry.contestant.program.name &&
             other.contestant.num_threads == entry.contestant.num_threads &&
             other.contestant.num_ranks == entry.contestant.num_ranks && other.contestant.setting != entry.contestant.setting &&
             other.counts() && medians_of(other).total < medians_of(entry).total;
    });
    if (entry.counts() && faster != result.entries.end()) {
      entry.runs.clear();
      entry.skipped = "slower than " + faster->contestant.label();
    }
  }
}

double ratio_to_best_peer(const BenchResult& result, const BenchEntry& entry, double Medians::*figure) {
  return medians_of(entry).*figure / best_peer(result, entry.contestant.num_cores(), figure);
}

double flop_rate(const BenchResult& result, const BenchEntry& entry) { return result.flops / medians_of(entry).factor; }

double dgemm_rate(const BenchResults& results, int num_cores) { return median_speed(results, num_cores, &MachineSpeed::flop_rate); }

double triad_rate(const BenchResults& results, int num_cores) { return median_speed(results, num_cores, &MachineSpeed::bandwidth); }

bool was_busy(const BenchResults& results) {
  const std::vector<int> counts = core_counts(results);
  return std::any_of(counts.begin(), counts.end(), [&results](int num_cores) {
    return dgemm_rate(results, num_cores) < kQuietFraction * num_cores * dgemm_rate(results, 1);
  });
}

std::vector<int> core_counts(const BenchResults& results) {
  std::set<int> counts;
  for (const BenchResult& result : results.problems) {
    for (const BenchEntry& entry : result.entries) {
      counts.insert(entry.contestant.num_cores());
    }
  }
  return {counts.begin(), counts.end()};
}

std::vector<MeanRatios> mean_ratios(const BenchResults& results) {
  std::vector<MeanRatios> means;
  std::set<std::string> labels;
  for (const BenchResult& result : results.problems) {
    for (const BenchEntry& entry : result.entries) {
      const std::string label = entry.contestant.label();
      if (entry.contestant.program.is_frond() && entry.counts() && labels.insert(label).second) {
        MeanRatios& mean = means.emplace_back(MeanRatios{label});
        std::transform(kMeanFigures.begin(), kMeanFigures.end(), mean.ratios.begin(),
                       [&](const auto& figure) { return mean_ratio(results, label, figure.second); });
        if (results.has_same_ordering) {
          mean.ratios.front() = kNothing;
        }
      }
    }
  }
  return means;
}

ProfileTimes profile_times(const BenchResults& results, int num_cores) {
  std::vector<const BenchResult*> compared;  // without problems left out
  for (const BenchResult& result : results.problems) {
    if (result.error.empty()) {
      compared.push_back(&result);
    }
  }
  std::map<std::string, std::vector<double>> seconds;
  for (std::size_t k = 0; k < compared.size(); ++k) {
    for (const BenchEntry& entry : compared[k]->entries) {
      if (entry.skipped.empty() && entry.contestant.num_cores() <= num_cores) {
        std::vector<double>& of_program =
            seconds.try_emplace(entry.contestant.program.name, compared.size(), kNothing).first->second;
        of_program[k] = std::fmin(of_program[k], medians_of(entry).total);
      }
    }
  }
  ProfileTimes times;
  for (auto& [program, of_program] : seconds) {
    times.programs.push_back(program);
    times.seconds.push_back(std::move(of_program));
  }
  return times;
}

}  // namespace frond
