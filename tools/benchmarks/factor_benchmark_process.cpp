// SPDX-License-Identifier: BSD-3-Clause
// Starts workers with posix_spawn: a fresh process image, so that allocator and BLAS start with the environment they are given.
#include "tools/benchmarks/factor_benchmark_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "matrices/error.hpp"
#include "solver/report.hpp"

namespace frond {
namespace {

constexpr std::string_view kDroppedVariables[] = {"OPENBLAS_CORETYPE=", "GLIBC_TUNABLES=", "OMP_NUM_THREADS="};

/// Large blocks come from the heap, which is kept and made of huge pages: a second factorization meets no fresh memory.
constexpr const char* kPeerVariables[] = {
    "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=0x1000000000000",
    "OMP_NUM_THREADS=1"};

std::vector<std::string> make_environment(ProcessEnvironment kind) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (std::ranges::none_of(kDroppedVariables, [&](std::string_view name) { return text.starts_with(name); })) {
      variables.emplace_back(text);
    }
  }
  if (kind == ProcessEnvironment::peer) variables.insert(variables.end(), std::begin(kPeerVariables), std::end(kPeerVariables));
  return variables;
}

std::vector<std::string> make_arguments(const WorkerTask& task) {
  std::vector<std::string> arguments = {"factor_benchmark", kWorkerCommand, "--solver",
                                        task.solver,        "--threads",    std::to_string(task.num_threads)};
  if (task.method) arguments.insert(arguments.end(), {"--method", to_string(*task.method)});
  arguments.insert(arguments.end(), task.problem.begin(), task.problem.end());
  return arguments;
}

/// What exec wants: pointers to the strings, and a null pointer.
std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

void require(int error, const char* call) {
  if (error != 0) throw Error(std::string("cannot start a measuring process: ") + call + ": " + std::strerror(error));
}

/// Both ends of a pipe, not inherited by processes started later.
struct Pipe {
  Pipe() {
    std::array<int, 2> ends = {};
    require(pipe2(ends.data(), O_CLOEXEC) == 0 ? 0 : errno, "pipe2");
    reader.reset(fdopen(ends[0], "r"));
    writer.reset(fdopen(ends[1], "w"));
  }
  File reader;
  File writer;
};

pid_t spawn(const WorkerTask& task, ProcessEnvironment kind, std::FILE* input, std::FILE* output) {
  std::vector<std::string> arguments = make_arguments(task);
  std::vector<std::string> environment = make_environment(kind);
  posix_spawn_file_actions_t actions;
  require(posix_spawn_file_actions_init(&actions), "posix_spawn_file_actions_init");
  posix_spawn_file_actions_adddup2(&actions, fileno(input), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(output), STDOUT_FILENO);
  pid_t pid = -1;
  const int error =
      posix_spawn(&pid, "/proc/self/exe", &actions, nullptr, pointers_to(arguments).data(), pointers_to(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  require(error, "posix_spawn");
  return pid;
}

}  // namespace

WorkerProcess::WorkerProcess(const WorkerTask& task, ProcessEnvironment environment) {
  Pipe to_worker;
  Pipe from_worker;
  pid_ = spawn(task, environment, to_worker.reader.get(), from_worker.writer.get());
  requests_ = std::move(to_worker.writer);
  replies_ = std::move(from_worker.reader);
}

WorkerProcess::~WorkerProcess() {
  requests_.reset();
  if (pid_ > 0) waitpid(pid_, nullptr, 0);
}

void WorkerProcess::request() {
  std::fputc('\n', requests_.get());
  std::fflush(requests_.get());
}

nlohmann::json WorkerProcess::receive() {
  std::string line;
  for (int c = std::fgetc(replies_.get()); c != EOF && c != '\n'; c = std::fgetc(replies_.get())) line += static_cast<char>(c);
  return line.empty() ? nlohmann::json{{"error", cause_of_death()}} : nlohmann::json::parse(line);
}

std::string WorkerProcess::cause_of_death() {
  int status = 0;
  if (pid_ > 0) waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFSIGNALED(status) ? std::string("ended by signal: ") + strsignal(WTERMSIG(status)) : "ended without an answer";
}

}  // namespace frond
