// SPDX-License-Identifier: BSD-3-Clause
// Starting, watching and ending children.
#include "tools/solve/survivor_processes.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>

#include "frond/error.hpp"
#include "loadinfo/ranks/arbiter.hpp"
#include "matrices/steady_clock.hpp"
#include "tools/process/program_beside.hpp"
#include "tools/solve/stop_sources.hpp"

namespace frond {
namespace {

constexpr const char* kPlaceVariable = "FROND_SURVIVOR";  // RANK/RANKS/one|several/DIRECTORY
constexpr const char* kOneMachine = "one";
constexpr const char* kSeveralMachines = "several";
constexpr int kEndedBySignal = 128;
constexpr double kGraceSeconds = 2;  // for who has heard of the end to end

std::atomic<int> g_signal_to_pass_on = 0;
void note_signal(int number) { g_signal_to_pass_on = number; }

/// A child in its place.
struct Child {
  SurvivorPlace place;
  pid_t process = -1;
  bool has_ended = false;
};

// Words and variables that outlive fork() and exec().
class Image {
 public:
  explicit Image(const SurvivorPlace& place)
      : program_(program_beside("frond-survivor", "build frond again")), words_(own_command_line()) {
    for (char** variable = environ; *variable != nullptr; ++variable) {
      // A launcher's are for the parent.
      const std::string_view text(*variable);
      if (!text.starts_with("PMI_") && !text.starts_with("MPI_LOCAL") && !text.starts_with("HYDI_") &&
          !text.starts_with(kPlaceVariable)) {
        variables_.emplace_back(text);
      }
    }
    variables_.push_back(fmt::format("{}={}/{}/{}/{}", kPlaceVariable, place.rank, place.num_ranks,
                                     place.is_one_machine ? kOneMachine : kSeveralMachines, place.directory));
    for (std::string& word : words_) {
      word_pointers_.push_back(word.data());
    }
    for (std::string& variable : variables_) {
      variable_pointers_.push_back(variable.data());
    }
    word_pointers_.push_back(nullptr);
    variable_pointers_.push_back(nullptr);
  }

  // In a child: nothing is allocated any more.
  [[noreturn]] void run() {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // NOLINT(cppcoreguidelines-pro-type-vararg): Linux
    if (getppid() != parent_) {
      _exit(127);  // the parent was gone before that
    }
    execve(program_.c_str(), word_pointers_.data(), variable_pointers_.data());
    _exit(127);
  }

 private:
  pid_t parent_ = getpid();
  std::string program_;
  std::vector<std::string> words_;
  std::vector<std::string> variables_;
  std::vector<char*> word_pointers_;
  std::vector<char*> variable_pointers_;
};

// Children that have ended since this was called last. Others may have been lost with their machines.
void take_ends(std::vector<Child>& children) {
  for (Child& child : children) {
    int status = 0;
    if (!child.has_ended && waitpid(child.process, &status, WNOHANG) == child.process) {
      child.has_ended = true;
      Arbiter(child.place.directory).note_gone(child.place.rank);
    }
  }
}

void kill_all(const std::vector<Child>& children, int signal) {
  for (const Child& child : children) {
    if (!child.has_ended) {
      kill(child.process, signal);
    }
  }
}

bool is_gone(const SurvivorPlace& place, Rank rank) { return Arbiter(place.directory).is_gone(rank); }

// The last record that there is.
class Records {
 public:
  explicit Records(const std::string& directory) : arbiter_(directory) {}

  [[nodiscard]] const std::optional<SurvivalRecord>& look() {
    while (std::optional<SurvivalRecord> next = arbiter_.find(last_ ? last_->number + 1 : 1)) {
      last_ = std::move(next);
      if (last_->end_code) {
        break;
      }
    }
    return last_;
  }

