// SPDX-License-Identifier: BSD-3-Clause
// Adds the options of `frond solve`, and checks them.
#include "tools/program/solve/solve_arguments.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <limits>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "frond/named_options.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/options/byte_size.hpp"
#include "solver/options/duration.hpp"
#include "solver/storage/checkpoint/checkpoint_directory.hpp"
#include "tools/program/arguments/number_check.hpp"
#include "tools/program/arguments/schur_arguments.hpp"
#include "tools/program/process/standard_error.hpp"

namespace frond {
namespace {

// Interval between lists of copies in memory: each list frees what is no longer needed.
constexpr double kSecondsBetweenLists = 0.25;

// Throws unless a solution refined to the target counts as accurate.
double checked_target(const SolveArguments& arguments) {
  const double largest = arguments.precision == "single" ? kComponentwiseAccuracy<float> : 1e-14;
  if (arguments.refinement_target > largest) {
    throw UsageError(fmt::format("--refine-to {:.1e} is no accurate solution: at most {:.1e}, or leave it out",
                                 arguments.refinement_target, largest));
  }
  return arguments.refinement_target;
}

// Checks options that require full or single precision.
void check_precision(const SolveArguments& arguments) {
  if (arguments.precision != "mixed") {
    return;
  }
  for (const auto& [option, is_given] :
       {std::pair("--load-factors", !arguments.load_factors.empty()), std::pair("--only", !arguments.only.empty()),
        std::pair("--factor-part", !arguments.answers.factor_part.empty()), std::pair("--once", arguments.once),
        std::pair("--schur", !arguments.schur.empty())}) {
    if (is_given) {
      throw UsageError(fmt::format("{} excludes --precision mixed; leave one of them out", option));
    }
  }
}

void add_ranks_options(CLI::App& command, RanksArguments& arguments) {
  const std::string group = "Several processes";
  add_exchange_options(command, group, arguments);
  command
      .add_option(
          "--watchdog", arguments.watchdog_seconds,
          "Report what a process waits for when it has been idle for SECONDS (0 and more; default: 0, which stands for never)")
      ->check(number_at_least_0())
      ->capture_default_str()
      ->type_name("SECONDS")
      ->group(group);
  command
      .add_option("--processes", arguments.num_processes,
                  "Start P processes on this machine, as mpiexec.mpich -n P does (1 to 4096; default: 1)")
      ->check(integer_between(1, 4096))
      ->capture_default_str()
      ->type_name("P")
      ->group(group);
  CLI::Option* survive =
      command
          .add_flag(fmt::format("--survive{{{}}}", kSurviveByDefault), arguments.survive,
                    "Come to an answer as long as one process lives; when others are lost, those who are left begin again "
                    "(--survive=recompute, the default without --checkpoint), go on from what a checkpoint has (files, the default "
                    "with one), or from copies in memory of this machine, which take as much as the factorization (copies); needs "
                    "--processes, or mpiexec.mpich -disable-auto-cleanup")
          ->check(CLI::IsMember({kSurviveByDefault, "recompute", "copies", "files"}))
          ->type_name("[=HOW]")
          ->group(group);
  command
      .add_option("--arbiter", arguments.arbiter,
                  "Let processes agree on who goes on in the directory DIR, which all see (default: memory of this machine)")
      ->needs(survive)
      ->type_name("DIR")
      ->group(group);
  command
      .add_option(
          "--heartbeat-limit", arguments.heartbeat_limit_seconds,
          "Leave, or with --survive go on without it, when a process gives no sign of life for SECONDS; needs the load thread "
          "and --mpi-threads multiple (0 and more; 0: never; default: 30)")
      ->check(number_at_least_0())
      ->capture_default_str()
      ->type_name("SECONDS")
      ->group(group);
  command
      .add_option("--mpi-threads", arguments.mpi_threads,
                  "Ask MPI for LEVEL: multiple, serialized, or funneled, without a load thread (default: multiple)")
      ->check(CLI::IsMember({"multiple", "serialized", "funneled"}))
      ->capture_default_str()
      ->type_name("LEVEL")
      ->group(group);
  command
      .add_option("--bind", arguments.bind,
                  "Let processes of a machine that may use the same cores take some each, if there is one for every thread: auto "
                  "or off (default: auto)")
      ->check(CLI::IsMember({"auto", "off"}))
      ->capture_default_str()
      ->type_name("auto|off")
      ->group(group);
}

void add_factor_files(CLI::App& command, SolveArguments& arguments) {
  command
      .add_option("--save-factors", arguments.save_factors,
                  "Write the factors to FILE, for --load-factors with the same matrix and any number of processes")
      ->check(refuse_empty_name)
      ->type_name("FILE");
  command
      .add_option("--load-factors", arguments.load_factors,
                  "Read the factors that --save-factors has written for this matrix, instead of factorizing it")
      ->check(refuse_empty_name)
      ->type_name("FILE");
}

void add_checkpoint_options(CLI::App& command, SolveArguments& arguments) {
  command
      .add_option("--checkpoint", arguments.checkpoint,
                  "Write fronts to the directory DIR as they are finished, so that --resume can go on from "
                  "there after a crash, SIGTERM or the time limit (exit code 8); it must be new or empty")
      ->check(refuse_empty_name)
      ->type_name("DIR");
  command
      .add_option("--resume", arguments.resume,
                  "Go on from the checkpoint in DIR, with the same matrix and options and any number of "
                  "threads, and keep it up")
      ->check(refuse_empty_name)
      ->type_name("DIR");
  command
      .add_option("--checkpoint-every", arguments.checkpoint_every,
                  "List what is finished every TIME, such as 90s or 10min, and give back disk that no list needs (default: 10min)")
      ->capture_default_str()
      ->type_name("TIME");
}

void add_schur_options(CLI::App& command, SolveArguments& arguments) {
  CLI::Option* schur =
      command
          .add_option(
              "--schur", arguments.schur,
              "Keep these variables, counted from 1, for a Schur complement: a list such as 3,7-9, or a file of such numbers")
          ->check(refuse_empty_name)
          ->type_name("LIST|FILE");
  command.add_option("--schur-out", arguments.schur_output, "Write the Schur complement")
      ->needs(schur)
      ->check(refuse_empty_name)
      ->type_name("S.mtx");
  command
      .add_option("--condensed-out", arguments.condensed_output, "Write the right-hand sides that belong to the Schur complement")
      ->needs(schur)
      ->check(refuse_empty_name)
      ->type_name("c.mtx");
  command
      .add_option("--expand", arguments.expansion,
                  "Read x2 of the kept variables, in their order, and write x of all, which solves the equations of the others")
      ->needs(schur)
      ->expected(2)
      ->check(refuse_empty_name)
      ->type_name("x2.mtx x.mtx");
}

void add_less_memory(CLI::App& command, SolveArguments& arguments) {
  add_only_option(command, arguments.only,
                  "Report only these of the matrix: inertia, rank, determinant, joined by commas; solve nothing, and give the "
                  "factors back while they are computed, so that memory is that of the fronts under way");
  command.add_flag("--once", arguments.once,
                   "Eliminate the right-hand sides with the matrix, and keep of LU's factors only what the "
                   "backward sweep reads, about half; what is not accurate enough is factorized again");
}

void add_replication(CLI::App& command, SolveArguments& arguments) {
  command
      .add_flag("--replicate-factors", arguments.replicates_factors,
                "Copy all factors to every process after the factorization, and deal blocks of right-hand sides out to "
                "processes, each of which solves alone; for many right-hand sides, in several processes with memory for it "
                "(default: all processes solve together)")
      ->group("Several processes");
}

// An option and those that it excludes.
struct Exclusion {
  const char* option;
  std::vector<const char*> others;
};

void add_exclusions(CLI::App& command) {
  const std::vector<Exclusion> exclusions = {
      {"--nrhs", {"--rhs"}},
      {"--adjoint", {"--transpose"}},
      // Factors that are there have been made already.
      {"--load-factors",
       {"--save-factors", "--analysis-of", "--ordering", "--matching", "--block-triangular", "--method", "--scaling", "--pivoting",
        "--pivot-perturbation", "--pivot-threshold", "--null-threshold", "--schur"}},
      // Without the kept variables the factors are not all of A.
      {"--schur", {"--factor-part", "--null-space", "--save-factors"}},
      // Without factors there is no solve.
      {"--only",
       {"--rhs", "--nrhs", "--seed", "--out", "--transpose", "--adjoint", "--condensed-out", "--expand", "--factor-part",
        "--refine-steps", "--refine-to", "--krylov-steps", "--error-bounds", "--null-space", "--inverse-diagonal",
        "--inverse-entries", "--save-factors", "--load-factors"}},
      // Half of the factors does for one solve with A.
      {"--once",
       {"--transpose", "--adjoint", "--schur", "--error-bounds", "--factor-part", "--null-space", "--inverse-diagonal",
        "--inverse-entries", "--save-factors", "--load-factors", "--only"}},
      // A checkpoint holds all factors of all of the matrix.
      {"--checkpoint", {"--resume", "--load-factors", "--only", "--once", "--schur", "--analysis-of"}},
      {"--resume", {"--load-factors", "--only", "--once", "--schur", "--analysis-of"}},
      // So do copies, and losses are not survived while these are used.
      {"--replicate-factors", {"--once", "--only", "--schur", "--survive"}}};
  for (const Exclusion& exclusion : exclusions) {
    for (const char* other : exclusion.others) {
      command.get_option(exclusion.option)->excludes(command.get_option(other));
    }
  }
}

// Options without a group are the everyday ones.
void put_in_groups(CLI::App& command) {
  const std::vector<std::pair<const char*, std::vector<const char*>>> groups = {
      {"Analysis", {"--analysis-of"}},
      {"Pivots", {"--levels"}},
      {"Accuracy", {"--refine-to", "--seed"}},
      {"Less memory", {"--once", "--only"}},
      {"Schur complement", {"--schur", "--schur-out", "--condensed-out", "--expand"}},
      {"Checkpoints", {"--checkpoint", "--resume", "--checkpoint-every"}},
      {"Pictures", {"--html", "--trace"}},
      {"Other answers", {"--adjoint"}}};
  for (const auto& [group, names] : groups) {
    for (const char* name : names) {
      command.get_option(name)->group(group);
    }
  }
}

}  // namespace

void add_solve_options(CLI::App& command, SolveArguments& arguments) {
  add_system_options(command, arguments.system);
  command
      .add_option("--analysis-of", arguments.analysis_of,
                  "Analyse A0 instead, and factorize A with its order, matching and tree; values may differ, and entries that A "
                  "lacks are zeros")
      ->check(refuse_empty_name)
      ->type_name("A0.mtx");
  command
      .add_option("--rhs", arguments.rhs,
                  "Read the right-hand sides, one per column, from a Matrix Market file (default: make them from a random x)")
      ->check(refuse_empty_name)
      ->type_name("b.mtx");
  command.add_option("--nrhs", arguments.num_rhs, "Make K right-hand sides (1 to 1048576; default: 1)")
      ->check(integer_between(1, 1 << 20))
      ->capture_default_str()
      ->type_name("K");
  command.add_option("--seed", arguments.seed, "Draw the random x from SEED (0 to 2147483647; default: 1)")
      ->check(integer_between(0, std::numeric_limits<Index>::max()))
      ->capture_default_str()
      ->type_name("SEED");
  command.add_option("--out", arguments.output, "Write the solutions to a Matrix Market file")
      ->check(refuse_empty_name)
      ->type_name("x.mtx");
  command
      .add_option("--html", arguments.html,
                  "Write a page about the run to FILE: its phases, what each thread did when, memory over time, and the tree "
                  "(default: none)")
      ->check(refuse_empty_name)
      ->type_name("FILE");
  command
      .add_option("--trace", arguments.trace,
                  "Write the same as trace events to FILE, which Perfetto and chrome://tracing open (default: none)")
      ->check(refuse_empty_name)
      ->type_name("FILE");
  add_schur_options(command, arguments);
  command.add_flag("--transpose", arguments.transposed, "Solve A^T x = b");
  command.add_flag("--adjoint", arguments.adjoint, "Solve A^H x = b");
  command
      .add_option("--time-limit", arguments.time_limit_seconds,
                  "End with exit code 7 after SECONDS (default: 0, which stands for no limit)")
      ->check(number_at_least_0())
      ->type_name("SECONDS");
  arguments.system.named.add(command, "memory-limit");
  arguments.system.named.add_group(command, "Pivots");
  arguments.system.named.preset("error-bounds", "first");
  arguments.system.named.add_group(command, "Accuracy");
  command.add_flag("--levels", arguments.tells_levels, "Report fronts, flops and pivots for each level of the tree");
  command
      .add_option("--refine-to", arguments.refinement_target,
                  "Refine until the componentwise backward error is at most ERROR (0 to 1e-14, in single precision 5.4e-6; "
                  "default: 0, which stands for 10 rounding units, 2.2e-15)")
      ->check(number_at_least_0())
      ->capture_default_str()
      ->type_name("ERROR");
  command
      .add_option("--precision", arguments.precision,
                  "Compute the factors in the precision WHICH: full; mixed: single, with refinement to full accuracy, and full "
                  "after all where that fails, for half the memory and about half the time; single: matrix, right-hand sides and "
                  "all else are rounded to single precision, for some 6 digits; mixed excludes --load-factors, --only, "
                  "--factor-part, --once and --schur (default: full)")
      ->check(CLI::IsMember({"full", "mixed", "single"}))
      ->capture_default_str()
      ->type_name("WHICH");
  add_answer_options(command, arguments.answers);
  add_ranks_options(command, arguments.ranks);
  add_factor_files(command, arguments);
  add_less_memory(command, arguments);
  add_checkpoint_options(command, arguments);
  add_replication(command, arguments);
  add_exclusions(command);
  put_in_groups(command);
}

SolverOptions solver_options(const SolveArguments& arguments) {
  check_precision(arguments);
  check_answers(arguments.answers);
  SolverOptions options = solver_options(arguments.system);
  options.ranks.chunks = parse_chunks(arguments.ranks.work, arguments.ranks.chunks);
  options.factorization.kept = kept_factors(arguments.only);
  options.refinement.target = checked_target(arguments);
  options.precision = arguments.precision == "mixed" ? Precision::mixed : Precision::full;
  if (arguments.once) {
    set_option(options, "error-bounds", "never");
  }
  if (arguments.time_limit_seconds > 0 || (!arguments.checkpoint_directory().empty() && !arguments.is_checkpoint_in_memory)) {
    options.stop_requested = [sources = arguments.stop_sources] { return sources->is_stop_wanted(); };
  }
  if (arguments.checkpoint_directory().empty() && arguments.checkpoint_every != SolveArguments().checkpoint_every) {
    throw UsageError("--checkpoint-every: there is no checkpoint; name its directory by --checkpoint or --resume");
  }
  options.checkpoint = {
      .directory = arguments.checkpoint_directory(),
      .every_seconds = arguments.is_checkpoint_in_memory ? kSecondsBetweenLists
                                                         : parse_duration("--checkpoint-every", arguments.checkpoint_every),
      .list_requested = [sources = arguments.stop_sources] { return sources->take_list_request(); },
      .is_in_memory = arguments.is_checkpoint_in_memory,
      .tell_trouble = [sources = arguments.stop_sources](const std::string& what) { sources->note_trouble(what); }};
  if (!options.checkpoint.directory.empty() && !options.checkpoint.is_in_memory) {
    options.ranks.leave_requested = [directory = options.checkpoint.directory] { return read_leavers(directory); };
    options.ranks.tell_leave = [](const std::string& what) { tell_on_stderr(fmt::format("frond: {}\n", what)); };
  }
  return options;
}

void check_replication(const SolveArguments& arguments, Rank num_processes) {
  if (arguments.replicates_factors && num_processes == 1) {
    throw UsageError(
        "--replicate-factors: there is one process, which has all factors; start several by --processes P or mpiexec.mpich -n P");
  }
}

void check_files(const SolveArguments& arguments) {
  std::vector<FileArgument> inputs = input_files(arguments.system);
  inputs.push_back({"--analysis-of", arguments.analysis_of});
  inputs.push_back({"--rhs", arguments.rhs});
  inputs.push_back({"--load-factors", arguments.load_factors});
  if (!is_schur_list(arguments.schur)) {
    inputs.push_back({"--schur", arguments.schur});
  }
  check_standard_input(inputs, !arguments.ranks.survive.empty());
  std::vector<FileArgument> outputs = output_files(arguments.system);
  outputs.push_back({"--out", arguments.output});
  outputs.push_back({"--html", arguments.html});
  outputs.push_back({"--trace", arguments.trace});
  outputs.push_back({"--save-factors", arguments.save_factors});
  outputs.push_back({"--schur-out", arguments.schur_output});
  outputs.push_back({"--condensed-out", arguments.condensed_output});
  if (!arguments.expansion.empty()) {
    inputs.push_back({"--expand", arguments.expansion[0]});
    outputs.push_back({"--expand", arguments.expansion[1]});
  }
  for (const FileArgument& input : input_files(arguments.answers)) {
    inputs.push_back(input);
  }
  for (const FileArgument& output : output_files(arguments.answers)) {
    outputs.push_back(output);
  }
  check_file_arguments(inputs, outputs);
}

}  // namespace frond
