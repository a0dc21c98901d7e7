// SPDX-License-Identifier: BSD-3-Clause
// Implements frond analyze, which predicts the cost of a factorization.
#include <fmt/core.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frond/factorization.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/numerics/sweeps/lower_factors.hpp"
#include "tools/program/arguments/command_options.hpp"
#include "tools/program/arguments/matrix_input.hpp"
#include "tools/program/arguments/number_check.hpp"
#include "tools/program/arguments/ordering_file.hpp"
#include "tools/program/arguments/shared_arguments.hpp"
#include "tools/program/arguments/system_arguments.hpp"
#include "tools/program/commands/commands.hpp"
#include "tools/program/process/atomic_output.hpp"
#include "tools/program/process/other_programs.hpp"
#include "tools/program/process/progress_bar.hpp"
#include "tools/program/process/stopwatch.hpp"
#include "tools/program/records/mapping_record.hpp"
#include "tools/program/records/run_record.hpp"

namespace frond {
namespace {

struct AnalyzeArguments : SystemArguments {
  Rank num_ranks = 1;
  OnlyArgument only;
  std::string precision = "full";
  AdviceArguments advice;
};

// The simulator analyses and advises.
[[noreturn]] void hand_over(const AnalyzeArguments& arguments) {
  std::vector<std::string> words = to_words(arguments);
  words.emplace_back("--advise");
  const AdviceArguments& advice = arguments.advice;
  if (!advice.max_memory_per_rank.empty()) {
    words.insert(words.end(), {"--max-memory-per-rank", advice.max_memory_per_rank});
  }
  if (!advice.mean_time_between_failures.empty()) {
    words.insert(words.end(), {"--mean-time-between-failures", advice.mean_time_between_failures, "--checkpoint-folder",
                               advice.checkpoint_folder});
  }
  become_simulator("simulate", std::move(words));
}

ExitCode run_analyze(const AnalyzeArguments& arguments) {
  if (arguments.advice.advises) {
    hand_over(arguments);
  }
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
        write_text_if_asked(arguments.json, [&] { return analysis_json(facts, analysis, mapping); });
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
  const CommandOptions options(*command);
  options
      .add("--ranks P", arguments->num_ranks,
           "Also map the tree to P MPI processes, and predict what each does and holds (1 to 1048576; default: 1, which "
           "stands for no mapping)")
      ->check(integer_between(1, 1 << 20));
  CLI::Option* only =
      add_only_option(*command, arguments->only, "Predict the memory of a run that keeps no factors, as frond solve --only does");
  CLI::Option* precision = options.add_choice(
      "--precision WHICH", arguments->precision,
      "Predict the memory of factors as frond solve --precision makes them: full, mixed or single (default: full)",
      {"full", "mixed", "single"});
  add_advice_options(options, arguments->advice,
                     "Find out by simulations how many MPI processes pay, with which schedule and load exchange, and what they "
                     "cost; frond simulate --advise does the same for machines that you describe")
      ->excludes(only)
      ->excludes(precision);
  run_alone(*command, arguments, run_analyze, launch, result);
}

}  // namespace frond
