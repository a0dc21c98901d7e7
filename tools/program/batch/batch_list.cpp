// SPDX-License-Identifier: BSD-3-Clause
// Reads the lines of a list, or the names in a folder.
#include "tools/program/batch/batch_list.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>

#include "frond/error.hpp"
#include "matrices/files/members.hpp"
#include "tools/program/arguments/file_arguments.hpp"

namespace frond {
namespace {

namespace fs = std::filesystem;

std::vector<BatchItem> matrices_in(const std::string& folder) {
  std::vector<BatchItem> items;
  for (const fs::path& file : files_in(folder, [](const fs::path& path) { return has_matrix_name(path.filename().string()); })) {
    items.push_back({file.string(), ""});
  }
  return items;
}

}  // namespace

std::vector<BatchItem> read_batch_list(const std::string& path) {
  std::vector<BatchItem> items;
  if (std::error_code unknown; fs::is_directory(path, unknown)) {
    items = matrices_in(path);
    if (items.empty()) {
      throw InputError(path, 0, "has no matrices: files .mtx, .rb, .npz and the like, plain or packed");
    }
    return items;
  }
  std::ifstream file(path);
  if (!file) {
    throw InputError(path, 0, "cannot be opened; a batch is a list of files, or a folder of matrices");
  }
  const fs::path folder = fs::path(path).parent_path();
  std::string line;
  for (std::int64_t number = 1; std::getline(file, line); ++number) {
    std::istringstream words(line);
    std::string matrix;
    std::string rhs;
    std::string more;
    if (!(words >> std::quoted(matrix)) || matrix.front() == '#') {
      continue;
    }
    words >> std::quoted(rhs);
    if (words >> more) {
      throw InputError(path, number, "has a third name, '" + more + "': a matrix and its right-hand sides are expected");
    }
    items.push_back({(folder / matrix).string(), rhs.empty() ? "" : (folder / rhs).string()});
  }
  if (items.empty()) {
    throw InputError(path, 0, "names no matrix");
  }
  return items;
}

}  // namespace frond
