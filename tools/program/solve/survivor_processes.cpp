// SPDX-License-Identifier: BSD-3-Clause
// Starts, watches and ends child processes.
#include "tools/program/solve/survivor_processes.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>

#include "frond/error.hpp"
#include "loadinfo/messages/ranks/arbiter.hpp"
#include "matrices/steady_clock.hpp"
#include "tools/program/process/other_programs.hpp"

namespace frond {
namespace {

constexpr const char* kPlaceVariable = "FROND_SURVIVOR";  // RANK/RANKS/one|several/DIRECTORY
constexpr const char* kOneMachine = "one";
constexpr const char* kSeveralMachines = "several";
constexpr int kEndedBySignal = 128;
constexpr double kGraceSeconds = 2;  // for processes that have learned of the end to exit

std::atomic<int> g_signal_to_pass_on = 0;
void note_signal(int number) { g_signal_to_pass_on = number; }

/// A child process and its place.
struct Child {
  SurvivorPlace place;
  pid_t process = -1;
  bool has_ended = false;
  bool is_killed = false;  // by this process
  bool is_lost = false;    // it has ended abnormally
};

// Arguments and environment that outlive fork() and exec().
class Image {
 public:
  explicit Image(const SurvivorPlace& place)
      : program_(program_beside("frond-survivor", "build frond again")), words_(own_command_line()) {
    for (char** variable = environ; *variable != nullptr; ++variable) {
      // The launcher's variables are for the parent only.
      const std::string_view text(*variable);
      if (!text.starts_with("PMI_") && !text.starts_with("MPI_LOCAL") && !text.starts_with("HYDI_") &&
          !text.starts_with(kPlaceVariable)) {
        variables_.emplace_back(text);
      }
    }
    variables_.push_back(fmt::format("{}={}/{}/{}/{}", kPlaceVariable, place.rank, place.num_ranks,
                                     place.is_one_machine ? kOneMachine : kSeveralMachines, place.directory));
    word_pointers_ = pointers_to(words_);
    variable_pointers_ = pointers_to(variables_);
  }

