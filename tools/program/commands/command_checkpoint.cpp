// SPDX-License-Identifier: BSD-3-Clause
// Implements frond checkpoint, frond drain and frond resume-info: sends requests to a run that leaves a checkpoint, and describes
// it.
#include <fmt/core.h>

#include <memory>
#include <string>

#include "frond/report.hpp"
#include "matrices/counted.hpp"
#include "matrices/symmetry.hpp"
#include "solver/options/byte_size.hpp"
#include "solver/storage/checkpoint/checkpoint_directory.hpp"
#include "solver/storage/checkpoint/checkpoint_info.hpp"
#include "tools/program/arguments/command_options.hpp"
#include "tools/program/commands/commands.hpp"

namespace frond {
namespace {

struct CheckpointArguments {
  std::string directory;
  bool stop = false;
  Rank leaving = 0;
  bool through_files = false;
};

ExitCode run_checkpoint(const CheckpointArguments& arguments) {
  ask_for_list(arguments.directory, arguments.stop);
  fmt::print("{}\n", arguments.stop ? "asked to list what is finished, and to stop" : "asked to list what is finished");
  return ExitCode::success;
}

ExitCode run_drain(const CheckpointArguments& arguments) {
  ask_to_leave(arguments.directory, arguments.leaving, arguments.through_files);
  fmt::print("asked that rank {} leave; the run says on its standard error when it has, or why it cannot\n", arguments.leaving);
  return ExitCode::success;
}

void print_attempt(const AttemptInfo& attempt, const CheckpointInfo& info) {
  fmt::print("{:<14} {}, {} on disk\n", "factorization", attempt.about, format_byte_size(attempt.bytes_on_disk));
  if (!attempt.damage.empty()) {
    fmt::print("{:<14} {}\n", "damaged", attempt.damage);
  } else if (attempt.is_of_another_analysis) {
    fmt::print("{:<14} by an analysis that is not in the checkpoint: see by --resume how far it has come\n", "finished");
  } else if (!attempt.outcome.empty()) {
    fmt::print("{:<14} {}\n", "ended", attempt.outcome);
  } else {
    fmt::print("{:<14} {} of {}, {:.1f} % of {:.3g} flops", "finished", attempt.num_fronts, counted(info.num_fronts, "front"),
               info.flops > 0 ? 100 * attempt.flops / info.flops : 100, info.flops);
    fmt::print("{}\n", attempt.run > 0 ? fmt::format(" (run {}, list {})", attempt.run, attempt.list) : " (no list yet)");
    fmt::print("{:<14} {}\n", "missing",
               attempt.num_fronts == info.num_fronts
                   ? std::string("nothing: --resume loads the factors and solves")
                   : fmt::format("{} of {}", info.num_fronts - attempt.num_fronts, counted(info.num_fronts, "front")));
  }
}

// The exit code says whether another run can resume from it.
ExitCode run_resume_info(const CheckpointArguments& arguments) {
  const CheckpointInfo info = read_checkpoint_info(arguments.directory);
  fmt::print("{:<14} {}{}\n", "checkpoint", arguments.directory, info.is_in_use ? ", a process is at work with it" : "");
  if (!info.is_begun) {
    fmt::print("{:<14} nothing yet: the analysis was not done; --resume begins\n", "finished");
    return ExitCode::success;
  }
  fmt::print("{:<14} order {}, {} {}, {}; {}\n", "matrix", info.order, to_string(info.system.symmetry),
             to_string(info.system.scalar), counted_entries(info.num_entries), to_string(info.system.report.method));
  bool is_good = true;
  for (const AttemptInfo& attempt : info.attempts) {
    print_attempt(attempt, info);
    is_good = is_good && attempt.damage.empty();
  }
  if (info.attempts.empty()) {
    fmt::print("{:<14} the analysis; no factorization was begun\n", "finished");
  }
  return is_good ? ExitCode::success : ExitCode::bad_input;
}

}  // namespace

void add_checkpoint_commands(CLI::App& program, const Launch& launch, ExitCode& result) {
  const auto arguments = std::make_shared<CheckpointArguments>();
  const auto add = [&](const std::string& name, const std::string& story, const std::string& footer,
                       ExitCode (*run)(const CheckpointArguments&)) {
    CLI::App* command = program.add_subcommand(name, story);
    command->footer(footer);
    CommandOptions options(*command);
    options.add("directory DIR", arguments->directory, "Name the directory that was given to --checkpoint or --resume")->required();
    run_alone(*command, arguments, run, launch, result);
    return options;
  };
  const CommandOptions checkpoint =
      add("checkpoint", "Ask a run with --checkpoint to list what is finished now, and perhaps to stop",
          "The run answers within a second or so. SIGUSR2 to its process does the same, SIGTERM what --stop does.\n\n"
          "Example:\n  frond checkpoint run1 --stop",
          run_checkpoint);
  checkpoint.add_flag("--stop", arguments->stop, "Stop the run; it ends with exit code 8 and the command that goes on");
  const CommandOptions drain = add(
      "drain", "Ask a run of several processes with --checkpoint to do without one of them",
      "What the process holds goes to the others, which do the rest of the factorization; it waits for the end without work and\n"
      "without factors, and ends with exit code 0. Fronts that are under way are finished first.\n\n"
      "Example:\n  frond drain run1 3",
      run_drain);
  drain.add("rank RANK", arguments->leaving, "Name the process by its number, from 0 on")
      ->required()
      ->check(CLI::NonNegativeNumber);
  drain.add_flag("--through-files", arguments->through_files,
                 "Move what it holds through files in DIR, which all processes have to see, instead of from memory to memory");
  add("resume-info", "Show what is in a checkpoint, and what is missing",
      "Exit codes: 0 a run can go on from it, 2 it is damaged, or there is none\n\nExample:\n  frond resume-info run1",
      run_resume_info);
}

}  // namespace frond
