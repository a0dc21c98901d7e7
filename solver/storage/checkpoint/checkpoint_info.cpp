// SPDX-License-Identifier: BSD-3-Clause
// Counts what the logs contain.
#include "solver/storage/checkpoint/checkpoint_info.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "analysis/tree/front_cost.hpp"
#include "frond/error.hpp"
#include "matrices/folder_paths.hpp"
#include "solver/storage/checkpoint/checkpoint_directory.hpp"
#include "solver/storage/checkpoint/found_fronts.hpp"
#include "solver/storage/saved/saved_factors.hpp"

namespace frond {
namespace {

namespace fs = std::filesystem;

// Excludes space that was released as holes.
Count bytes_on_disk(const fs::path& folder) {
  Count bytes = 0;
  std::error_code error;
  for (const fs::path& file : paths_in(folder.string(), error)) {
    struct stat status {};
    if (stat(file.c_str(), &status) == 0) {
      constexpr Count kBlockBytes = 512;  // independent of the file system
      bytes += kBlockBytes * status.st_blocks;
    }
  }
  return bytes;
}

double flops_of(const AssemblyTree& tree, Method method, const std::vector<char>& nodes) {
  double flops = 0;
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    flops += nodes[node] != 0 ? front_cost(tree, node, method).flops : 0;
  }
  return flops;
}

std::string to_string(const AttemptOutcome& outcome) {
  return outcome.gave_up ? outcome.gave_up->what() : "the matrix is not positive definite";
}

// Sorted by name.
std::vector<fs::path> folders_in(const std::string& path) {
  std::error_code error;
  std::vector<fs::path> folders = paths_in(path, error);
  if (error) {
    throw InputError(path, 0, "cannot be read: " + error.message());
  }
  std::erase_if(folders, [](const fs::path& found) {
    std::error_code unknown;
    return !fs::is_directory(found, unknown);
  });
  std::sort(folders.begin(), folders.end());
  return folders;
}

// Refuses a directory of fronts without the description of their system.
void require_empty(const std::string& path) {
  for (const fs::path& folder : folders_in(path)) {
    if (folder.filename() != "lost+found") {
      throw InputError(path, 0, "has lost the file 'system', which says what it is of: nobody can go on from it");
    }
  }
}

void count_fronts(const fs::path& folder, std::uint64_t key, const AssemblyTree& tree, Method method, AttemptInfo& info) {
  if (read_num_fronts(folder.string()) != tree.num_nodes()) {
    info.is_of_another_analysis = true;  // one is of the whole matrix, the other of its blocks
    return;
  }
  const FoundFronts found(tree, folder.string(), key);
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    if (found.has(node)) {
      found.version(node).factor.log->check_length(*found.version(node).factor.piece);
    }
    if (found.needs_block(node) && found.version(node).block.log != nullptr) {
      found.version(node).block.log->check_length(*found.version(node).block.piece);
    }
  }
  info.run = found.list().run;
  info.list = found.list().number;
  info.num_fronts = found.num_fronts();
  info.flops = flops_of(tree, method, found.nodes());
}

AttemptInfo read_attempt(const fs::path& folder, std::uint64_t key, const AssemblyTree& tree, Method method) {
  AttemptInfo info;
  info.about = read_about(folder.string());
  info.bytes_on_disk = bytes_on_disk(folder);
  if (const std::optional<AttemptOutcome> outcome = read_outcome(folder.string(), tree.num_variables())) {
    info.outcome = to_string(*outcome);
    return info;
  }
  try {
    count_fronts(folder, key, tree, method, info);
  } catch (const InputError& error) {
    info.damage = error.what();
  }
  return info;
}

}  // namespace

CheckpointInfo read_checkpoint_info(const std::string& path) {
  CheckpointInfo info;
  info.is_in_use = is_in_use(path);
  std::error_code error;
  info.is_begun = fs::exists(path + "/system", error);
  if (!info.is_begun) {
    require_empty(path);
    return info;
  }
  SavedFileReader file({path + "/system"});
  info.system = read_system(file);
  const std::shared_ptr<const Symbolic> symbolic = saved_analysis(file.path(), info.system, read_symbolic(file));
  file.expect_end();
  const AssemblyTree& tree = symbolic->tree();
  const Method method = info.system.report.method;
  info.order = symbolic->order();
  info.num_entries = symbolic->num_entries();
  info.num_fronts = tree.num_nodes();
  info.flops = flops_of(tree, method, std::vector<char>(static_cast<std::size_t>(tree.num_nodes()), 1));
  for (const fs::path& folder : folders_in(path)) {
    const std::string name = folder.filename().string();
    std::uint64_t key = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), key, 16).ptr == name.data() + name.size()) {
      info.attempts.push_back(read_attempt(folder, key, tree, method));
    }
  }
  return info;
}

}  // namespace frond
