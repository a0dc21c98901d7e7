// SPDX-License-Identifier: BSD-3-Clause
// Reads the command line, and replaces the process by several.
#include "tools/program/bench/adapters/peer_task.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

#include "frond/error.hpp"
#include "tools/program/bench/adapters/team.hpp"

namespace frond {
namespace {

constexpr const char* kLaunchedFlag = "--launched";

}  // namespace

PeerTask parse_task(int argc, char** argv) {
  PeerTask task;
  const std::map<std::string, Method> methods = {
      {"cholesky", Method::cholesky}, {"ldlt", Method::ldlt}, {"ldlh", Method::ldlh}, {"lu", Method::lu}};
  CLI::App app("Measures one solver on one matrix and prints one line of JSON (see docs/benchmark.md).");
  app.add_option("matrix", task.matrix, "file of the matrix")->required();
  app.add_option("--method", task.method, "cholesky, ldlt, ldlh or lu")->transform(CLI::CheckedTransformer(methods));
  app.add_option("--ordering", task.ordering, "file of the order of elimination");
  app.add_option("--threads", task.num_threads)->check(CLI::Range(1, 1 << 20));
  app.add_option("--ranks", task.num_ranks, "processes")->check(CLI::Range(1, 1 << 20));
  app.add_option("--repeat", task.repetitions, "factorizations")->check(CLI::Range(1, 1 << 20));
  app.add_option("--again", task.num_again, "refactorizations with other values")->check(CLI::Range(0, 1 << 20));
  app.add_flag("--refine", task.refines, "solve with the solver's own refinement, if it has any");
  app.add_flag(kLaunchedFlag, task.is_launched)->group("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      std::exit(app.exit(error));  // --help
    }
    throw UsageError(error.what());
  }
  return task;
}

std::optional<Method> method_of(const PeerTask& task, const Peer& peer, bool is_complex) {
  const std::vector<Method>& methods = is_complex ? peer.complex_methods : peer.real_methods;
  const auto has = [&methods](Method method) { return std::find(methods.begin(), methods.end(), method) != methods.end(); };
  if (has(task.method)) {
    return task.method;
  }
  const bool may_be_lu = task.method != Method::cholesky || task.refines;  // LU and Cholesky times do not compare, errors do
  return may_be_lu && has(Method::lu) ? std::optional(Method::lu) : std::nullopt;
}

std::string objection_to(const PeerTask& task, const Peer& peer) {
  if (task.num_threads > 1 && peer.threads == PeerThreads::none) {
    return "works on one thread";
  }
  if (task.num_again > 0 && !peer.refactorizes) {
    return "is not asked for refactorizations";
  }
  if (task.num_ranks > peer.most_ranks) {
    return peer.most_ranks == 1 ? "works in one process" : fmt::format("works in at most {} processes", peer.most_ranks);
  }
  return task.num_ranks < peer.least_ranks ? fmt::format("works in at least {} processes", peer.least_ranks) : "";
}

void launch_team(const PeerTask& task, int argc, char** argv) {
  std::string launcher = team_launcher();
  std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::string count_option = "-n";
  std::string count = std::to_string(task.num_ranks);
  std::string flag = kLaunchedFlag;
  std::vector<char*> arguments = {launcher.data(), count_option.data(), count.data(), program.data()};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  arguments.insert(arguments.end(), {flag.data(), nullptr});
  // Open MPI needs two confirmations to run as the superuser.
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  execv(launcher.c_str(), arguments.data());
  throw UsageError(fmt::format("{} cannot be started: {}", launcher, std::strerror(errno)));
}

}  // namespace frond
