// SPDX-License-Identifier: BSD-3-Clause
// Implements frond run-with, which runs a program that calls MUMPS on Frond instead, and reports what was solved.
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "interfaces/mumps/call_log.hpp"
#include "interfaces/mumps/jobs.hpp"
#include "tools/program/arguments/command_options.hpp"
#include "tools/program/commands/commands.hpp"
#include "tools/program/process/other_programs.hpp"
#include "tools/program/process/temporary_folder.hpp"

namespace frond {
namespace {

namespace fs = std::filesystem;

// The folder of the libraries in the place of MUMPS: in the build folder or where they are installed.
std::string library_folder() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  const std::array<fs::path, 2> places = {folder.parent_path() / "interfaces" / "mumps" / "libraries",
                                          folder.parent_path() / FROND_LIBRARY_FOLDER / "frond" / "mumps"};
  const auto* place = std::find_if(places.begin(), places.end(), [](const fs::path& path) { return fs::exists(path); });
  if (place == places.end()) {
    throw UsageError(
        fmt::format("the libraries in the place of MUMPS are neither in {} nor in {}: they are built where the archives "
                    "of OpenBLAS and AMD are found (on Debian: apt install libopenblas-pthread-dev libsuitesparse-dev, "
                    "and build frond again)",
                    places[0].string(), places[1].string()));
  }
  return place->string();
}

// Calls for matrices of one kind and order.
struct Systems {
  int num_analyses = 0;
  int num_factorizations = 0;
  int num_solves = 0;
  int num_failures = 0;
  double seconds = 0;
  double flops = 0;
  double worst_error = 0;  // backward error of a solution
  Count num_entries = 0;
};

std::map<std::pair<char, Index>, Systems> read_log(const std::string& path) {
  std::map<std::pair<char, Index>, Systems> all;
  std::ifstream file(path);
  mumps::CallNote note;
  for (std::string error;
       file >> note.kind >> note.job >> note.order >> note.num_entries >> note.seconds >> note.info >> note.flops >> error;) {
    Systems& systems = all[{note.kind, note.order}];
    systems.num_analyses += mumps::analyses(note.job) ? 1 : 0;
    systems.num_factorizations += mumps::factorizes(note.job) ? 1 : 0;
    systems.num_solves += mumps::solves(note.job) ? 1 : 0;
    systems.num_failures += note.info < 0 ? 1 : 0;
    systems.seconds += note.seconds;
    systems.flops += note.flops;
    systems.num_entries = std::max(systems.num_entries, note.num_entries);
    if (const double measured = std::strtod(error.c_str(), nullptr); !std::isnan(measured)) {
      systems.worst_error = std::max(systems.worst_error, measured);
    }
  }
  return all;
}

void print_report(const std::string& log) {
  const auto all = read_log(log);
  if (all.empty()) {
    fmt::print(stderr, "frond: the program made no call of MUMPS by a shared library\n");
    return;
  }
  fmt::print(stderr, "frond: {:>4} {:>10} {:>12} {:>9} {:>15} {:>8} {:>8} {:>10} {:>10}  {}\n", "kind", "order", "entries",
             "analyses", "factorizations", "solves", "failed", "seconds", "flops", "worst backward error");
  for (const auto& [key, systems] : all) {
    fmt::print(stderr, "frond: {:>4} {:>10} {:>12} {:>9} {:>15} {:>8} {:>8} {:>10.3f} {:>10.2e}  {:.1e}\n", key.first, key.second,
               systems.num_entries, systems.num_analyses, systems.num_factorizations, systems.num_solves, systems.num_failures,
               systems.seconds, systems.flops, systems.worst_error);
  }
}

// A signal from the terminal is for the program: what it has solved is reported afterwards.
class TerminalSignalsIgnored {
 public:
  TerminalSignalsIgnored() : old_interrupt_(std::signal(SIGINT, SIG_IGN)), old_quit_(std::signal(SIGQUIT, SIG_IGN)) {}
  ~TerminalSignalsIgnored() { restore(); }
  TerminalSignalsIgnored(const TerminalSignalsIgnored&) = delete;
  TerminalSignalsIgnored& operator=(const TerminalSignalsIgnored&) = delete;
  void restore() const {
    std::signal(SIGINT, old_interrupt_);
    std::signal(SIGQUIT, old_quit_);
  }

 private:
  void (*old_interrupt_)(int);
  void (*old_quit_)(int);
};

// Returns the program's exit code; 128 and its number after a signal.
int run_and_wait(std::vector<std::string> words) {
  constexpr int kCannotRun = 127;
  constexpr int kSignalled = 128;
  const std::vector<char*> arguments = pointers_to(words);
  const TerminalSignalsIgnored ignored;
  const pid_t child = fork();
  if (child == 0) {
    ignored.restore();
    execvp(arguments[0], arguments.data());
    fmt::print(stderr, "frond: {} cannot be run: {}\n", words[0], std::strerror(errno));
    _exit(kCannotRun);
  }
  if (child < 0) {
    throw InternalError(fmt::format("no process can be started: {}", std::strerror(errno)));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalled + WTERMSIG(status);
}

// `words` are the program and its arguments.
ExitCode run_with(const std::vector<std::string>& words) {
  if (words.empty()) {
    throw UsageError("there is no program to run: frond run-with PROGRAM ARGUMENT...");
  }
  const std::string folder = library_folder();
  const TemporaryFolder temporary("run-with");
  const std::string log = temporary.file("calls");
  const char* before = std::getenv("LD_LIBRARY_PATH");
  setenv("LD_LIBRARY_PATH", before == nullptr || *before == '\0' ? folder.c_str() : (folder + ":" + before).c_str(), 1);
  setenv(mumps::kLogVariable, log.c_str(), 1);
  const int code = run_and_wait(words);
  print_report(log);
  return static_cast<ExitCode>(code);
}

}  // namespace

void add_run_with_command(CLI::App& program, const Launch& launch, ExitCode& result) {
  CLI::App* command =
      program.add_subcommand("run-with", "Run a program that calls MUMPS on Frond instead: frond run-with PROGRAM ARGUMENT...");
  command->footer(
      "The program must have been linked with MUMPS as a shared library, as those of Debian are. Nothing of it is\n"
      "changed; its exit code is that of frond. What was solved is printed at the end, on standard error: how often, how long,\n"
      "and how far the worst solution was from solving its equations.\n\n"
      "Examples:\n  frond run-with ipopt problem.nl\n  frond run-with FreeFem++-nw heat.edp\n"
      "  frond run-with mpiexec.openmpi -n 2 python3 flow.py");
  command->prefix_command();  // options behind the program are its own
  command->callback([command, &launch, &result] {
    require_one_process(launch, command->get_name());
    result = run_with(command->remaining());
  });
}

}  // namespace frond
