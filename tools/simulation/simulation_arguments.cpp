// SPDX-License-Identifier: BSD-3-Clause
// Adds the options of frond simulate, and interprets them.
#include "tools/simulation/simulation_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "frond/error.hpp"
#include "loadinfo/mechanisms/mechanism.hpp"
#include "solver/options/byte_size.hpp"
#include "solver/options/duration.hpp"
#include "tools/program/arguments/command_options.hpp"
#include "tools/program/arguments/number_check.hpp"

namespace frond {
namespace {

using Texts = std::vector<std::string>;

const std::string kLoadGroup = "How processes know each other's load";
const std::string kMachineGroup = "The simulated machine";
const std::string kSweepGroup = "Many simulations";

// Advice without a list starts with one process.
std::vector<Rank> all_numbers_of_ranks(const SimulateArguments& arguments) {
  return arguments.advice.advises && arguments.num_ranks.empty() ? std::vector<Rank>{1} : sweep_axes(arguments).num_ranks;
}

template <class Value, class Parse>
std::vector<Value> parsed(const Texts& texts, Parse parse) {
  std::vector<Value> values;
  std::transform(texts.begin(), texts.end(), std::back_inserter(values), parse);
  return values;
}

std::string default_of(std::string_view option) { return option_value(SolverOptions(), option); }

void add_load_options(CLI::App& command, SimulateArguments& arguments) {
  const CommandOptions options(command, kLoadGroup);
  NamedArguments& named = arguments.system.named;
  const auto add_list = [&](const char* spelling, Texts& texts, const std::string& help, const Texts& choices, const char* name) {
    options.add_list(spelling, texts, help)->check(CLI::IsMember(choices))->default_str(default_of(name));
  };
  add_list("--load-exchange HOW", arguments.load_exchanges,
           fmt::format("Let processes know each other's load by {} (default: {})", fmt::join(load_mechanism_names(), ", "),
                       default_of("load-exchange")),
           load_mechanism_names(), "load-exchange");
  add_list("--schedule WHAT", arguments.schedules, "Balance flops or memory by dynamic decisions", {"flops", "memory"}, "schedule");
  named.add(command, "work")->group(kLoadGroup);
  named.add(command, "chunks")->group(kLoadGroup);
  add_list("--load-thread on|off", arguments.load_threads,
           "Serve load messages by a thread of each process while it computes: on or off", {"on", "off"}, "load-thread");
  named.add(command, "load-period")->group(kLoadGroup);
  options
      .add_choice("--load-traffic HOW", arguments.load_traffic,
                  "Simulate load messages as HOW: events, by latency and length alone, or flows, which share links with others and "
                  "take longer to simulate",
                  {"events", "flows"})
      ->capture_default_str();
}

void add_core_options(const CommandOptions& options, SimulateArguments& arguments) {
  options.add_path("--machine FILE", arguments.costs.machine,
                   "Take the rates of a machine, and its network unless the options below say otherwise, from a file of frond "
                   "calibrate");
  options
      .add("--flops F", arguments.costs.flops_per_second,
           "Let a core do F flops per second on large fronts; with a machine's file, scale all its rates of elimination so "
           "that the largest is F (default: 5e9, or what that file says)")
      ->check(number_above_0());
  options
      .add("--half-rate-order M", arguments.costs.half_rate_order,
           "Without a machine's file, let a core reach half of that on fronts of order M (default: 60)")
      ->check(number_at_least_0());
  add_machine_options(options, arguments.machine);
  CLI::Option* drain = options.add_repeated(
      "--drain RANK@SECONDS", arguments.drains,
      "Let process RANK leave after SECONDS of the factorization, as by frond drain, such as 3@1.5; may be repeated");
  options
      .add_flag("--through-files", arguments.through_files,
                "Move what such a process holds through files on disks (see --disk) instead of from memory to memory")
      ->needs(drain);
  CLI::Option* lose =
      options
          .add_repeated("--lose RANK@SECONDS", arguments.losses,
                        "Let process RANK die after SECONDS of the factorization: the others begin again, with --checkpoint-every "
                        "from what is on the disk, as frond solve --survive does; may be repeated")
          ->excludes(drain);
  options.add("--detect SECONDS", arguments.detection_seconds, "Let the others begin again SECONDS after that (default: 0.1)")
      ->needs(lose)
      ->check(number_at_least_0());
}

void add_checkpoint_options(const CommandOptions& options, SimulateArguments& arguments) {
  options.add("--checkpoint-every TIME", arguments.checkpoint_every,
              "Write finished fronts to disks, as frond solve --checkpoint does, and see every TIME, such as 10min, what a "
              "failure then would cost");
  options
      .add("--disk B", arguments.disk_bytes_per_second,
           "Let the disk that all processes share take B bytes per second (default: 5e8, or what the platform file says)")
      ->check(number_above_0());
}

void add_sweep_options(CLI::App& command, SimulateArguments& arguments) {
  const CommandOptions options(command, kSweepGroup);
  CLI::Option* sweep =
      options.add_flag("--sweep", arguments.sweeps,
                       "Simulate all combinations: --ranks, --load-exchange, --schedule and --load-thread take lists "
                       "with commas, and mean everything (ranks: 8,16,32,64,128; thread: on) when they are not given");
  options.add_path("--table FILE", arguments.table, "Write the table of a sweep to FILE, with tabs between columns")->needs(sweep);
  add_advice_options(options, arguments.advice,
                     "Find out how many processes pay, with which schedule and mechanism, and what they cost")
      ->excludes(sweep);
  options.add("--jobs N", arguments.num_jobs, "Run N simulations at a time; 0 stands for one for each core")
      ->check(integer_between(0, 4096))
      ->capture_default_str();
  CommandOptions(command).add_path("--html FILE", arguments.html,
                                   "Write a page with charts, the timeline of the fastest run, and its tree to FILE");
}

}  // namespace

void add_simulate_options(CLI::App& command, SimulateArguments& arguments) {
  const CommandOptions options(command);
  const CommandOptions machine(command, kMachineGroup);
  add_system_options(command, arguments.system);
  options.add_list("--ranks P", arguments.num_ranks, "Simulate P processes")->check(integer_between(1, 1 << 16))->default_str("16");
  options.add("--memory-limit SIZE", arguments.memory_limit,
              "Give each process at most SIZE for factors and fronts, such as 1.5GB");
  add_sweep_options(command, arguments);
  add_load_options(command, arguments);
  add_core_options(machine, arguments);
  add_checkpoint_options(machine, arguments);
  add_network_options(machine, arguments.machine);
  arguments.system.named.add_settings(command, {"Analysis"});
}

SimulationAxes sweep_axes(const SimulateArguments& arguments) {
  const bool wants_all = arguments.sweeps || arguments.advice.advises;
  const auto otherwise = [wants_all](auto given, auto all, auto one) { return !given.empty() ? given : wants_all ? all : one; };
  SimulationAxes axes;
  axes.num_ranks = otherwise(arguments.num_ranks, std::vector<Rank>{8, 16, 32, 64, 128}, std::vector<Rank>{16});
  const Texts mechanisms = arguments.advice.advises ? Texts{"partial-snapshot", "local-increments"} : load_mechanism_names();
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
  set_machine(arguments.machine, simulated);
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
  if (!arguments.advice.mean_time_between_failures.empty()) {
    check_failure_time(arguments.advice.mean_time_between_failures);
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
  inputs.push_back({"--platform", arguments.machine.platform_file});
  inputs.push_back({"--machine", arguments.costs.machine});
  check_file_arguments(inputs, outputs);
  const std::vector<Rank> all_num_ranks = all_numbers_of_ranks(arguments);
  check_machine(arguments.machine, all_num_ranks);
  check_moments("--drain", arguments.drains, all_num_ranks);
  check_losses(arguments.losses, all_num_ranks);
  if (!arguments.sweeps && !arguments.advice.advises && sweep_axes(arguments).cases().size() > 1) {
    throw UsageError("several values of --ranks, --load-exchange, --schedule or --load-thread are for --sweep");
  }
}

}  // namespace frond
