// SPDX-License-Identifier: BSD-3-Clause
// Adds the two options on failures, and checks the time.
#include "tools/program/arguments/failure_arguments.hpp"

#include <CLI/CLI.hpp>

#include "frond/error.hpp"
#include "solver/options/duration.hpp"
#include "tools/program/arguments/file_arguments.hpp"

namespace frond {

void add_failure_options(CLI::App& command, CLI::Option& advise, std::string& time, std::string& folder) {
  CLI::Option* failures =
      command
          .add_option("--mean-time-between-failures", time,
                      "Advise on checkpoints, too, for a run that fails every TIME on average, such as 8h: whether they pay, how "
                      "often they are to be listed, and how long the factorization takes then")
          ->needs(&advise)
          ->type_name("TIME")
          ->group(advise.get_group());
  add_path(command, "--checkpoint-folder", folder, "Measure the disk of DIR for that (default: the working directory)", "DIR")
      ->needs(failures)
      ->group(advise.get_group());
}

double check_failure_time(const std::string& time) {
  const double seconds = parse_duration("--mean-time-between-failures", time);
  if (!(seconds > 0)) {
    throw UsageError("--mean-time-between-failures " + time + ": a time above zero is expected, such as 8h");
  }
  return seconds;
}

}  // namespace frond
