// SPDX-License-Identifier: BSD-3-Clause
// Adds the options with their texts, and checks their values.
#include "tools/program/arguments/shared_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "frond/error.hpp"
#include "solver/options/duration.hpp"
#include "tools/program/arguments/command_options.hpp"

namespace frond {

CLI::Option* add_only_option(CLI::App& command, OnlyArgument& only, const std::string& help) {
  const auto take_once = [&only](const std::vector<std::string>& words) {
    std::copy_if(words.begin(), words.end(), std::back_inserter(only),
                 [&only](const std::string& word) { return std::find(only.begin(), only.end(), word) == only.end(); });
  };
  return command.add_option_function<std::vector<std::string>>("--only", take_once, help)
      ->delimiter(',')
      ->check(CLI::IsMember({"inertia", "rank", "determinant"}))
      ->type_name("LIST");
}

void add_chunks_option(const CommandOptions& options, DealingArguments& arguments) {
  options.add_choice(
      "--chunks RULE", arguments.chunks,
      "Hand systems to workers by RULE: static, ss (one by one), mfsc, gss, tss, fac, rand, awf-b, awf-c, awf-d, awf-e or af "
      "(default: ss)",
      {"static", "ss", "mfsc", "gss", "tss", "fac", "rand", "awf-b", "awf-c", "awf-d", "awf-e", "af"});
}

void add_reissue_option(const CommandOptions& options, DealingArguments& arguments) {
  options.add_choice("--reissue on|off", arguments.reissue,
                     "Let a process that finds no system left solve one that another process has not finished; the first result "
                     "counts, and the loss of all processes but the first is survived: on or off (default: on)",
                     {"on", "off"});
}

CLI::Option* add_advice_options(const CommandOptions& options, AdviceArguments& arguments, const std::string& help) {
  CLI::Option* advise = options.add_flag("--advise", arguments.advises, help);
  options
      .add("--max-memory-per-rank SIZE", arguments.max_memory_per_rank,
           "Advise nothing with which a process needs more than SIZE for factors and fronts, such as 16GB")
      ->needs(advise);
  CLI::Option* failures =
      options
          .add("--mean-time-between-failures TIME", arguments.mean_time_between_failures,
               "Advise on checkpoints, too, for a run that fails every TIME on average, such as 8h: whether they pay, how "
               "often they are to be listed, and how long the factorization takes then")
          ->needs(advise);
  options
      .add_path("--checkpoint-folder DIR", arguments.checkpoint_folder,
                "Measure the disk of DIR for that (default: the working directory)")
      ->needs(failures);
  return advise;
}

double check_failure_time(const std::string& time) {
  const double seconds = parse_duration("--mean-time-between-failures", time);
  if (!(seconds > 0)) {
    throw UsageError("--mean-time-between-failures " + time + ": a time above zero is expected, such as 8h");
  }
  return seconds;
}

}  // namespace frond
