// SPDX-License-Identifier: BSD-3-Clause
// Implements frond bench, which runs Frond and its peers in turn on the same matrices.
#include <fmt/core.h>
#include <tbb/info.h>

#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tools/program/arguments/command_options.hpp"
#include "tools/program/arguments/number_check.hpp"
#include "tools/program/arguments/system_arguments.hpp"
#include "tools/program/bench/bench_page.hpp"
#include "tools/program/bench/bench_records.hpp"
#include "tools/program/bench/bench_table.hpp"
#include "tools/program/bench/campaign.hpp"
#include "tools/program/commands/commands.hpp"
#include "tools/program/process/atomic_output.hpp"
#include "tools/program/process/stop_signals.hpp"

namespace frond {
namespace {

struct BenchArguments {
  std::vector<std::string> suite;
  std::string problem_class;
  std::string matrix_dir;
  std::vector<std::string> peers = {"all"};
  std::vector<std::string> additions;
  std::string json;
  std::string tsv;
  std::string html;
  std::string svg;
  CampaignPlan plan;  // all but problems and peers
};

std::vector<int> default_threads() {
  const int num_cores = tbb::info::default_concurrency();
  return num_cores > 1 ? std::vector<int>{1, num_cores} : std::vector<int>{1};
}

void write_files(const BenchArguments& arguments, const BenchResults& results) {
  write_text_if_asked(arguments.json, [&] { return bench_json(results); });
  write_text_if_asked(arguments.tsv, [&] { return bench_tsv(results); });
  write_text_if_asked(arguments.html, [&] { return bench_page(results); });
  write_text_if_asked(arguments.svg, [&] { return bench_chart(results); });
}

bool has_frond_failed(const BenchResults& results) {
  for (const BenchResult& result : results.problems) {
    for (const BenchEntry& entry : result.entries) {
      if (entry.contestant.program.is_frond() && !entry.error.empty()) {
        return true;
      }
    }
  }
  return false;
}

// The class comes first, then what is named in addition. By default the suite 'small'.
std::vector<BenchProblem> problems_of(const BenchArguments& arguments) {
  std::vector<BenchProblem> problems = problems_of_class(arguments.problem_class);
  const bool names_nothing = problems.empty() && arguments.suite.empty();
  const std::vector<BenchProblem> others =
      parse_bench_problems(names_nothing ? std::vector<std::string>{"small"} : arguments.suite, arguments.matrix_dir);
  problems.insert(problems.end(), others.begin(), others.end());
  return problems;
}

ExitCode run_bench(const BenchArguments& arguments) {
  check_file_arguments(
      {}, {{"--json", arguments.json}, {"--tsv", arguments.tsv}, {"--html", arguments.html}, {"--svg", arguments.svg}});
  CampaignPlan plan = arguments.plan;
  plan.problems = problems_of(arguments);
  plan.peers = select_peers(arguments.peers, arguments.additions);
  const StopSignals signals;
  Campaign campaign(std::move(plan));
  std::exception_ptr failure;
  try {
    campaign.run([&signals] { return signals.has_come(); },
                 [&arguments](const BenchResults& results) { write_files(arguments, results); });
  } catch (...) {
    failure = std::current_exception();  // rethrown after reporting the measurements so far
  }
  fmt::print("{}{}", describe(campaign.results()), signals.has_come() ? "interrupted\n" : "");
  if (failure) {
    std::rethrow_exception(failure);
  }
  return signals.has_come() || has_frond_failed(campaign.results()) ? ExitCode::not_solved : ExitCode::success;
}

void add_problem_options(const CommandOptions& options, BenchArguments& arguments) {
  options.add("suite,--suite WHAT", arguments.suite,
              "Measure small, model, real, KIND N of model problems as frond generate knows them, files, or folders of files "
              "(default: small, unless a class is given)");
  options.add_choice(
      "--class CLASS", arguments.problem_class,
      "Measure the generated systems of CLASS, small and thin ones: circuits (modified nodal analysis), power (power "
      "flow), bases (of linear programs), triangles (and chains), or small (orders 10 to 1000)",
      kBenchClasses);
  options.add("--matrix-dir DIR", arguments.matrix_dir, "Take the files of the suite 'real' from DIR (default: FROND_MATRIX_DIR)")
      ->envname("FROND_MATRIX_DIR");
  options
      .add("--least-factor-seconds SECONDS", arguments.plan.least_factor_seconds,
           "Leave out problems that Frond factorizes in less than SECONDS")
      ->check(number_at_least_0())
      ->capture_default_str();
}

void add_contestant_options(const CommandOptions& options, BenchArguments& arguments) {
  options.add_list("--threads T,...", arguments.plan.threads, "Measure with these numbers of threads, in one process")
      ->check(integer_between(1, kMaxThreads))
      ->capture_default_str();
  options
      .add_list("--ranks P,...", arguments.plan.ranks, "Measure with these numbers of processes; more than 1: with one thread each")
      ->check(integer_between(1, 1 << 20))
      ->capture_default_str();
  options.add_list("--peers NAME,...", arguments.peers, "Compare with these: all, none, or names of adapters")
      ->capture_default_str();
  options.add_repeated("--peer NAME=PROGRAM", arguments.additions,
                       "Compare with one more program, which keeps to the protocol of docs/benchmark.md; may be repeated");
  options.add_flag("--same-ordering", arguments.plan.has_same_ordering, "Give Frond's order of elimination to all");
}

void add_course_options(const CommandOptions& options, BenchArguments& arguments) {
  options.add("--repeat R", arguments.plan.num_rounds, "Measure R rounds")
      ->check(integer_between(1, 1 << 20))
      ->capture_default_str();
  options
      .add("--again N", arguments.plan.num_again,
           "In each run, refactorize N times with other values and the same pattern, and solve, by each solver's own means")
      ->check(integer_between(0, 1 << 20))
      ->capture_default_str();
  options.add_flag("--refine", arguments.plan.refines,
                   "Let each solver refine by its own means, and Frond measure its solutions; otherwise none does");
  options
      .add("--time-limit SECONDS", arguments.plan.seconds_limit,
           "End each process after SECONDS (default: 0, which stands for ten times what frond solve takes, at least 60)")
      ->check(number_at_least_0());
  options.add_path("--json FILE", arguments.json, "Write every measurement to FILE");
  options.add_path("--tsv FILE", arguments.tsv, "Write every measurement to FILE, as a table");
  options.add_path("--html FILE", arguments.html, "Write charts to FILE");
  options.add_path("--svg FILE", arguments.svg, "Write one chart to FILE: total times of Frond and of the best peer");
}

}  // namespace

void add_bench_command(CLI::App& program, const Launch& launch, ExitCode& result) {
  CLI::App* command = program.add_subcommand("bench", "Compare Frond with other solvers on the same matrices");
  command->footer(
      "Every solver runs in a process of its own, in turn with the others, once in each round; dense products and memory\n"
      "bandwidth are measured in every round, too. Files are written after each round; Ctrl-C ends with what there is.\n"
      "Exit code 3 if Frond failed, or after Ctrl-C. docs/benchmark.md explains what is measured and how to add a solver.\n\n"
      "Examples:\n"
      "  frond bench\n"
      "  frond bench model --html model.html --json model.json\n"
      "  frond bench --class circuits --again 10 --threads 1\n"
      "  frond bench elasticity3d 25 A.mtx --threads 1,2 --ranks 1,2 --peers mumps,mumps_mpi --repeat 3");
  const auto arguments = std::make_shared<BenchArguments>();
  arguments->plan.threads = default_threads();
  const CommandOptions options(*command);
  add_problem_options(options, *arguments);
  add_contestant_options(options, *arguments);
  add_course_options(options, *arguments);
  run_alone(*command, arguments, run_bench, launch, result);
}

}  // namespace frond
