// SPDX-License-Identifier: BSD-3-Clause
// Implements frond batch, which solves many systems, several at a time.
#include <fmt/core.h>

#include <memory>
#include <string>

#include "tools/program/arguments/command_options.hpp"
#include "tools/program/arguments/number_check.hpp"
#include "tools/program/batch/batch_processes.hpp"
#include "tools/program/commands/commands.hpp"

namespace frond {
namespace {

void add_options(CLI::App& command, BatchArguments& arguments) {
  const CommandOptions options(command);
  options
      .add("list LIST|DIR", arguments.list,
           "Solve the systems that this file lists, on each line a matrix and, where there are any, a file of right-hand "
           "sides, or all matrices in this folder")
      ->required();
  options.add_path(
      "--results FILE", arguments.results,
      "Append what came of each system to FILE, a line of JSON each; systems that are in it are not solved again (default: none)");
  options.add_path("--out DIR", arguments.output, "Write the solutions to DIR, as NUMBER-NAME.x.mtx (default: none)");
  options.add_flag("--same-pattern", arguments.has_one_pattern,
                   "Analyse the first matrix alone: all others have the same pattern, or are refused; implies --set "
                   "symmetry=as-stored and --set reuse=many unless these are given");
  options
      .add("--workers W", arguments.num_workers,
           "Solve W systems at a time in each process (0 to 4096; default: 0, which stands for one on each core, or on "
           "--threads cores, and in each of several processes for one)")
      ->check(integer_between(0, kMaxThreads));
  options.add("--threads T", arguments.solve.system.num_threads, "Let each worker use T threads (1 to 4096; default: 1)")
      ->check(integer_between(1, kMaxThreads));
  add_chunks_option(options, arguments.dealing);
  arguments.solve.system.named.add(
      command, "memory-limit",
      "never take more memory than SIZE for factors and fronts, all workers of the machine together; what is too large for an "
      "equal part is tried once more alone at the end, with all of it");
  add_analysis_options(command, arguments.solve.system);
  options.add_choice("--precision WHICH", arguments.solve.precision,
                     "Compute the factors in the precision WHICH: full, or mixed, which takes half the memory (default: full)",
                     {"full", "mixed"});
}

void add_process_options(CLI::App& command, BatchArguments& arguments) {
  const CommandOptions options(command, "Several processes");
  RanksArguments& ranks = arguments.solve.ranks;
  options
      .add("--processes P", ranks.num_processes,
           "Start P processes on this machine, without --group no more than there are systems; the first one deals systems "
           "out, and prints (1 to 4096; default: 1)")
      ->check(integer_between(1, 4096));
  options
      .add("--group G", arguments.group_size,
           "Solve each system by G processes together, several groups side by side; the number of processes is a multiple of "
           "G, and what is too large for a group is tried once more at the end by all of them (1 to 4096; default: 1)")
      ->check(integer_between(1, 4096));
  add_reissue_option(options, arguments.dealing);
  add_survive_options(options, ranks,
                      "Watch the processes, and go on without those that are lost, be it the first, as long as one lives; needs "
                      "--processes, or mpiexec.mpich -disable-auto-cleanup");
}

}  // namespace

void add_batch_command(CLI::App& program, const Launch& launch, ExitCode& result, Farewell& farewell,
                       const std::function<ExitCode(const BatchArguments&)>& run_survivor) {
  CLI::App* command = program.add_subcommand("batch", "Solve many systems, several at a time");
  command->footer(
      "Without right-hand sides, b = A x for a random x, as frond solve makes it.\n\n"
      "Exit codes: 0 all are solved and verified, 2 bad usage, 3 some are not: singular, without the accuracy, unreadable or\n"
      "too large, as the table at the end says, 5 internal error, 6 a process was lost that nobody can replace, 7 stopped by a\n"
      "signal between two systems, 8 the same with --results, from which the same command goes on, 10 results cannot be\n"
      "written\n\n"
      "Examples:\n"
      "  frond batch systems.txt --results done.jsonl --out solutions\n"
      "  frond batch sweep/ --same-pattern --workers 8\n"
      "  frond batch systems.txt --processes 8 --survive\n"
      "  frond batch systems.txt --processes 8 --group 4\n"
      "  mpiexec.mpich -n 64 frond batch systems.txt --results done.jsonl");
  const auto arguments = std::make_shared<BatchArguments>();
  arguments->solve.system.num_threads = 1;
  add_options(*command, *arguments);
  add_process_options(*command, *arguments);
  add_solve_settings(*command, arguments->solve);
  command->callback([arguments, &launch, &result, &farewell, run_survivor] {
    result = run_survivor ? run_survivor(*arguments) : run_batch(*arguments, launch, farewell);
  });
}

}  // namespace frond
