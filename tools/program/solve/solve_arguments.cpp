// SPDX-License-Identifier: BSD-3-Clause
// Adds the options of `frond solve`, and checks them.
#include "tools/program/solve/solve_arguments.hpp"

#include <fmt/core.h>

#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "frond/named_options.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/options/option_row.hpp"
#include "solver/storage/checkpoint/checkpoint_directory.hpp"
#include "tools/program/arguments/command_options.hpp"
#include "tools/program/arguments/number_check.hpp"
#include "tools/program/arguments/schur_arguments.hpp"
#include "tools/program/process/standard_error.hpp"

namespace frond {
namespace {

// Interval between lists of copies in memory: each list frees what is no longer needed.
constexpr double kSecondsBetweenLists = 0.25;

using OwnRow = OptionRow<SolveArguments>;

// The settings that only the program has. That of the library for refine-to does not know of single precision.
std::vector<OwnRow> own_rows() {
  constexpr RepeatedPhase kRepeats = RepeatedPhase::factorization;
  constexpr std::string_view kGroup = "Several processes";
  constexpr bool kExpert = true;
  constexpr double kLargest = std::numeric_limits<double>::max();
  return {OwnRow::number(
              {"seed", "0 to 2147483647", "draw the random x from SEED", RepeatedPhase::none, "Accuracy", "SEED", kExpert}, 0,
              std::numeric_limits<Index>::max(), [](auto& arguments) -> auto& { return arguments.seed; }),
          OwnRow::number(
              {"refine-to", "0 to 1e-14, in single precision 5.4e-6",
               "refine until the componentwise backward error is at most ERROR; 0: 10 rounding units, 2.2e-15", RepeatedPhase::none,
               "Accuracy", "ERROR", kExpert},
              0, kLargest, [](auto& arguments) -> auto& { return arguments.refinement_target; }),
          OwnRow::number(
              {"heartbeat-limit", "a number of at least 0",
               "leave, or with --survive go on without it, when a process gives no sign of life for SECONDS; needs the load "
               "thread and mpi-threads=multiple; 0: never",
               kRepeats, kGroup, "SECONDS", kExpert},
              0, kLargest, [](auto& arguments) -> auto& { return arguments.ranks.heartbeat_limit_seconds; }),
          OwnRow::choice({"mpi-threads", "multiple|serialized|funneled", "ask MPI for LEVEL; there is no load thread with funneled",
                          kRepeats, kGroup, "LEVEL", kExpert},
                         [](auto& arguments) -> auto& { return arguments.ranks.mpi_threads; },
                         {MpiThreadLevel::multiple, MpiThreadLevel::serialized, MpiThreadLevel::funneled}),
          OwnRow::choice({"bind", "auto|off",
                          "let processes of a machine that may use the same cores take some each, if there is one for every thread",
                          kRepeats, kGroup, "auto|off", kExpert},
                         [](auto& arguments) -> auto& { return arguments.ranks.binds; }, {true, false})};
}

// Throws unless a solution refined to the target counts as accurate.
double checked_target(const SolveArguments& arguments) {
  const double largest = arguments.precision == "single" ? kComponentwiseAccuracy<float> : 1e-14;
  if (arguments.refinement_target > largest) {
    throw UsageError(fmt::format("--set refine-to={:.1e} is no accurate solution: at most {:.1e}, or leave it out",
                                 arguments.refinement_target, largest));
  }
  return arguments.refinement_target;
}

void add_ranks_options(CLI::App& command, SolveArguments& arguments) {
  const CommandOptions options(command, "Several processes");
  RanksArguments& ranks = arguments.ranks;
  arguments.system.named.add_group(command, "Several processes");
  options
      .add("--processes P", ranks.num_processes,
           "Start P processes on this machine, as mpiexec.mpich -n P does (1 to 4096; default: 1)")
      ->check(integer_between(1, 4096));
  add_survive_options(
      options, ranks,
      "Come to an answer as long as one process lives; when others are lost, those who are left begin again "
      "(--survive=recompute, the default without --checkpoint), go on from what a checkpoint has (files, the default "
      "with one), or from copies in memory of this machine, which take as much as the factorization (copies); needs "
      "--processes, or mpiexec.mpich -disable-auto-cleanup",
      {"recompute", "copies", "files"});
  options.add_flag("--replicate-factors", arguments.replicates_factors,
                   "Copy all factors to every process after the factorization, and deal blocks of right-hand sides out to "
                   "processes, each of which solves alone; for many right-hand sides, in several processes with memory for it "
                   "(default: all processes solve together)");
}

void add_checkpoint_options(CLI::App& command, SolveArguments& arguments) {
  const CommandOptions options(command, "Checkpoints");
  options.add_path(
      "--checkpoint DIR", arguments.checkpoint,
      "Write fronts to the directory DIR as they are finished, so that --resume can go on from there after a crash, SIGTERM or "
      "the time limit (exit code 8); it must be new or empty");
  options.add_path("--resume DIR", arguments.resume,
                   "Go on from the checkpoint in DIR, with the same matrix and options and any number of threads, and keep it up");
}

void add_schur_options(CLI::App& command, SolveArguments& arguments) {
  const CommandOptions options(command, "Schur complement");
  CLI::Option* schur = options.add_path(
      "--schur LIST|FILE", arguments.schur,
      "Keep these variables, counted from 1, for a Schur complement: a list such as 3,7-9, or a file of such numbers");
  options.add_path("--schur-out S.mtx", arguments.schur_output, "Write the Schur complement")->needs(schur);
  options
      .add_path("--condensed-out c.mtx", arguments.condensed_output,
                "Write the right-hand sides that belong to the Schur complement")
      ->needs(schur);
  options
      .add_paths("--expand x2.mtx x.mtx", arguments.expansion,
                 "Read x2 of the kept variables, in their order, and write x of all, which solves the equations of the others")
      ->needs(schur);
}

void add_less_memory(CLI::App& command, SolveArguments& arguments) {
  const std::string group = "Less memory";
  add_only_option(command, arguments.only,
                  "Report only these of the matrix: inertia, rank, determinant, joined by commas; solve nothing, and give the "
                  "factors back while they are computed, so that memory is that of the fronts under way")
      ->group(group);
  CommandOptions(command, group)
      .add_flag("--once", arguments.once,
                "Eliminate the right-hand sides with the matrix, and keep of LU's factors only what the "
                "backward sweep reads, about half; what is not accurate enough is factorized again");
}

// Options without a group are the everyday ones.
void add_files(CLI::App& command, SolveArguments& arguments) {
  const CommandOptions options(command);
  const CommandOptions pictures(command, "Pictures");
  CommandOptions(command, "Analysis")
      .add_path(
          "--analysis-of A0.mtx", arguments.analysis_of,
          "Analyse A0 instead, and factorize A with its order, matching and tree; values may differ, and entries that A lacks "
          "are zeros");
  options.add_path("--rhs b.mtx", arguments.rhs,
                   "Read the right-hand sides, one per column, from a Matrix Market file (default: make them from a random x)");
  options.add("--nrhs K", arguments.num_rhs, "Make K right-hand sides (1 to 1048576; default: 1)")
      ->check(integer_between(1, 1 << 20));
  options.add_path("--out x.mtx", arguments.output, "Write the solutions to a Matrix Market file");
  pictures.add_path(
      "--html FILE", arguments.html,
      "Write a page about the run to FILE: its phases, what each thread did when, memory over time, and the tree (default: none)");
  pictures.add_path("--trace FILE", arguments.trace,
                    "Write the same as trace events to FILE, which Perfetto and chrome://tracing open (default: none)");
  options.add_path("--save-factors FILE", arguments.save_factors,
                   "Write the factors to FILE, for --load-factors with the same matrix and any number of processes");
  options.add_path("--load-factors FILE", arguments.load_factors,
                   "Read the factors that --save-factors has written for this matrix, instead of factorizing it");
}

}  // namespace

void add_solve_options(CLI::App& command, SolveArguments& arguments) {
  const CommandOptions options(command);
  NamedArguments& named = arguments.system.named;
  add_system_options(command, arguments.system);
  add_files(command, arguments);
  options
      .add_choice("--operation plain|transpose|adjoint", arguments.operation_word,
                  "Solve A x = b (plain), A^T x = b (transpose) or A^H x = b (adjoint)", {"plain", "transpose", "adjoint"})
      ->capture_default_str();
  options
      .add("--time-limit SECONDS", arguments.time_limit_seconds,
           "End with exit code 7 after SECONDS (default: 0, which stands for no limit)")
      ->check(number_at_least_0());
  named.add(command, "memory-limit");
  options.add_choice(
      "--precision WHICH", arguments.precision,
      "Compute the factors in the precision WHICH: full; mixed: single, with refinement to full accuracy, and full after all where "
      "that fails, for half the memory and about half the time; single: matrix, right-hand sides and all else are rounded to "
      "single "
      "precision, for some 6 digits; mixed excludes --load-factors, --only, --factor-part, --once and --schur (default: full)",
      {"full", "mixed", "single"});
  named.add_group(command, "Pivots");
  CommandOptions(command, "Pivots")
      .add_flag("--levels", arguments.tells_levels, "Report fronts, flops and pivots for each level of the tree");
  named.preset("error-bounds", "first");
  named.add_group(command, "Accuracy");
  add_schur_options(command, arguments);
  add_answer_options(command, arguments.answers);
  add_ranks_options(command, arguments);
  add_less_memory(command, arguments);
  add_checkpoint_options(command, arguments);
  add_solve_settings(command, arguments);
}

void add_survive_options(const CommandOptions& options, RanksArguments& ranks, const std::string& help,
                         std::vector<std::string> words) {
  const bool has_words = !words.empty();
  words.insert(words.begin(), kSurviveByDefault);
  CLI::Option* survive = options.add_flag(fmt::format("--survive{{{}}}", kSurviveByDefault), ranks.survive, help)
                             ->check(CLI::IsMember(words))
                             ->type_name(has_words ? "[=HOW]" : " ");
  options
      .add("--arbiter DIR", ranks.arbiter,
           "Let processes agree on who goes on in the directory DIR, which all see (default: memory of this machine)")
      ->needs(survive);
}

void add_solve_settings(CLI::App& command, SolveArguments& arguments) {
  std::vector<Setting> own;
  for (const OwnRow& row : own_rows()) {
    own.push_back(setting_of(row, arguments));
  }
  const bool has_checkpoints = command.get_option_no_throw("--checkpoint") != nullptr;
  arguments.system.named.add_settings(
      command, {"Analysis", "Pivots", "Accuracy", "Several processes", has_checkpoints ? "Checkpoints" : ""}, std::move(own));
}

SolverOptions solver_options(const SolveArguments& arguments) {
  check_answers(arguments.answers);
  SolverOptions options = solver_options(arguments.system);
  const std::string& directory = arguments.checkpoint_directory();
  const bool is_in_memory = arguments.is_checkpoint_in_memory;
  options.factorization.kept = kept_factors(arguments.only);
  options.refinement.target = checked_target(arguments);
  options.mixed_precision = arguments.precision == "mixed";
  options.observer = arguments.stop_sources;
  if (arguments.once || !options.refinement.measures) {
    set_option(options, "error-bounds", "never");
  }
  if (directory.empty() && arguments.system.named.has("checkpoint-every")) {
    throw UsageError("--set checkpoint-every: there is no checkpoint; name its directory by --checkpoint or --resume");
  }
  options.checkpoint = {.directory = directory,
                        .every_seconds = is_in_memory ? kSecondsBetweenLists : options.checkpoint.every_seconds,
                        .is_in_memory = is_in_memory};
  options.ranks.may_leave = !directory.empty() && !is_in_memory;
  return options;
}

void check_replication(const SolveArguments& arguments, Rank num_processes) {
  if (arguments.replicates_factors && num_processes == 1) {
    throw UsageError(
        "--replicate-factors: there is one process, which has all factors; start several by --processes P or mpiexec.mpich -n P");
  }
}

void check_files(const SolveArguments& arguments) {
  const auto of_expansion = [&arguments](std::size_t k) { return arguments.expansion.empty() ? "" : arguments.expansion[k]; };
  std::vector<FileArgument> inputs = input_files(arguments.system);
  inputs.insert(inputs.end(), {{"--analysis-of", arguments.analysis_of},
                               {"--rhs", arguments.rhs},
                               {"--load-factors", arguments.load_factors},
                               {"--schur", is_schur_list(arguments.schur) ? "" : arguments.schur}});
  check_standard_input(inputs, !arguments.ranks.survive.empty());
  std::vector<FileArgument> outputs = output_files(arguments.system);
  outputs.insert(outputs.end(), {{"--out", arguments.output},
                                 {"--html", arguments.html},
                                 {"--trace", arguments.trace},
                                 {"--save-factors", arguments.save_factors},
                                 {"--schur-out", arguments.schur_output},
                                 {"--condensed-out", arguments.condensed_output},
                                 {"--expand", of_expansion(1)}});
  inputs.push_back({"--expand", of_expansion(0)});
  for (const FileArgument& input : input_files(arguments.answers)) {
    inputs.push_back(input);
  }
  for (const FileArgument& output : output_files(arguments.answers)) {
    outputs.push_back(output);
  }
  check_file_arguments(inputs, outputs);
}

}  // namespace frond
