// SPDX-License-Identifier: BSD-3-Clause
// frond batch: many systems, several at a time.
#include <CLI/CLI.hpp>
#include <memory>

#include "tools/arguments/file_arguments.hpp"
#include "tools/batch/batch_run.hpp"
#include "tools/commands/commands.hpp"

namespace frond {
namespace {

void add_options(CLI::App& command, BatchArguments& arguments) {
  command
      .add_option("list", arguments.list,
                  "Solve the systems that this file lists, on each line a matrix and, where there are any, a file of right-hand "
                  "sides, or all matrices in this folder")
      ->required()
      ->type_name("LIST|DIR");
  command
      .add_option(
          "--results", arguments.results,
          "Append what came of each system to FILE, a line of JSON each; systems that are in it are not solved again (default: "
          "none)")
      ->check(refuse_empty_name)
      ->type_name("FILE");
  command.add_option("--out", arguments.output, "Write the solutions to DIR, as NUMBER-NAME.x.mtx (default: none)")
      ->check(refuse_empty_name)
      ->type_name("DIR");
  command.add_flag("--same-pattern", arguments.has_one_pattern,
                   "Analyse the first matrix alone: all others have the same pattern, or are refused");
  command
      .add_option("--workers", arguments.num_workers,
                  "Solve W systems at a time (0 to 4096; default: 0, which stands for one on each core, or on --threads cores)")
      ->check(CLI::Range(0, kMaxThreads))
      ->type_name("W");
  command.add_option("--threads", arguments.solve.system.num_threads, "Let each worker use T threads (1 to 4096; default: 1)")
      ->check(CLI::Range(1, kMaxThreads))
      ->type_name("T");
  command
      .add_option(
          "--chunks", arguments.chunks,
          "Hand systems to workers by RULE: static, ss (one by one), mfsc, gss, tss, fac, rand, awf-b, awf-c or af (default: "
          "ss)")
      ->check(CLI::IsMember({"static", "ss", "mfsc", "gss", "tss", "fac", "rand", "awf-b", "awf-c", "af"}))
      ->type_name("RULE");
  command
      .add_option("--memory-limit", arguments.solve.memory_limit,
                  "Never take more memory than SIZE for factors and fronts, all workers together (default: what there is)")
      ->type_name("SIZE");
  add_analysis_options(command, arguments.solve.system);
  command
      .add_option("--precision", arguments.solve.precision,
                  "Compute the factors in the precision WHICH: full, or mixed, which takes half the memory (default: full)")
      ->check(CLI::IsMember({"full", "mixed"}))
      ->type_name("WHICH");
}

}  // namespace

void add_batch_command(CLI::App& program, const Launch& launch, ExitCode& result) {
  CLI::App* command = program.add_subcommand("batch", "Solve many systems, several at a time");
  command->footer(
      "Without right-hand sides, b = A x for a random x, as frond solve makes it.\n\n"
      "Exit codes: 0 all are solved and verified, 2 bad usage, or results that cannot be written, 3 some are not: singular, "
      "without\n"
      "the accuracy, unreadable or too large, as the table at the end says, 5 internal error\n\n"
      "Examples:\n"
      "  frond batch systems.txt --results done.jsonl --out solutions\n"
      "  frond batch sweep/ --same-pattern --workers 8");
  const auto arguments = std::make_shared<BatchArguments>();
  arguments->solve.system.num_threads = 1;
  arguments->solve.error_bounds = "never";
  add_options(*command, *arguments);
  command->callback([arguments, &launch, &result] {
    require_one_process(launch, "batch");
    result = run_batch(*arguments);
  });
}

}  // namespace frond
