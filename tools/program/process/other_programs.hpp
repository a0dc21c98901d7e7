// SPDX-License-Identifier: BSD-3-Clause
// Finds programs installed next to frond, and passes words of command lines on to other programs.
#pragma once

#include <string>
#include <vector>

namespace frond {

/// Returns the words with which this process was called.
[[nodiscard]] std::vector<std::string> own_command_line();

/// Quotes the text so that a shell takes it for one word.
[[nodiscard]] std::string shell_word(const std::string& text);

/// Returns the words as exec() takes them: pointers to them, as long as they live, and a null pointer.
[[nodiscard]] std::vector<char*> pointers_to(std::vector<std::string>& words);

/// Returns its path: in the build folder or where it is installed. Throws UsageError, with `remedy`, if it is in neither place.
[[nodiscard]] std::string program_beside(const std::string& name, const std::string& remedy);

/// Replaces this process by `frond COMMAND` with these arguments, if that is one of the simulator's commands. Throws UsageError if
/// the simulator was not built, and std::system_error if it cannot be run.
[[noreturn]] void become_simulator(const std::string& command, std::vector<std::string> arguments);

}  // namespace frond
