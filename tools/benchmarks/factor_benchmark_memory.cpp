// SPDX-License-Identifier: BSD-3-Clause
// Asks fresh processes for their memory.
#include "tools/benchmarks/factor_benchmark_memory.hpp"

#include <nlohmann/json.hpp>

#include "matrices/error.hpp"
#include "tools/benchmarks/factor_benchmark_comparison.hpp"
#include "tools/benchmarks/factor_benchmark_process.hpp"

namespace frond {
namespace {

nlohmann::json receive_from(WorkerProcess& process) {
  nlohmann::json reply = process.receive();
  if (reply.contains("error")) throw Error(reply["error"].get<std::string>());
  return reply;
}

}  // namespace

std::vector<MemoryComparison> compare_memory(const ProblemName& problem, std::optional<Method> method) {
  std::vector<MemoryComparison> comparisons;
  for (const int num_threads : {1, kManyThreads}) {
    WorkerProcess process({"frond", num_threads, problem, method}, ProcessEnvironment::plain);
    const nlohmann::json facts = receive_from(process);
    process.request();
    const nlohmann::json run = receive_from(process);
    const Count before = run["resident_before_bytes"];
    comparisons.push_back({to_string(problem), facts["method"], num_threads, before, before + facts["estimated_bytes"].get<Count>(),
                           run["resident_peak_bytes"]});
  }
  return comparisons;
}

}  // namespace frond
