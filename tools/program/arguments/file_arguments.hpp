// SPDX-License-Identifier: BSD-3-Clause
// Files named on the command line, checked before any work is done for them.
#pragma once

#include <string>
#include <vector>

#include "frond/types.hpp"

namespace frond {

struct FileArgument {
  std::string option;  ///< as messages call it, such as "--out"
  std::string path;    ///< empty: not given
};

/// What is wrong with a name, in words for the command line parser: "" unless it is empty, as a shell's unset variable makes it.
[[nodiscard]] std::string refuse_empty_name(const std::string& name);

/// Throws an OutputError when an output cannot be created, and a UsageError when it would replace an input or another output.
/// Devices and pipes may be written by several.
void check_file_arguments(const std::vector<FileArgument>& inputs, const std::vector<FileArgument>& outputs);

/// Throws an OutputError where the file system of an output is known to have less room than that; an empty path has enough. What is
/// written is written beside an older file of that name.
void check_room(const FileArgument& output, Count bytes);

/// Throws UsageError where two inputs are standard input, or one is that `is_read_again`, after the loss of a process.
void check_standard_input(const std::vector<FileArgument>& inputs, bool is_read_again);

}  // namespace frond
