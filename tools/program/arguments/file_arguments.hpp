// SPDX-License-Identifier: BSD-3-Clause
// Checks the files named on the command line before any work is done for them.
#pragma once

#include <string>
#include <vector>

#include "frond/types.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library is called so
class App;
class Option;
}  // namespace CLI

namespace frond {

struct FileArgument {
  std::string option;  ///< its name in messages, such as "--out"
  std::string path;    ///< empty: not given
};

/// Returns what is wrong with a name, for the command line parser: empty names, as a shell's unset variable makes them; "" if all
/// is well.
[[nodiscard]] std::string refuse_empty_name(const std::string& name);

/// Adds an option that names a file or a directory, or is empty if it is not given.
CLI::Option* add_path(CLI::App& command, const std::string& name, std::string& path, const std::string& help,
                      const std::string& type = "FILE");

/// Throws an OutputError if an output cannot be created, and a UsageError if it would replace an input or another output. Several
/// outputs may share a device or a pipe.
void check_file_arguments(const std::vector<FileArgument>& inputs, const std::vector<FileArgument>& outputs);

/// Throws an OutputError if the file system of an output is known to have less than `bytes` free; an empty path always has enough.
/// The file is written next to an older file of that name.
void check_room(const FileArgument& output, Count bytes);

/// Throws UsageError if two inputs are standard input, or if one is and `is_read_again` (after the loss of a process).
void check_standard_input(const std::vector<FileArgument>& inputs, bool is_read_again);

}  // namespace frond
