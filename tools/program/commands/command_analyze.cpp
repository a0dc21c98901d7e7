// SPDX-License-Identifier: BSD-3-Clause
// Implements frond analyze, which predicts the cost of a factorization.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frond/factorization.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/numerics/sweeps/lower_factors.hpp"
#include "tools/program/arguments/failure_arguments.hpp"
#include "tools/program/arguments/matrix_input.hpp"
#include "tools/program/arguments/number_check.hpp"
#include "tools/program/arguments/only_argument.hpp"
#include "tools/program/arguments/ordering_file.hpp"
#include "tools/program/arguments/system_arguments.hpp"
#include "tools/program/commands/commands.hpp"
#include "tools/program/process/atomic_output.hpp"
#include "tools/program/process/progress_bar.hpp"
#include "tools/program/process/simulator_program.hpp"
#include "tools/program/process/stopwatch.hpp"
#include "tools/program/records/mapping_record.hpp"
#include "tools/program/records/run_record.hpp"

namespace frond {
namespace {

struct AnalyzeArguments : SystemArguments {
  Rank num_ranks = 1;
  OnlyArgument only;
  std::string precision = "full";
  bool advises = false;
  std::string max_memory_per_rank;
  std::string mean_time_between_failures;
  std::string checkpoint_folder = ".";
};

// The simulator analyses and advises.
[[noreturn]] void hand_over(const AnalyzeArguments& arguments) {
  std::vector<std::string> words = to_words(arguments);
  words.emplace_back("--advise");
  if (!arguments.max_memory_per_rank.empty()) {
    words.insert(words.end(), {"--max-memory-per-rank", arguments.max_memory_per_rank});
  }
  if (!arguments.mean_time_between_failures.empty()) {
    words.insert(words.end(), {"--mean-time-between-failures", arguments.mean_time_between_failures, "--checkpoint-folder",
                               arguments.checkpoint_folder});
  }
  become_simulator("simulate", std::move(words));
}

ExitCode run_analyze(const AnalyzeArguments& arguments) {
  check_file_arguments(input_files(arguments), output_files(arguments));
  SolverOptions options = solver_options(arguments);
  options.analysis.mapping.num_ranks = arguments.num_ranks;
  const MatrixInput input = read_matrix_input(arguments, arguments.matrix);
  std::visit(
      [&]<Scalar S>(const SparseMatrix<S>& matrix) {
        MatrixFacts facts = matrix_facts(arguments.matrix, matrix);
        facts.has_detected_symmetry = input.has_detected_symmetry;
        facts.read_seconds = input.seconds;
        const Stopwatch watch;
        const AnalysisParts parts = [&] {
          const ProgressBar bar("analyzing", stderr);
          return analyze_system<S>(matrix, options);
        }();
        const double seconds = watch.seconds();
        const Count scalar_bytes = arguments.precision == "full" ? sizeof(S) : sizeof(LowerOf<S>);
        AnalysisFacts analysis = analysis_facts(*parts.symbolic, parts.method, scalar_bytes, options.factorization.num_threads,
                                                kept_factors(arguments.only));
        analysis.memory_limit = find_memory_limit(options.factorization.num_threads);
        analysis.seconds = seconds;
        if (!arguments.write_ordering.empty()) {
          write_ordering(arguments.write_ordering, *parts.symbolic);
        }
        print_analysis(summary_stream(arguments), facts, analysis);
        for (const std::string& note : input.notes) {
          fmt::print(summary_stream(arguments), "note           {}\n", note);
        }
        const MappingFacts mapping =
            mapping_facts(*parts.symbolic, parts.method, scalar_bytes, options.analysis.mapping, kept_factors(arguments.only));
        if (arguments.num_ranks > 1) print_mapping(summary_stream(arguments), mapping);
        std::fprintf(summary_stream(arguments), "seconds        read %.3f, analyze %.3f (ordering %.3f)\n", input.seconds, seconds,
                     analysis.ordering.ordering_seconds);
        if (!arguments.json.empty()) {
          write_text(arguments.json, analysis_json(facts, analysis, mapping));
        }
      },
      input.matrix);
  return ExitCode::success;
}

}  // namespace

void add_analyze_command(CLI::App& program, const Launch& launch, ExitCode& result) {
  CLI::App* command = program.add_subcommand("analyze", "Order a matrix and predict what factorizing it costs");
  command->footer(
      "Examples:\n  frond analyze A.mtx --threads 8 --ranks 16 --json costs.json\n  frond analyze A.mtx --advise "
      "--max-memory-per-rank 16GB");
  const auto arguments = std::make_shared<AnalyzeArguments>();
  add_system_options(*command, *arguments);
  arguments->named.add_settings(*command, {"Analysis"});
  command
      ->add_option("--ranks", arguments->num_ranks,
                   "Also map the tree to P MPI processes, and predict what each does and holds (1 to 1048576; default: 1, which "
                   "stands for no mapping)")
      ->check(integer_between(1, 1 << 20))
      ->type_name("P");
  CLI::Option* only =
      add_only_option(*command, arguments->only, "Predict the memory of a run that keeps no factors, as frond solve --only does");
  CLI::Option* precision =
      command
          ->add_option("--precision", arguments->precision,
                       "Predict the memory of factors as frond solve --precision makes them: full, mixed or single (default: full)")
          ->check(CLI::IsMember({"full", "mixed", "single"}))
          ->type_name("WHICH");
  CLI::Option* advise =
      command->add_flag("--advise", arguments->advises,
                        "Find out by simulations how many MPI processes pay, with which schedule and load exchange, and what they "
                        "cost; frond simulate --advise does the same for machines that you describe");
  advise->excludes(only);
  advise->excludes(precision);
  command
      ->add_option("--max-memory-per-rank", arguments->max_memory_per_rank,
                   "Advise nothing with which a process needs more than SIZE for factors and fronts, such as 16GB")
      ->needs(advise)
      ->type_name("SIZE");
  add_failure_options(*command, *advise, arguments->mean_time_between_failures, arguments->checkpoint_folder);
  command->callback([arguments, &launch, &result] {
    require_one_process(launch, "analyze");
    if (arguments->advises) {
      hand_over(*arguments);
    }
    result = run_analyze(*arguments);
  });
}

}  // namespace frond
