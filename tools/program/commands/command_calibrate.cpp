// SPDX-License-Identifier: BSD-3-Clause
// Implements frond calibrate, which measures the rates of this machine for frond simulate.
#include <fmt/chrono.h>
#include <fmt/core.h>

#include <ctime>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "factorization/kernels/blas_threads.hpp"
#include "tools/program/arguments/command_options.hpp"
#include "tools/program/calibration/core_rates.hpp"
#include "tools/program/calibration/machine_profile.hpp"
#include "tools/program/calibration/memory_rates.hpp"
#include "tools/program/calibration/network_rates.hpp"
#include "tools/program/commands/commands.hpp"
#include "tools/program/process/atomic_output.hpp"
#include "tools/program/process/standard_error.hpp"

namespace frond {
namespace {

struct CalibrateArguments {
  std::string output = "-";
  std::vector<std::string> scalars = {"double"};
  bool is_quick = false;
};

// Quick figures of little value, for tests.
CalibrationEffort effort_of(const CalibrateArguments& arguments) {
  return arguments.is_quick ? CalibrationEffort{.least_seconds = 0, .least_repetitions = 1, .largest_order = 256, .model_size = 60}
                            : CalibrationEffort{};
}

// Returns the name that the system reports.
std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos) {
      return line.substr(line.find(": ") + 2);
    }
  }
  return "unknown";
}

// Reports on standard error, from the first process.
class Progress {
 public:
  explicit Progress(bool is_told) : is_told_(is_told) {}

  void tell(const std::string& what) const {
    if (is_told_) {
      tell_on_stderr(fmt::format("frond: measuring {}\n", what));
      std::fflush(stderr);
    }
  }

 private:
  bool is_told_;
};

template <Scalar S>
std::map<Method, CoreProfile> measure_core(const CalibrationEffort& effort, const Progress& progress) {
  std::map<Method, CoreProfile> core;
  for (const auto& [method, name] : {std::pair(Method::cholesky, "Cholesky"), {Method::ldlt, "LDLT"}, {Method::lu, "LU"}}) {
    progress.tell(fmt::format("{}, {}: fronts of orders up to {}", scalar_name<S>(), name, effort.largest_order));
    CoreProfile profile{measure_elimination<S>(method, effort), measure_parts<S>(method, effort),
                        measure_assembly<S>(method, effort), 0, 0};
    progress.tell(fmt::format("{}, {}: a model problem", scalar_name<S>(), name));
    measure_model<S>(method, effort, profile);
    core.emplace(method, std::move(profile));
  }
  return core;
}

std::map<Method, CoreProfile> measure_core(const std::string& scalar, const CalibrationEffort& effort, const Progress& progress) {
  if (scalar == scalar_name<float>()) {
    return measure_core<float>(effort, progress);
  }
  if (scalar == scalar_name<std::complex<float>>()) {
    return measure_core<std::complex<float>>(effort, progress);
  }
  return scalar == scalar_name<double>() ? measure_core<double>(effort, progress)
                                         : measure_core<std::complex<double>>(effort, progress);
}

MachineProfile measure_cores(const CalibrateArguments& arguments, const CalibrationEffort& effort, bool is_told) {
  const BlasThreadsGuard blas_guard;
  const Progress progress(is_told);
  MachineProfile profile;
  profile.processor = processor_name();
  profile.date = fmt::format("{:%Y-%m-%d}", fmt::localtime(std::time(nullptr)));
  progress.tell("memory and sleep");
  profile.fresh_bytes_per_second = measure_fresh_memory(effort);
  profile.copied_bytes_per_second = measure_copies(effort);
  profile.wake_seconds = measure_wake_delay(effort);
  for (const std::string& scalar : arguments.scalars) {
    profile.cores[scalar] = measure_core(scalar, effort, progress);
  }
  return profile;
}

ExitCode run_calibrate(const CalibrateArguments& arguments, const Launch& launch, Farewell& farewell) {
  const bool is_first = launch.rank == 0;
  const CalibrationEffort effort = effort_of(arguments);
  if (arguments.output != "-") {
    check_file_arguments({}, {{"--out", arguments.output}});
  }
  std::optional<NetworkRates> network;
  if (launch.is_by_mpich) {
    network = measure_network(launch, effort, farewell);
  }
  warn_of_blas(launch.rank);
  MachineProfile profile = measure_cores(arguments, effort, is_first);
  if (!is_first) {
    return ExitCode::success;
  }
  if (network) {
    profile.seconds_per_message = network->seconds_per_message;
    profile.latency_seconds = network->latency_seconds;
    profile.bytes_per_second = network->bytes_per_second;
  }
  write_text(arguments.output, to_json(profile).dump(2) + "\n");
  return ExitCode::success;
}

}  // namespace

void add_calibrate_command(CLI::App& program, const Launch& launch, ExitCode& result, Farewell& farewell) {
  CLI::App* command = program.add_subcommand("calibrate", "Measure this machine for frond simulate");
  command->footer(
      "Times the kernels of a factorization on one core, for some 20 seconds for each scalar type. In several processes all do so "
      "at\n"
      "the same time, as cores that share caches and memory will in a run, and messages between the first two are timed, too.\n"
      "docs/simulation.md explains what the file holds.\n\n"
      "Examples:\n  frond calibrate -o machine.json\n  mpiexec.mpich -n 2 frond calibrate -o machine.json\n"
      "  frond simulate A.mtx --ranks 64 --machine machine.json");
  const auto arguments = std::make_shared<CalibrateArguments>();
  const CommandOptions options(*command);
  options.add_path("-o,--out FILE", arguments->output, "Write to FILE; '-' stands for standard output (default: -)");
  options
      .add("--scalar TYPE,...", arguments->scalars,
           "Measure these scalar types: double, float, 'complex double', 'complex float' (default: double)")
      ->check(CLI::IsMember({"double", "float", "complex double", "complex float"}))
      ->delimiter(',');
  options.add_flag("--quick", arguments->is_quick, "Measure roughly, in a second or two, to try things out");
  command->callback([arguments, &launch, &result, &farewell] { result = run_calibrate(*arguments, launch, farewell); });
}

}  // namespace frond
