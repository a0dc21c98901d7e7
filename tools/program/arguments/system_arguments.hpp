// SPDX-License-Identifier: BSD-3-Clause
// The command line options that `frond analyze` and `frond solve` share.
#pragma once

#include <string>
#include <vector>

#include "frond/files.hpp"
#include "frond/options.hpp"
#include "tools/program/arguments/file_arguments.hpp"
#include "tools/program/arguments/named_arguments.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library is called so
class App;
}

namespace frond {

/// The most that --threads takes.
inline constexpr int kMaxThreads = 4096;

struct SystemArguments {
  std::string matrix;
  int num_threads = 0;  ///< 0: all cores
  std::string json;
  std::string ordering = "automatic";
  std::string write_ordering;
  NamedArguments named;
  bool keeps_zeros = false;  ///< explicit ones of files
};

void add_system_options(CLI::App& command, SystemArguments& arguments);
/// Those of them that say how a matrix is analysed.
void add_analysis_options(CLI::App& command, SystemArguments& arguments);

/// The same as words of a command line.
[[nodiscard]] std::vector<std::string> to_words(const SystemArguments& arguments);

/// The options of the solver that the arguments mean. Throws UsageError, InputError.
[[nodiscard]] SolverOptions solver_options(const SystemArguments& arguments);

/// The files that the arguments ask to read, and those they ask to write.
[[nodiscard]] std::vector<FileArgument> input_files(const SystemArguments& arguments);
[[nodiscard]] std::vector<FileArgument> output_files(const SystemArguments& arguments);

/// 0 becomes the number of cores this process may use.
[[nodiscard]] int resolve_threads(int num_threads);

/// Where people read the summary: standard output, or standard error when the JSON goes to standard output.
[[nodiscard]] std::FILE* summary_stream(const SystemArguments& arguments);

}  // namespace frond
