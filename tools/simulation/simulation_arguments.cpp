// SPDX-License-Identifier: BSD-3-Clause
// Adds the options of frond simulate, and interprets them.
#include "tools/simulation/simulation_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>

#include "frond/error.hpp"
#include "loadinfo/mechanisms/mechanism.hpp"
#include "solver/options/byte_size.hpp"
#include "solver/options/duration.hpp"
#include "tools/program/arguments/failure_arguments.hpp"
#include "tools/program/arguments/file_arguments.hpp"
#include "tools/program/arguments/number_check.hpp"
#include "tools/simulation/loss_arguments.hpp"

namespace frond {
namespace {

using Texts = std::vector<std::string>;

const std::string kLoadGroup = "How processes know each other's load";
const std::string kMachineGroup = "The simulated machine";
const std::string kSweepGroup = "Many simulations";

// Advice without a list starts with one process.
std::vector<Rank> all_numbers_of_ranks(const SimulateArguments& arguments) {
  return arguments.advises && arguments.num_ranks.empty() ? std::vector<Rank>{1} : sweep_axes(arguments).num_ranks;
}

template <class Value, class Parse>
std::vector<Value> parsed(const Texts& texts, Parse parse) {
  std::vector<Value> values;
  std::transform(texts.begin(), texts.end(), std::back_inserter(values), parse);
  return values;
}

CLI::Option* add_list(CLI::App& command, const std::string& name, Texts& texts, const std::string& help, const Texts& choices,
                      const std::string& default_text) {
  return command.add_option(name, texts, help)
      ->check(CLI::IsMember(choices))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->default_str(default_text)
      ->group(kLoadGroup);
}

std::string default_of(std::string_view option) { return option_value(SolverOptions(), option); }

void add_load_options(CLI::App& command, SimulateArguments& arguments) {
  NamedArguments& named = arguments.system.named;
  add_list(command, "--load-exchange", arguments.load_exchanges,
           fmt::format("Let processes know each other's load by {} (default: {})", fmt::join(load_mechanism_names(), ", "),
                       default_of("load-exchange")),
           load_mechanism_names(), default_of("load-exchange"))
      ->type_name("HOW");
  add_list(command, "--schedule", arguments.schedules, "Balance flops or memory by dynamic decisions", {"flops", "memory"},
           default_of("schedule"))
      ->type_name("WHAT");
  named.add(command, "work")->group(kLoadGroup);
  named.add(command, "chunks")->group(kLoadGroup);
  add_list(command, "--load-thread", arguments.load_threads,
           "Serve load messages by a thread of each process while it computes: on or off", {"on", "off"}, default_of("load-thread"))
      ->type_name("on|off");
  named.add(command, "load-period")->group(kLoadGroup);
  command
      .add_option("--load-traffic", arguments.load_traffic,
                  "Simulate load messages as HOW: events, by latency and length alone, or flows, which share links with others and "
                  "take longer to simulate")
      ->check(CLI::IsMember({"events", "flows"}))
      ->capture_default_str()
      ->type_name("HOW")
      ->group(kLoadGroup);
}

void add_core_options(CLI::App& command, SimulateArguments& arguments) {
  add_path(command, "--machine", arguments.costs.machine,
           "Take the rates of a machine, and its network unless the options below say otherwise, from a file of frond calibrate")
      ->group(kMachineGroup);
  command
      .add_option("--flops", arguments.costs.flops_per_second,
                  "Let a core do F flops per second on large fronts; with a machine's file, scale all its rates of elimination so "
                  "that the largest is F (default: 5e9, or what that file says)")
      ->check(number_above_0())
      ->type_name("F")
      ->group(kMachineGroup);
  command
      .add_option("--half-rate-order", arguments.costs.half_rate_order,
                  "Without a machine's file, let a core reach half of that on fronts of order M (default: 60)")
      ->check(number_at_least_0())
      ->type_name("M")
      ->group(kMachineGroup);
  add_disturbance_options(command, kMachineGroup, arguments.disturbances);
  CLI::Option* drain =
      command
          .add_option(
              "--drain", arguments.drains,
              "Let process RANK leave after SECONDS of the factorization, as by frond drain, such as 3@1.5; may be repeated")
          ->allow_extra_args(false)
          ->type_name("RANK@SECONDS")
          ->group(kMachineGroup);
  command
      .add_flag("--through-files", arguments.through_files,
                "Move what such a process holds through files on disks (see --disk) instead of from memory to memory")
      ->needs(drain)
      ->group(kMachineGroup);
  CLI::Option* lose =
      command
          .add_option(
              "--lose", arguments.losses,
              "Let process RANK die after SECONDS of the factorization: the others begin again, with --checkpoint-every from "
              "what is on the disk, as frond solve --survive does; may be repeated")
          ->allow_extra_args(false)
          ->excludes(drain)
          ->type_name("RANK@SECONDS")
          ->group(kMachineGroup);
  command.add_option("--detect", arguments.detection_seconds, "Let the others begin again SECONDS after that (default: 0.1)")
      ->needs(lose)
      ->check(number_at_least_0())
      ->type_name("SECONDS")
      ->group(kMachineGroup);
}

void add_checkpoint_options(CLI::App& command, SimulateArguments& arguments) {
  command
      .add_option("--checkpoint-every", arguments.checkpoint_every,
                  "Write finished fronts to disks, as frond solve --checkpoint does, and see every TIME, such as 10min, what a "
                  "failure then would cost")
      ->type_name("TIME")
      ->group(kMachineGroup);
  command
      .add_option("--disk", arguments.disk_bytes_per_second,
                  "Let the disk that all processes share take B bytes per second (default: 5e8, or what the platform file says)")
      ->check(number_above_0())
      ->type_name("B")
      ->group(kMachineGroup);
}

void add_sweep_options(CLI::App& command, SimulateArguments& arguments) {
  CLI::Option* sweep = command
                           .add_flag("--sweep", arguments.sweeps,
                                     "Simulate all combinations: --ranks, --load-exchange, --schedule and --load-thread take lists "
                                     "with commas, and mean everything (ranks: 8,16,32,64,128; thread: on) when they are not given")
                           ->group(kSweepGroup);
  add_path(command, "--table", arguments.table, "Write the table of a sweep to FILE, with tabs between columns")
      ->needs(sweep)
      ->group(kSweepGroup);
  CLI::Option* advise = command
                            .add_flag("--advise", arguments.advises,
                                      "Find out how many processes pay, with which schedule and mechanism, and what they cost")
                            ->excludes(sweep)
                            ->group(kSweepGroup);
  command
      .add_option("--max-memory-per-rank", arguments.max_memory_per_rank,
                  "Advise nothing with which a process needs more than SIZE for factors and fronts, such as 16GB")
      ->needs(advise)
      ->type_name("SIZE")
      ->group(kSweepGroup);
  add_failure_options(command, *advise, arguments.mean_time_between_failures, arguments.checkpoint_folder);
  command.add_option("--jobs", arguments.num_jobs, "Run N simulations at a time; 0 stands for one for each core")
      ->check(integer_between(0, 4096))
      ->capture_default_str()
      ->type_name("N")
      ->group(kSweepGroup);
  add_path(command, "--html", arguments.html, "Write a page with charts, the timeline of the fastest run, and its tree to FILE");
}

}  // namespace

void add_simulate_options(CLI::App& command, SimulateArguments& arguments) {
  add_system_options(command, arguments.system);
  command.add_option("--ranks", arguments.num_ranks, "Simulate P processes")
      ->check(integer_between(1, 1 << 16))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->default_str("16")
      ->type_name("P");
  command
      .add_option("--memory-limit", arguments.memory_limit, "Give each process at most SIZE for factors and fronts, such as 1.5GB")
      ->type_name("SIZE");
  add_sweep_options(command, arguments);
  add_load_options(command, arguments);
  add_core_options(command, arguments);
  add_checkpoint_options(command, arguments);
  add_network_options(command, kMachineGroup, arguments.network);
  arguments.system.named.add_settings(command, {"Analysis"});
}

SimulationAxes sweep_axes(const SimulateArguments& arguments) {
  const bool wants_all = arguments.sweeps || arguments.advises;
  const auto otherwise = [wants_all](auto given, auto all, auto one) { return !given.empty() ? given : wants_all ? all : one; };
  SimulationAxes axes;
  axes.num_ranks = otherwise(arguments.num_ranks, std::vector<Rank>{8, 16, 32, 64, 128}, std::vector<Rank>{16});
  const Texts mechanisms = arguments.advises ? Texts{"partial-snapshot", "local-increments"} : load_mechanism_names();
  axes.load_exchanges = parsed<LoadMechanism>(otherwise(arguments.load_exchanges, mechanisms, Texts{default_of("load-exchange")}),
                                              parse_load_mechanism);
  axes.schedules =
      parsed<Schedule>(otherwise(arguments.schedules, Texts{"flops", "memory"}, Texts{default_of("schedule")}), parse_schedule);
  axes.load_threads = parsed<bool>(otherwise(arguments.load_threads, Texts{"on"}, Texts{default_of("load-thread")}),
                                   [](const std::string& text) { return text == "on"; });
  return axes;
}

SimulationOptions simulation_options(const SimulateArguments& arguments, const std::optional<MachineProfile>& machine) {
  SolverOptions solver;
  arguments.system.named.apply(solver);
  const RankOptions& ranks = solver.ranks;
  SimulationOptions options;
  options.load_period_us = ranks.load_period_us;
  options.sharing = ranks.sharing;
  options.chunks = ranks.chunks;
  options.memory_limit = arguments.memory_limit.empty() ? 0 : parse_byte_size(arguments.memory_limit);
  options.load_traffic = arguments.load_traffic == "flows" ? LoadTraffic::flows : LoadTraffic::events;
  SimulatedMachine& simulated = options.machine;
  if (machine) {
    simulated.latency_seconds = machine->latency_seconds.value_or(simulated.latency_seconds);
    simulated.bytes_per_second = machine->bytes_per_second.value_or(simulated.bytes_per_second);
  }
  set_network(arguments.network, simulated);
  disturb(arguments.disturbances, simulated);
  simulated.disk_bytes_per_second = arguments.disk_bytes_per_second;
  options.drains = parse_moments("--drain", arguments.drains);
  options.losses = parse_moments("--lose", arguments.losses);
  options.detection_seconds = arguments.detection_seconds;
  options.drains_through_files = arguments.through_files;
  if (!arguments.checkpoint_every.empty()) {
    options.list_seconds = parse_duration("--checkpoint-every", arguments.checkpoint_every);
  }
  return options;
}

void check_arguments(const SimulateArguments& arguments) {
  if (!arguments.mean_time_between_failures.empty()) {
    check_failure_time(arguments.mean_time_between_failures);
    if (!arguments.checkpoint_every.empty()) {
      throw UsageError("--checkpoint-every is what --mean-time-between-failures advises: leave it out");
    }
  }
  if (!arguments.checkpoint_every.empty() && !(parse_duration("--checkpoint-every", arguments.checkpoint_every) > 0)) {
    throw UsageError("--checkpoint-every " + arguments.checkpoint_every + ": a time above zero is expected, such as 10min");
  }
  std::vector<FileArgument> outputs = output_files(arguments.system);
  outputs.push_back({"--table", arguments.table});
  outputs.push_back({"--html", arguments.html});
  std::vector<FileArgument> inputs = input_files(arguments.system);
  inputs.push_back({"--platform", arguments.network.platform_file});
  inputs.push_back({"--machine", arguments.costs.machine});
  check_file_arguments(inputs, outputs);
  const std::vector<Rank> all_num_ranks = all_numbers_of_ranks(arguments);
  check_disturbances(arguments.disturbances, all_num_ranks);
  check_moments("--drain", arguments.drains, all_num_ranks);
  check_losses(arguments.losses, all_num_ranks);
  if (!arguments.sweeps && !arguments.advises && sweep_axes(arguments).cases().size() > 1) {
    throw UsageError("several values of --ranks, --load-exchange, --schedule or --load-thread are for --sweep");
  }
}

}  // namespace frond
