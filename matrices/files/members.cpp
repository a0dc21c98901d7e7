// SPDX-License-Identifier: BSD-3-Clause
// Classifies the names of files in archives.
#include "matrices/files/members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "frond/error.hpp"

namespace frond {
namespace {

std::string_view without_folders(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

std::string_view folder_of(std::string_view path) {
  const std::size_t end = path.find_last_of('/');
  return end == std::string_view::npos ? std::string_view() : without_folders(path.substr(0, end));
}

// "A" of "A.tar.gz"
std::string_view stem(std::string_view path) {
  const std::string_view name = without_folders(path);
  return name.substr(0, std::min(name.find('.', 1), name.size()));
}

std::string lower_extension(std::string_view path) {
  const std::string_view name = without_folders(path);
  std::string extension(name.substr(std::min(name.find_last_of('.'), name.size())));
  std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char c) { return std::tolower(c); });
  return extension;
}

// True for the extensions of Matrix Market, Harwell-Boeing (which contain the type of the matrix) and Rutherford-Boeing.
bool has_text_name(std::string_view name) {
  constexpr std::array kExtensions = {".mtx", ".mm", ".hb", ".rb"};
  const std::string extension = lower_extension(name);
  const bool has_type = extension.size() == 4 && std::string_view("rcpi").find(extension[1]) != std::string_view::npos &&
                        std::string_view("suhzr").find(extension[2]) != std::string_view::npos && extension[3] == 'a';
  return !without_folders(name).starts_with('.') &&
         (has_type || std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end());
}

// True for a member of an archive that may be a matrix, NumPy arrays included.
bool may_be_matrix(const std::string& name) {
  return has_text_name(name) || (!without_folders(name).starts_with('.') && lower_extension(name) == ".npy");
}

bool belongs_to(std::string_view name, std::string_view other) {
  return stem(name).size() > stem(other).size() && stem(name).starts_with(std::string(stem(other)) + "_");
}

// Returns the only name that passes the test, or nothing.
template <class Test>
std::string only_one(const std::vector<std::string>& names, const Test& test) {
  const auto found = std::find_if(names.begin(), names.end(), test);
  return found != names.end() && std::none_of(found + 1, names.end(), test) ? *found : std::string();
}

}  // namespace

std::string_view without_packing(std::string_view name) {
  constexpr std::array<std::string_view, 4> kPackings = {".gz", ".xz", ".bz2", ".zst"};
  const auto found = std::find_if(kPackings.begin(), kPackings.end(), [name](std::string_view end) { return name.ends_with(end); });
  return name.substr(0, name.size() - (found == kPackings.end() ? 0 : found->size()));
}

bool has_matrix_name(std::string_view path) {
  constexpr std::array kArchives = {".tar", ".tgz", ".zip", ".npz"};
  const std::string_view name = without_packing(without_folders(path));
  return has_text_name(name) ||
         (!name.starts_with('.') && std::find(kArchives.begin(), kArchives.end(), lower_extension(name)) != kArchives.end());
}

SystemMembers find_system(const std::vector<std::string>& names, const std::string& file) {
  std::vector<std::string> candidates;
  std::copy_if(names.begin(), names.end(), std::back_inserter(candidates), may_be_matrix);
  SystemMembers members;
  if (names.size() == 1) {
    members.matrix = names.front();
  } else if (candidates.size() == 1) {
    members.matrix = candidates.front();
  } else {
    members.matrix = only_one(candidates, [&file](const std::string& name) { return stem(name) == stem(file); });
  }
  if (members.matrix.empty()) {
    members.matrix = only_one(candidates, [](const std::string& name) { return stem(name) == folder_of(name); });
  }
  if (members.matrix.empty()) {
    members.matrix = only_one(candidates, [&candidates](const std::string& name) {
      return std::none_of(candidates.begin(), candidates.end(),
                          [&name](const std::string& other) { return belongs_to(name, other); });
    });
  }
  if (names.empty()) {
    throw InputError(file, 0, "the archive has no files");
  }
  if (members.matrix.empty()) {
    constexpr std::size_t kMostNamed = 10;
    const std::vector<std::string>& named = candidates.empty() ? names : candidates;
    throw InputError(
        file, 0,
        fmt::format("which of the {} files of this archive is the matrix? Unpack it, and give that one: {}{}", names.size(),
                    fmt::join(named.begin(), named.begin() + static_cast<std::ptrdiff_t>(std::min(named.size(), kMostNamed)), ", "),
                    named.size() > kMostNamed ? ", ..." : ""));
  }
  members.right_sides =
      only_one(candidates, [&members](const std::string& name) { return stem(name) == std::string(stem(members.matrix)) + "_b"; });
  return members;
}

}  // namespace frond
