// SPDX-License-Identifier: BSD-3-Clause
// Directories, and the processes that are started.
#include "tools/solve/surviving_solve.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "frond/error.hpp"
#include "tools/solve/stop_sources.hpp"
#include "tools/solve/survivor_processes.hpp"

namespace frond {
namespace {

namespace fs = std::filesystem;

/// A directory of this run alone, for addresses and records; removed when the run has ended.
class RunDirectory {
 public:
  /// In `parent`, or if that is empty in the memory of this machine.
  explicit RunDirectory(const std::string& parent) {
    path_ = (!parent.empty() ? parent : fs::exists("/dev/shm") ? "/dev/shm" : fs::temp_directory_path().string()) + "/frond-XXXXXX";
    if (mkdtemp(path_.data()) == nullptr) {
      throw OutputError(
          fmt::format("{}: no directory can be made there for the processes that solve together: {}", path_, std::strerror(errno)));
    }
  }
  ~RunDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// By themselves all processes of a launcher have come to the same name.
std::string directory_below_launcher(const SolveArguments& arguments, const Launch& launch) {
  if (!arguments.ranks.arbiter.empty()) {
    return arguments.ranks.arbiter;
  }
  const char* num_local = std::getenv("MPI_LOCALNRANKS");
  if (num_local == nullptr || std::atoi(num_local) != launch.num_ranks) {
    throw UsageError(
        "--survive below a launcher, on several machines: name a new directory that all of them see by --arbiter DIR, where "
        "processes agree on who goes on");
  }
  // The launcher's process, and when it was started: numbers of processes come again.
  std::ifstream file(fmt::format("/proc/{}/stat", getppid()));
  const std::string stat{std::istreambuf_iterator<char>(file), {}};
  std::istringstream words(stat.substr(std::min(stat.size(), stat.rfind(')') + 1)));
  constexpr int kStartTime = 20;  // words behind the name
  std::string word;
  for (int k = 0; k < kStartTime; ++k) {
    words >> word;
  }
  return fmt::format("/dev/shm/frond-{}-{}-{}", getuid(), getppid(), word);
}

void check_survival(const SolveArguments& arguments, const Launch& launch) {
  if (!launch.is_by_mpich && arguments.ranks.num_processes == 1) {
    throw UsageError("--survive: a process alone survives nobody; start several by --processes P");
  }
  if (!(arguments.ranks.heartbeat_limit_seconds > 0)) {
    throw UsageError("--survive: processes are only lost after some time of silence: --heartbeat-limit above 0");
  }
}

}  // namespace

ExitCode become_mpi_processes(const SolveArguments& arguments) {
  std::vector<std::string> words = {"mpiexec.mpich", "-n", std::to_string(arguments.ranks.num_processes), "/proc/self/exe"};
  std::error_code ignored;
  words.back() = fs::read_symlink("/proc/self/exe", ignored).string();
  const std::vector<std::string> own = own_command_line();
  for (std::size_t k = 1; k < own.size(); ++k) {
    if (own[k] == "--processes") {
      ++k;  // and its number
    } else if (!own[k].starts_with("--processes=")) {
      words.push_back(own[k]);
    }
  }
  std::vector<char*> pointers;
  std::transform(words.begin(), words.end(), std::back_inserter(pointers), [](std::string& word) { return word.data(); });
  pointers.push_back(nullptr);
  execvp(pointers.front(), pointers.data());
  throw UsageError(
      fmt::format("--processes: mpiexec.mpich cannot be called: {}; on Debian: apt install mpich", std::strerror(errno)));
}

ExitCode run_surviving_solve(const SolveArguments& arguments, const Launch& launch) {
  check_survival(arguments, launch);
  if (launch.is_by_mpich) {
    const SurvivorPlace place{launch.rank, launch.num_ranks, directory_below_launcher(arguments, launch)};
    fs::create_directories(place.directory);
    const std::shared_ptr<const SurvivorPlace> cleaned(launch.rank == 0 ? &place : nullptr, [](const SurvivorPlace* first) {
      if (first != nullptr) {
        remove_when_all_are_gone(*first);
      }
    });
    return start_survivors({place});
  }
  const RunDirectory directory(arguments.ranks.arbiter);
  std::vector<SurvivorPlace> places;
  places.reserve(static_cast<std::size_t>(arguments.ranks.num_processes));
  for (Rank rank = 0; rank < arguments.ranks.num_processes; ++rank) {
    places.push_back({rank, arguments.ranks.num_processes, directory.path()});
  }
  return start_survivors(places);
}

}  // namespace frond
