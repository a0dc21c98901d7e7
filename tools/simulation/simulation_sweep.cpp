// SPDX-License-Identifier: BSD-3-Clause
// Simulates cases in separate processes, and writes tables of the results.
#include "tools/simulation/simulation_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "tools/program/records/run_picture.hpp"
#include "tools/simulation/forked_runs.hpp"
#include "tools/simulation/simulation_record.hpp"

namespace frond {
namespace {

using Json = nlohmann::ordered_json;

// Columns of tables: numbers of the record times `scale`.
struct Column {
  std::string_view title;
  std::string_view key;
  double scale;
  int num_decimals;
};

constexpr std::array kColumns = {
    Column{"seconds", "predicted_seconds", 1, 4},        Column{"computing", "busy_seconds_mean", 1, 4},
    Column{"imbalance", "load_imbalance", 1, 2},         Column{"peak M entries", "peak_active_entries_max", 1e-6, 3},
    Column{"mean", "peak_active_entries_mean", 1e-6, 3}, Column{"load messages", "load_messages", 1, 0},
    Column{"decisions", "dynamic_decisions", 1, 0},      Column{"snapshot s", "snapshot_seconds", 1, 4}};

std::string number(const Json& run, const Column& column) {
  return fmt::format("{:.{}f}", column.scale * run.at(std::string(column.key)).get<double>(), column.num_decimals);
}

std::array<std::string, 4> case_cells(const Json& run) {
  return {std::to_string(run.at("ranks").get<Rank>()), run.at("load_exchange").get<std::string>(),
          run.at("schedule").get<std::string>(), run.at("load_thread").get<bool>() ? "on" : "off"};
}

std::string simulate_case(const SimulatedSystem& system, const SimulationOptions& options) {
  return simulation_json(simulate_factorization(system, options), options, system.scalar_bytes).dump();
}

}  // namespace

std::vector<SimulationCase> SimulationAxes::cases() const {
  std::vector<SimulationCase> cases;
  for (const Rank ranks : num_ranks) {
    for (const Schedule schedule : schedules) {
      for (const LoadMechanism load_exchange : load_exchanges) {
        for (const bool use_load_thread : load_threads) {
          cases.push_back({ranks, load_exchange, schedule, use_load_thread});
        }
      }
    }
  }
  return cases;
}

SimulationOptions options_of(const SimulationCase& one, SimulationOptions options) {
  options.load_exchange = one.load_exchange;
  options.schedule = one.schedule;
  options.use_load_thread = one.use_load_thread;
  return options;
}

Json case_json(const SimulationCase& one) {
  return {{"ranks", one.num_ranks},
          {"load_exchange", to_string(one.load_exchange)},
          {"schedule", to_string(one.schedule)},
          {"load_thread", one.use_load_thread}};
}

SimulationCase case_of(const Json& run) {
  return {run.at("ranks").get<Rank>(), parse_load_mechanism(run.at("load_exchange").get<std::string>()),
          parse_schedule(run.at("schedule").get<std::string>()), run.at("load_thread").get<bool>()};
}

void add_runs(const SimulatedSystem& system, const std::vector<SimulationCase>& cases, const SimulationOptions& options,
              int num_at_once, const std::function<void()>& on_end, Json& sweep) {
  const std::vector<ForkedResult> results = run_forked(
      cases.size(), num_at_once, [&](std::size_t k) { return simulate_case(system, options_of(cases[k], options)); }, on_end);
  for (std::size_t k = 0; k < cases.size(); ++k) {
    if (results[k].error.empty()) {
      sweep["runs"].push_back(Json::parse(results[k].output));
    } else {
      Json failed = case_json(cases[k]);
      failed["error"] = results[k].error;
      sweep["failed_runs"].push_back(std::move(failed));
    }
  }
}

ShownRun shown_run(std::size_t number, const SimulatedSystem& system, Schedule schedule, const SimulationResult& result) {
  const TaskGraph graph = task_graph(system, schedule);
  ShownRun shown{.number = number, .tree = tree_marks(system.symbolic->tree(), graph)};
  for (const SimulatedRankCounts& rank : result.ranks) {
    std::vector<TimelineSpan>& spans = shown.timeline.emplace_back();
    for (const WorkSpan& span : rank.work) {
      const Task& task = graph.task(span.part.task);
      spans.push_back({span.begin_seconds, span.end_seconds, task.node_end - 1, work_role(task, span.part.role)});
    }
  }
  return shown;
}

std::size_t fastest_run(const Json& sweep) {
  const Json& runs = sweep.at("runs");
  const auto fastest = std::min_element(runs.begin(), runs.end(), [](const Json& a, const Json& b) {
    const auto key = [](const Json& run) {
      return std::pair(run.at("predicted_seconds").get<double>(), run.at("peak_active_entries_max").get<double>());
    };
    return key(a) < key(b);
  });
  return static_cast<std::size_t>(fastest - runs.begin());
}

std::string sweep_table(const Json& sweep) {
  std::string table = fmt::format("{:>5} {:<17}{:<9}{:<7}", "ranks", "load exchange", "schedule", "thread");
  for (const Column& column : kColumns) {
    table += fmt::format(" {:>{}}", column.title, std::max<std::size_t>(column.title.size(), 9));
  }
  table += '\n';
  const auto add_case = [&table](const Json& run) {
    const std::array<std::string, 4> cells = case_cells(run);
    table += fmt::format("{:>5} {:<17}{:<9}{:<7}", cells[0], cells[1], cells[2], cells[3]);
  };
  for (const Json& run : sweep.at("runs")) {
    add_case(run);
    for (const Column& column : kColumns) {
      table += fmt::format(" {:>{}}", number(run, column), std::max<std::size_t>(column.title.size(), 9));
    }
    table += '\n';
  }
  for (const Json& run : sweep.at("failed_runs")) {
    add_case(run);
    table += " failed: " + run.at("error").get<std::string>() + '\n';
  }
  return table;
}

std::string sweep_tsv(const Json& sweep) {
  std::string table = "ranks\tload_exchange\tschedule\tload_thread";
  for (const Column& column : kColumns) {
    table += fmt::format("\t{}", column.key);
  }
  table += "\terror\n";
  for (const Json& run : sweep.at("runs")) {
    table += fmt::format("{}", fmt::join(case_cells(run), "\t"));
    for (const Column& column : kColumns) {
      table += '\t';
      table += run.at(std::string(column.key)).dump();
    }
    table += "\t\n";
  }
  for (const Json& run : sweep.at("failed_runs")) {
    table += fmt::format("{}", fmt::join(case_cells(run), "\t")) + std::string(kColumns.size(), '\t') + '\t' +
             run.at("error").get<std::string>() + '\n';
  }
  return table;
}

}  // namespace frond
