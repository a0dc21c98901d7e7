// SPDX-License-Identifier: BSD-3-Clause
// Makes the directories, and starts the processes.
#include "tools/program/solve/surviving_solve.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
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
#include "tools/program/process/folder_hold.hpp"
#include "tools/program/process/other_programs.hpp"
#include "tools/program/process/temporary_folder.hpp"
#include "tools/program/solve/survival.hpp"

namespace frond {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolderName = "frond-survivors";  // prefix of the names

// Returns the place for data shared by processes of this machine.
std::string shared_memory() { return access("/dev/shm", F_OK) == 0 ? "/dev/shm" : folder_for_temporaries(); }

// Copies in the folder belong to this user only.
void make_private_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error) {
    fs::permissions(path, fs::perms::owner_all, error);
  }
  if (error) {
    throw OutputError(fmt::format("{}: cannot be created: {}", path, error.message()));
  }
}

bool is_one_machine(const Launch& launch) { return launch.num_local == launch.num_ranks; }

// Names the parent process with its start time: process ids are reused.
std::string name_of_parent() {
  std::ifstream file(fmt::format("/proc/{}/stat", getppid()));
  const std::string stat{std::istreambuf_iterator<char>(file), {}};
  std::istringstream words(stat.substr(std::min(stat.size(), stat.rfind(')') + 1)));
  constexpr int kStartTime = 20;  // words after the name
  std::string word;
  for (int k = 0; k < kStartTime; ++k) {
    words >> word;
  }
  return fmt::format("{}-{}-{}", getuid(), getppid(), word);
}

// All processes of a launcher compute the same directory independently.
std::string directory_below_launcher(const std::string& arbiter, const Launch& launch) {
  if (is_one_machine(launch)) {
    return fmt::format("{}/{}-{}", arbiter.empty() ? shared_memory() : arbiter, kFolderName, name_of_parent());
  }
  if (arbiter.empty()) {
    throw UsageError(
        "--survive below a launcher, on several machines: name a directory that all of them see by --arbiter DIR, where processes "
        "agree on who goes on");
  }
  std::string directory = fmt::format("{}/{}", arbiter, kFolderName);
  const auto exists = [&directory](const std::string& name) { return access((directory + "/" + name).c_str(), F_OK) == 0; };
  if (exists(fmt::format("gone.{}", launch.rank)) || exists("record.1")) {
    throw UsageError(fmt::format("--arbiter {}: another run has left {}: remove it", arbiter, directory));
  }
  return directory;
}

}  // namespace

void check_survival(const RanksArguments& arguments, const Launch& launch) {
  if (!launch.is_by_mpich && arguments.num_processes == 1) {
    throw UsageError("--survive: a process alone survives nobody; start several by --processes P");
  }
  if (!(arguments.heartbeat_limit_seconds > 0)) {
    throw UsageError("--survive: processes are only lost after some time of silence: --set heartbeat-limit above 0");
  }
}

ExitCode become_mpi_processes(const SolveArguments& arguments) {
  std::vector<std::string> words = {"mpiexec.mpich", "-n", std::to_string(arguments.ranks.num_processes), "/proc/self/exe"};
  std::error_code ignored;
  words.back() = fs::read_symlink("/proc/self/exe", ignored).string();
  const std::vector<std::string> own = own_command_line();
  for (std::size_t k = 1; k < own.size(); ++k) {
    if (own[k] == "--processes") {
      ++k;  // followed by its number
    } else if (!own[k].starts_with("--processes=")) {
      words.push_back(own[k]);
    }
  }
  execvp(words.front().c_str(), pointers_to(words).data());
  throw UsageError(
      fmt::format("--processes: mpiexec.mpich cannot be called: {}; on Debian: apt install mpich", std::strerror(errno)));
}

SurvivorsEnd run_survivors(const RanksArguments& arguments, const Launch& launch, const std::function<bool(Rank)>& is_needed) {
  remove_abandoned_folders(shared_memory(), kFolderName);
  const std::string& arbiter = arguments.arbiter;
  if (launch.is_by_mpich) {
    const SurvivorPlace place{launch.rank, launch.num_ranks, directory_below_launcher(arbiter, launch), is_one_machine(launch)};
    make_private_folder(place.directory);
    const FolderHold hold(place.directory);
    const std::shared_ptr<const SurvivorPlace> left(&place, [](const SurvivorPlace* mine) { leave_directory(*mine); });
    return start_survivors({place}, is_needed);
  }
  const TemporaryFolder folder("survivors", arbiter.empty() ? shared_memory() : arbiter);
  const FolderHold hold(folder.path());
  std::vector<SurvivorPlace> places;
  places.reserve(static_cast<std::size_t>(arguments.num_processes));
  for (Rank rank = 0; rank < arguments.num_processes; ++rank) {
    places.push_back({rank, arguments.num_processes, folder.path()});
  }
  return start_survivors(places, is_needed);
}

ExitCode run_surviving_solve(const SolveArguments& arguments, const Launch& launch) {
  const Protection protection = protection_of(arguments);
  check_survival(arguments.ranks, launch);
  if (launch.is_by_mpich && !is_one_machine(launch) && protection == Protection::copies) {
    throw UsageError("--survive=copies is for processes of one machine; use --checkpoint DIR on a disk that all of them share");
  }
  return run_survivors(arguments.ranks, launch).code;
}

}  // namespace frond
