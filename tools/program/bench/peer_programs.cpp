// SPDX-License-Identifier: BSD-3-Clause
// Finds the adapters next to the running program: where the build puts them, or where they are installed.
#include "tools/program/bench/peer_programs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <tuple>

#include "frond/error.hpp"
#include "matrices/folder_paths.hpp"

namespace frond {
namespace {

namespace fs = std::filesystem;

constexpr std::array<MissingPeer, 9> kKnownPeers = {{{"mumps", "libmumps-seq-dev"},
                                                     {"mumps_mpi", "libmumps-dev"},
                                                     {"cholmod", "libsuitesparse-dev"},
                                                     {"umfpack", "libsuitesparse-dev"},
                                                     {"klu", "libsuitesparse-dev"},
                                                     {"superlu", "libsuperlu-dev"},
                                                     {"superlu_dist", "libsuperlu-dist-dev"},
                                                     {"eigen", "libeigen3-dev"},
                                                     {"frond_mpi", "libmpich-dev"}}};

bool is_program(const fs::path& path) {
  std::error_code unknown;
  return fs::is_regular_file(path, unknown) && access(path.c_str(), X_OK) == 0;
}

std::vector<fs::path> adapter_folders() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  return {folder / "peers", folder.parent_path() / "libexec" / "frond" / "peers"};
}

// Returns the adapters in the first folder that exists, Frond's own first.
std::vector<PeerProgram> built_peers() {
  const std::vector<fs::path> folders = adapter_folders();
  std::error_code error;
  const auto folder =
      std::find_if(folders.begin(), folders.end(), [&error](const fs::path& path) { return fs::is_directory(path, error); });
  std::vector<PeerProgram> programs;
  if (folder != folders.end()) {
    for (const fs::path& file : paths_in(folder->string(), error)) {
      if (is_program(file)) {
        programs.push_back({file.filename().string(), file.string()});
      }
    }
  }
  std::sort(programs.begin(), programs.end(), [](const PeerProgram& a, const PeerProgram& b) {
    return std::make_tuple(!a.is_frond(), a.name) < std::make_tuple(!b.is_frond(), b.name);
  });
  if (programs.empty() || programs.front().name != "frond") {
    throw UsageError(fmt::format("the adapters of the benchmark are neither in {} nor in {}: build or install Frond as a whole",
                                 folders[0].string(), folders[1].string()));
  }
  return programs;
}

bool has_program(const std::vector<PeerProgram>& programs, std::string_view name) {
  return std::any_of(programs.begin(), programs.end(), [name](const PeerProgram& program) { return program.name == name; });
}

bool is_known(std::string_view name) {
  return std::any_of(kKnownPeers.begin(), kKnownPeers.end(), [name](const MissingPeer& peer) { return peer.name == name; });
}

PeerProgram parse_addition(const std::string& text, const std::vector<PeerProgram>& others) {
  const std::size_t sign = text.find('=');
  if (sign == 0 || sign == std::string::npos || !is_program(text.substr(sign + 1))) {
    throw UsageError(fmt::format("--peer {}: must be NAME=EXECUTABLE with a program that exists", text));
  }
  if (has_program(others, text.substr(0, sign))) {
    throw UsageError(fmt::format("--peer {}: there is a peer of this name already; give it another", text));
  }
  return {text.substr(0, sign), fs::absolute(text.substr(sign + 1)).string()};
}

}  // namespace

PeerSelection select_peers(const std::vector<std::string>& names, const std::vector<std::string>& additions) {
  PeerSelection selection{built_peers(), {}};
  const bool takes_all = names == std::vector<std::string>{"all"};
  const auto is_wanted = [&](std::string_view name) {
    return takes_all || std::find(names.begin(), names.end(), name) != names.end();
  };
  if (!takes_all && names != std::vector<std::string>{"none"}) {
    for (const std::string& name : names) {
      if (!is_known(name) && !has_program(selection.programs, name)) {
        throw UsageError(fmt::format("--peers: there is no peer '{}'; all, none, or names of this program's adapters", name));
      }
    }
  }
  std::copy_if(kKnownPeers.begin(), kKnownPeers.end(), std::back_inserter(selection.missing),
               [&](const MissingPeer& peer) { return is_wanted(peer.name) && !has_program(selection.programs, peer.name); });
  std::erase_if(selection.programs, [&](const PeerProgram& program) { return !program.is_frond() && !is_wanted(program.name); });
  for (const std::string& addition : additions) {
    selection.programs.push_back(parse_addition(addition, selection.programs));
  }
  return selection;
}

}  // namespace frond