  // Runs in a child: nothing may be allocated any more.
  [[noreturn]] void run() {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // NOLINT(cppcoreguidelines-pro-type-vararg): Linux
    if (getppid() != parent_) {
      _exit(127);  // the parent was gone before the call
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

// Exit codes that cannot be those of the run.
bool is_code_of_the_lost(int code) {
  constexpr int kNotStarted = 127;
  return code == kNotStarted || code == static_cast<int>(ExitCode::process_lost) || code == static_cast<int>(ExitCode::fenced);
}

// Takes the children that have ended since the last call. Others may have been lost with their machines.
void take_ends(std::vector<Child>& children) {
  for (Child& child : children) {
    int status = 0;
    if (!child.has_ended && waitpid(child.process, &status, WNOHANG) == child.process) {
      child.has_ended = true;
      child.is_lost = !child.is_killed && (WIFSIGNALED(status) || is_code_of_the_lost(WEXITSTATUS(status)));
      Arbiter(child.place.directory).note_gone(child.place.rank);
    }
  }
}

void kill_all(std::vector<Child>& children, int signal) {
  for (Child& child : children) {
    if (!child.has_ended) {
      child.is_killed = child.is_killed || signal == SIGKILL;
      kill(child.process, signal);
    }
  }
}

// Kills the children that no longer take part in the run.
void kill_others(std::vector<Child>& children, const std::optional<SurvivalRecord>& record, bool is_over) {
  for (Child& child : children) {
    const bool has_a_part = !record || std::binary_search(record->members.begin(), record->members.end(), child.place.rank);
    if (!child.has_ended && (!has_a_part || is_over)) {
      child.is_killed = true;
      kill(child.process, SIGKILL);
    }
  }
}

bool is_gone(const SurvivorPlace& place, Rank rank) { return Arbiter(place.directory).is_gone(rank); }

// Finds the last record.
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

SurvivorsEnd conclude(const SurvivalRecord& end, const std::vector<Child>& children) {
  SurvivorsEnd conclusion{static_cast<ExitCode>(*end.end_code), {}};
  for (Rank rank = 0; rank < children.front().place.num_ranks; ++rank) {
    const auto child = std::find_if(children.begin(), children.end(), [&](const Child& one) { return one.place.rank == rank; });
    if (!std::binary_search(end.members.begin(), end.members.end(), rank) || (child != children.end() && child->is_lost)) {
      conclusion.lost.push_back(rank);
    }
    if (child != children.end() && rank == end.members.front()) {
      std::ifstream said(output_file(child->place.directory, end.number - 1, rank), std::ios::binary);
      if (said.is_open() && said.peek() != std::ifstream::traits_type::eof()) {
        std::cout << said.rdbuf() << std::flush;
      }
    }
  }
  return conclusion;
}

// Forks all or none.
std::vector<Child> started(const std::vector<SurvivorPlace>& places) {
  std::vector<Child> children;
  for (const SurvivorPlace& place : places) {
    Image image(place);
    const pid_t process = fork();
    if (process < 0) {
      const int error = errno;
      kill_all(children, SIGKILL);
      throw std::system_error(error, std::generic_category(), "a process cannot be started");
    }
    if (process == 0) {
      image.run();
    }
    children.push_back({place, process});
  }
  return children;
}

bool have_all_ended(const std::vector<Child>& children) {
  return std::all_of(children.begin(), children.end(), [](const Child& child) { return child.has_ended; });
}

// True if no process is left, here or elsewhere, as far as is known.
bool is_nobody_left(const std::vector<Child>& children) {
  const SurvivorPlace& first = children.front().place;
  bool is_anybody_left = !have_all_ended(children);
  for (Rank rank = 0; rank < first.num_ranks && !is_anybody_left; ++rank) {
    is_anybody_left = !is_gone(first, rank);
  }
  return !is_anybody_left;
}

// Returns a needed process that has ended before the run. The first one seals the end of the run before it exits.
std::optional<Rank> lost_one(const std::vector<Child>& children, const std::function<bool(Rank)>& is_needed) {
  const auto lost = std::find_if(children.begin(), children.end(), [&is_needed](const Child& child) {
    return is_needed && child.has_ended && (child.is_lost || child.place.rank == 0) && is_needed(child.place.rank);
  });
  return lost == children.end() ? std::nullopt : std::optional(lost->place.rank);
}

// A run ended by a signal before any process could handle it ends with a shell's code for the signal.
SurvivorsEnd end_without_record(int signal, const std::string& what) {
  if (signal != 0) {
    return {static_cast<ExitCode>(kEndedBySignal + signal), {}};
  }
  throw CommunicationError(what);
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
    throw UsageError("this program is started by frond solve --survive and frond batch --processes");
  }
  place.is_one_machine = machines == kOneMachine;
  return place;
}

std::string output_file(const std::string& directory, Index attempt, Rank rank) {
  return fmt::format("{}/output.{}.{}", directory, attempt, rank);
}

SurvivorsEnd start_survivors(const std::vector<SurvivorPlace>& places, const std::function<bool(Rank)>& is_needed) {
  std::vector<Child> children = started(places);
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGUSR2}) {
    std::signal(number, note_signal);
  }
  Records records(places.front().directory);
  double end_seconds = 0;
  int passed_on = 0;
  for (;;) {
    if (const int number = g_signal_to_pass_on.exchange(0); number != 0) {
      passed_on = number;
      kill_all(children, number == SIGINT ? 0 : number);  // Ctrl-C reaches them anyway
    }
    take_ends(children);
    const std::optional<SurvivalRecord>& record = records.look();  // read after taking the ends
    const double now = steady_seconds();
    const bool has_ended = record && record->end_code;
    end_seconds = has_ended && end_seconds == 0 ? now : end_seconds;
    kill_others(children, record, has_ended && now - end_seconds > kGraceSeconds);
    if (has_ended && have_all_ended(children)) {
      return conclude(*record, children);
    }
    if (const std::optional<Rank> lost = has_ended ? std::nullopt : lost_one(children, is_needed)) {
      kill_all(children, SIGKILL);
      for (const Child& child : children) {
        waitpid(child.process, nullptr, 0);
      }
      return end_without_record(passed_on, fmt::format("process {} is gone", *lost));
    }
    if (!has_ended && is_nobody_left(children)) {
      if (const std::optional<SurvivalRecord>& last = records.look(); last && last->end_code) {
        return conclude(*last, children);
      }
      return end_without_record(passed_on, "all processes are gone, and none has come to an end");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

// Not detected from the ends of processes: their output is read afterwards.
void leave_directory(const SurvivorPlace& place) {
  constexpr double kMostSeconds = 5;
  const auto mark_of = [&place](Rank rank) { return fmt::format("{}/left.{}", place.directory, rank); };
  std::ofstream(mark_of(place.rank)).flush();
  const double begin = steady_seconds();
  for (Rank rank = 0; rank < place.num_ranks && place.rank == 0; ++rank) {
    while (access(mark_of(rank).c_str(), F_OK) != 0 && steady_seconds() - begin < kMostSeconds) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  if (place.rank == 0) {
    std::error_code ignored;
    std::filesystem::remove_all(place.directory, ignored);
  }
}

}  // namespace frond
