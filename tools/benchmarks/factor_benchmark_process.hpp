// SPDX-License-Identifier: BSD-3-Clause
// The near side of a measuring process: starts it, asks it, ends it.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/benchmarks/factor_benchmark_worker.hpp"

namespace frond {

/// What the environment of a process is made for.
enum class ProcessEnvironment {
  plain,  ///< as it is, without what changes OpenBLAS's kernels or the allocator
  peer    ///< and with settings that let solvers that allocate by malloc keep their memory, in huge pages, on one thread
};

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// A worker that waits for requests; ended by the destructor. Replies are JSON objects; when the worker failed or died they hold
/// "error" and a text.
class WorkerProcess {
 public:
  /// Runs this program again as a worker (see run_worker()). Throws frond::Error when that cannot be done.
  WorkerProcess(const WorkerTask& task, ProcessEnvironment environment);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Waits for the next line: once for the facts, then once after each request().
  [[nodiscard]] nlohmann::json receive();
  /// Asks for one measurement.
  void request();

 private:
  [[nodiscard]] std::string cause_of_death();

  pid_t pid_ = -1;
  File requests_;
  File replies_;
};

/// The option of the command line that makes this program a worker.
inline constexpr const char* kWorkerCommand = "worker";

}  // namespace frond
