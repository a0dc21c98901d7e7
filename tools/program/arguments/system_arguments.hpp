// SPDX-License-Identifier: BSD-3-Clause
// The command line options that `frond analyze` and `frond solve` share.
#pragma once

#include <string>
#include <vector>

#include "frond/files.hpp"
#include "frond/options.hpp"
#include "tools/program/arguments/command_line.hpp"
#include "tools/program/arguments/file_arguments.hpp"
#include "tools/program/arguments/named_arguments.hpp"

namespace frond {

/// The largest value of --threads.
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
/// Adds those options that control the analysis of a matrix.
void add_analysis_options(CLI::App& command, SystemArguments& arguments);

/// Returns the arguments as words of a command line.
[[nodiscard]] std::vector<std::string> to_words(const SystemArguments& arguments);

/// Returns the solver options that the arguments request. Throws UsageError, InputError.
[[nodiscard]] SolverOptions solver_options(const SystemArguments& arguments);

/// Return the files that the arguments ask to read, and those they ask to write.
[[nodiscard]] std::vector<FileArgument> input_files(const SystemArguments& arguments);
[[nodiscard]] std::vector<FileArgument> output_files(const SystemArguments& arguments);

/// Replaces 0 by the number of cores this process may use.
[[nodiscard]] int resolve_threads(int num_threads);

/// Returns the stream for the summary: standard output, or standard error if the JSON goes to standard output.
[[nodiscard]] std::FILE* summary_stream(const SystemArguments& arguments);

}  // namespace frond