 private:
  Arbiter arbiter_;
  std::optional<SurvivalRecord> last_;
};

ExitCode conclude(const SurvivalRecord& end, const std::vector<SurvivorPlace>& places) {
  for (const SurvivorPlace& place : places) {
    std::ifstream said(output_file(place.directory, end.number - 1, place.rank), std::ios::binary);
    if (place.rank == end.members.front() && said.is_open() && said.peek() != std::ifstream::traits_type::eof()) {
      std::cout << said.rdbuf() << std::flush;
    }
  }
  return static_cast<ExitCode>(*end.end_code);
}

}  // namespace

SurvivorPlace own_survivor_place() {
  const char* text = std::getenv(kPlaceVariable);
  std::istringstream words(text == nullptr ? "" : text);
  SurvivorPlace place;
  char slash = 0;
  std::string machines;
  if (!(words >> place.rank >> slash >> place.num_ranks >> slash) || !std::getline(words, machines, '/') ||
      !std::getline(words, place.directory)) {
    throw UsageError("this program is started by frond solve --survive");
  }
  place.is_one_machine = machines == kOneMachine;
  return place;
}

std::string output_file(const std::string& directory, Index attempt, Rank rank) {
  return fmt::format("{}/output.{}.{}", directory, attempt, rank);
}

ExitCode start_survivors(const std::vector<SurvivorPlace>& places) {
  std::vector<Child> children;
  for (const SurvivorPlace& place : places) {
    Image image(place);
    const pid_t process = fork();
    if (process < 0) {
      kill_all(children, SIGKILL);
      throw std::system_error(errno, std::generic_category(), "a process cannot be started");
    }
    if (process == 0) {
      image.run();
    }
    children.push_back({place, process, false});
  }
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGUSR2}) {
    std::signal(number, note_signal);
  }
  const SurvivorPlace& first = places.front();
  Records records(first.directory);
  double end_seconds = 0;
  int passed_on = 0;
  for (;;) {
    if (const int number = g_signal_to_pass_on.exchange(0); number != 0) {
      passed_on = number;
      kill_all(children, number == SIGINT ? 0 : number);  // Ctrl-C reaches them anyway
    }
    take_ends(children);
    const std::optional<SurvivalRecord>& record = records.look();
    const double now = steady_seconds();
    const bool has_ended = record && record->end_code;
    end_seconds = has_ended && end_seconds == 0 ? now : end_seconds;
    const bool is_over = has_ended && now - end_seconds > kGraceSeconds;
    for (const Child& child : children) {
      const bool has_a_part = !record || std::binary_search(record->members.begin(), record->members.end(), child.place.rank);
      if (!child.has_ended && (!has_a_part || is_over)) {
        kill(child.process, SIGKILL);
      }
    }
    const bool have_all_ended = std::all_of(children.begin(), children.end(), [](const Child& child) { return child.has_ended; });
    if (have_all_ended && has_ended) {
      return conclude(*record, places);
    }
    bool is_anybody_left = !have_all_ended;
    for (Rank rank = 0; rank < first.num_ranks && !is_anybody_left; ++rank) {
      is_anybody_left = !is_gone(first, rank);
    }
    if (!is_anybody_left) {
      if (const std::optional<SurvivalRecord>& last = records.look(); last && last->end_code) {
        return conclude(*last, places);
      }
      if (passed_on != 0) {
        return static_cast<ExitCode>(kEndedBySignal + passed_on);  // as shells have it
      }
      throw CommunicationError("all processes are gone, and none has come to an end");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

// Not by the ends of processes: what they have said is read after these.
void leave_directory(const SurvivorPlace& place) {
  constexpr double kMostSeconds = 5;
  const auto mark_of = [&place](Rank rank) { return fmt::format("{}/left.{}", place.directory, rank); };
  std::ofstream(mark_of(place.rank)).flush();
  const double begin = steady_seconds();
  for (Rank rank = 0; rank < place.num_ranks && place.rank == 0; ++rank) {
    while (!std::filesystem::exists(mark_of(rank)) && steady_seconds() - begin < kMostSeconds) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  if (place.rank == 0) {
    std::error_code ignored;
    std::filesystem::remove_all(place.directory, ignored);
  }
}

}  // namespace frond
