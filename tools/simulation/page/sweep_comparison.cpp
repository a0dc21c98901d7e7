// SPDX-License-Identifier: BSD-3-Clause
// Compares the runs of a sweep.
#include "tools/simulation/page/sweep_comparison.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "loadinfo/mechanisms/mechanism.hpp"
#include "tools/program/page/page_parts.hpp"

namespace frond {
namespace {

template <class Value>
void add_once(std::vector<Value>& values, const Value& value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) {
    values.push_back(value);
  }
}

std::size_t position_of_exchange(const std::string& exchange) {
  const std::vector<std::string> order = load_mechanism_names();
  return static_cast<std::size_t>(std::find(order.begin(), order.end(), exchange) - order.begin());
}

// Returns the runs on the largest number of ranks that has several; none if there is no such number.
std::vector<const SweepRun*> runs_on_most_ranks(const Sweep& sweep) {
  const std::vector<double> all_ranks = axes_of(sweep).num_ranks;
  for (auto num_ranks = all_ranks.rbegin(); num_ranks != all_ranks.rend(); ++num_ranks) {
    std::vector<const SweepRun*> runs;
    for (const SweepRun& run : sweep.runs) {
      if (run.num_ranks == *num_ranks) {
        runs.push_back(&run);
      }
    }
    if (runs.size() > 1) {
      return runs;
    }
  }
  return {};
}

std::string on_or_off(bool has_load_thread) { return has_load_thread ? "on" : "off"; }

}  // namespace

SweepAxes axes_of(const Sweep& sweep) {
  SweepAxes axes;
  for (const std::vector<SweepRun>* runs : {&sweep.runs, &sweep.failed_runs}) {
    for (const SweepRun& run : *runs) {
      add_once(axes.num_ranks, run.num_ranks);
      add_once(axes.exchanges, run.setting.exchange);
      add_once(axes.charts, {run.setting.schedule, run.setting.has_load_thread});
    }
  }
  std::sort(axes.num_ranks.begin(), axes.num_ranks.end());
  std::stable_sort(axes.exchanges.begin(), axes.exchanges.end(), [](const std::string& left, const std::string& right) {
    return position_of_exchange(left) < position_of_exchange(right);
  });
  std::stable_sort(axes.charts.begin(), axes.charts.end(), [](const ChartSetting& left, const ChartSetting& right) {
    return left.schedule != right.schedule ? left.schedule < right.schedule : left.has_load_thread > right.has_load_thread;
  });
  for (const ChartSetting& chart : axes.charts) {
    axes.varies_schedule |= chart.schedule != axes.charts.front().schedule;
    axes.varies_load_thread |= chart.has_load_thread != axes.charts.front().has_load_thread;
  }
  return axes;
}

const SweepRun& best_run(const Sweep& sweep, RunFigure figure) {
  return *std::min_element(sweep.runs.begin(), sweep.runs.end(),
                           [figure](const SweepRun& left, const SweepRun& right) { return left[figure] < right[figure]; });
}

std::string describe(const SweepSetting& setting) {
  return fmt::format("{}, schedule {}, load thread {}", setting.exchange, setting.schedule, on_or_off(setting.has_load_thread));
}

std::string describe(const ChartSetting& setting, const SweepAxes& axes) {
  std::string text;
  if (axes.varies_schedule) {
    text = "schedule " + setting.schedule;
  }
  if (axes.varies_load_thread) {
    text += (text.empty() ? "load thread " : ", load thread ") + on_or_off(setting.has_load_thread);
  }
  return text;
}

std::string describe_spread(const Sweep& sweep, RunFigure figure, FigureFormat format, const std::string& unit) {
  const auto has_less = [figure](const SweepRun* left, const SweepRun* right) { return (*left)[figure] < (*right)[figure]; };
  const std::vector<const SweepRun*> runs = runs_on_most_ranks(sweep);
  if (runs.empty()) {
    return "";
  }
  const auto [best, last] = std::minmax_element(runs.begin(), runs.end(), has_less);
  const std::string where = fmt::format("On {} ranks", format_count((*best)->num_ranks));
  return has_less(*best, *last) ? fmt::format("{}, <b>{}</b> is the best of {} runs with {} {}; {} is the last with {} {}.", where,
                                              escape_markup(describe((*best)->setting)), runs.size(), format((**best)[figure]),
                                              unit, escape_markup(describe((*last)->setting)), format((**last)[figure]), unit)
                                : fmt::format("{}, all {} runs have {} {}.", where, runs.size(), format((**best)[figure]), unit);
}

}  // namespace frond
