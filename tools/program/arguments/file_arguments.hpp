// SPDX-License-Identifier: BSD-3-Clause
// Checks the files named on the command line before any work is done for them.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "frond/types.hpp"

namespace frond {

struct FileArgument {
  std::string option;  ///< its name in messages, such as "--out"
  std::string path;    ///< empty: not given
};

/// Returns what is wrong with a name, for the command line parser: empty names, as a shell's unset variable makes them; "" if all
/// is well.
[[nodiscard]] std::string refuse_empty_name(const std::string& name);

/// Returns the paths of the regular files in a folder that are wanted, in order. Throws InputError if it cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> files_in(const std::string& folder,
                                                          const std::function<bool(const std::filesystem::path&)>& is_wanted);

/// Throws an OutputError if an output cannot be created, and a UsageError if it would replace an input or another output. Several
/// outputs may share a device or a pipe.
void check_file_arguments(const std::vector<FileArgument>& inputs, const std::vector<FileArgument>& outputs);

/// Throws an OutputError if the file system of an output is known to have less than `bytes` free; an empty path always has enough.
/// The file is written next to an older file of that name.
void check_room(const FileArgument& output, Count bytes);

/// Throws UsageError if two inputs are standard input, or if one is and `is_read_again` (after the loss of a process).
void check_standard_input(const std::vector<FileArgument>& inputs, bool is_read_again);

}  // namespace frond
