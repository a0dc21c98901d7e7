// SPDX-License-Identifier: BSD-3-Clause
// Adds the shared command line options, and converts them.
#include "tools/program/arguments/system_arguments.hpp"

#include <tbb/info.h>

#include "frond/error.hpp"
#include "tools/program/arguments/command_options.hpp"
#include "tools/program/arguments/number_check.hpp"
#include "tools/program/arguments/ordering_file.hpp"

namespace frond {
namespace {

constexpr const char* kAnalysisGroup = "Analysis";

}  // namespace

void add_analysis_options(CLI::App& command, SystemArguments& arguments) {
  const CommandOptions options(command, kAnalysisGroup);
  options.add("--ordering KIND|FILE", arguments.ordering,
              "Order by KIND: automatic, dissection, metis, amd or natural, or as FILE says, whose k-th line is the variable "
              "to be eliminated k-th, counted from 1 (default: automatic)");
  options.add_flag(
      "--keep-zeros", arguments.keeps_zeros,
      "Count explicit zeros of the file as entries; by default they are left out, unless variables are alike with them, "
      "but with --analysis-of and batch --same-pattern");
  arguments.named.preset("reuse", "1");
  arguments.named.add_group(command, kAnalysisGroup);
}

void add_system_options(CLI::App& command, SystemArguments& arguments) {
  const CommandOptions options(command);
  options
      .add("matrix A.mtx", arguments.matrix,
           "Read A from this file: Matrix Market, Harwell-Boeing, Rutherford-Boeing or SciPy's .npz, plain or packed (.gz, "
           ".xz, .bz2, .zst, .tar.gz, .zip); '-' stands for standard input")
      ->required();
  options.add("--threads T", arguments.num_threads, "Use T threads (0 to 4096; default: 0, which stands for all cores)")
      ->check(integer_between(0, kMaxThreads));
  options.add_path("--json FILE", arguments.json,
                   "Write all figures to FILE; '-' stands for standard output, and the summary then goes to standard error");
  add_analysis_options(command, arguments);
  CommandOptions(command, kAnalysisGroup)
      .add_path("--write-ordering FILE", arguments.write_ordering,
                "Write the ordering that was used, in the form that --ordering reads");
}

std::vector<std::string> to_words(const SystemArguments& arguments) {
  std::vector<std::string> words = {arguments.matrix};
  const auto add = [&words](const char* option, const std::string& value) {
    if (!value.empty()) {
      words.insert(words.end(), {option, value});
    }
  };
  add("--threads", std::to_string(arguments.num_threads));
  add("--json", arguments.json);
  add("--ordering", arguments.ordering);
  add("--write-ordering", arguments.write_ordering);
  arguments.named.append_to(words);
  if (arguments.keeps_zeros) {
    words.emplace_back("--keep-zeros");
  }
  return words;
}

SolverOptions solver_options(const SystemArguments& arguments) {
  SolverOptions options;
  options.analysis.ordering = parse_ordering(arguments.ordering);
  arguments.named.apply(options);
  if (arguments.named.has("chunks") && options.ranks.sharing != WorkSharing::pool) {
    throw UsageError("chunks are for --work pool: add that, or leave them out");
  }
  options.detect_symmetry = false;          // read_matrix_input() has looked
  options.factorization.thin = Use::never;  // records and summaries are about fronts
  options.factorization.num_threads = resolve_threads(arguments.num_threads);
  return options;
}

std::vector<FileArgument> input_files(const SystemArguments& arguments) {
  return {{"the matrix", arguments.matrix}, {"--ordering", arguments.ordering}};
}

std::vector<FileArgument> output_files(const SystemArguments& arguments) {
  const bool is_json_a_file = arguments.json != "-";
  return {{"--json", is_json_a_file ? arguments.json : std::string()}, {"--write-ordering", arguments.write_ordering}};
}

int resolve_threads(int num_threads) { return num_threads > 0 ? num_threads : tbb::info::default_concurrency(); }

std::FILE* summary_stream(const SystemArguments& arguments) { return arguments.json == "-" ? stderr : stdout; }

}  // namespace frond
