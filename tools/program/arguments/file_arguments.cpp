// SPDX-License-Identifier: BSD-3-Clause
// Rejects outputs that cannot be written or would destroy something.
#include "tools/program/arguments/file_arguments.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "frond/error.hpp"
#include "matrices/folder_paths.hpp"
#include "solver/options/byte_size.hpp"

namespace frond {
namespace {

bool is_device(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) && !std::filesystem::is_directory(status);
}

std::string folder_of(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

void check_can_be_created(const FileArgument& output) {
  if (output.path == "-") {
    throw UsageError(fmt::format("{}: standard output is for the summary; name a file", output.option));
  }
  if (std::error_code error; std::filesystem::is_directory(output.path, error)) {
    throw OutputError(fmt::format("{}: {} is a directory; name a file", output.option, output.path));
  }
  const std::string folder = folder_of(output.path);
  if (!is_device(output.path) && access(folder.c_str(), W_OK | X_OK) != 0) {
    throw OutputError(fmt::format("{}: no file can be created in the folder {}: {}", output.option, folder, std::strerror(errno)));
  }
}

// A pipe behind /dev/stdin has no canonical name, and is never an output.
bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  const std::filesystem::path path_of_a = std::filesystem::weakly_canonical(a, error);
  const std::filesystem::path path_of_b = error ? std::filesystem::path() : std::filesystem::weakly_canonical(b, error);
  return !is_device(a) && !error && path_of_a == path_of_b;
}

void check_is_not(const FileArgument& output, const FileArgument& other) {
  if (!other.path.empty() && is_same_file(output.path, other.path)) {
    throw UsageError(fmt::format("{} and {} name the same file, {}; give {} another name", output.option, other.option, other.path,
                                 output.option));
  }
}

}  // namespace

std::string refuse_empty_name(const std::string& name) { return name.empty() ? "the name is empty" : ""; }

std::vector<std::filesystem::path> files_in(const std::string& folder,
                                            const std::function<bool(const std::filesystem::path&)>& is_wanted) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  std::error_code unknown;
  std::ranges::copy_if(paths_in(folder, error), std::back_inserter(files), [&](const std::filesystem::path& file) {
    return is_wanted(file) && std::filesystem::is_regular_file(file, unknown);
  });
  if (error) {
    throw InputError(folder, 0, "cannot be read: " + error.message());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void check_room(const FileArgument& output, Count bytes) {
  if (output.path.empty() || is_device(output.path)) {
    return;
  }
  const std::string folder = folder_of(output.path);
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(folder, error);
  const bool is_known = !error && space.capacity > 0 && space.available != static_cast<std::uintmax_t>(-1);
  if (!is_known || static_cast<std::uintmax_t>(bytes) <= space.available) {
    return;
  }
  const std::string what = space.available == 0
                               ? fmt::format("cannot be written: the file system of {} is full", folder)
                               : fmt::format("will take about {}, but the file system of {} has {} left", format_byte_size(bytes),
                                             folder, format_byte_size(static_cast<Count>(space.available)));
  throw OutputError(fmt::format("{}: {} {}; make room, or name another folder", output.option, output.path, what));
}

void check_standard_input(const std::vector<FileArgument>& inputs, bool is_read_again) {
  const auto is_standard = [](const FileArgument& input) { return input.path == "-"; };
  const auto first = std::find_if(inputs.begin(), inputs.end(), is_standard);
  if (first == inputs.end()) {
    return;
  }
  if (is_read_again) {
    throw UsageError(fmt::format("{}: standard input cannot be read again after a process was lost; name a file", first->option));
  }
  if (const auto second = std::find_if(first + 1, inputs.end(), is_standard); second != inputs.end()) {
    throw UsageError(fmt::format("{} and {} are both standard input; name a file for one of them", first->option, second->option));
  }
}

void check_file_arguments(const std::vector<FileArgument>& inputs, const std::vector<FileArgument>& outputs) {
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    if (outputs[k].path.empty()) {
      continue;
    }
    check_can_be_created(outputs[k]);
    check_room(outputs[k], 1);
    for (const FileArgument& input : inputs) {
      check_is_not(outputs[k], input);
    }
    for (std::size_t other = 0; other < k; ++other) {
      check_is_not(outputs[k], outputs[other]);
    }
  }
}

}  // namespace frond
