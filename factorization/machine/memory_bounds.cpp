// SPDX-License-Identifier: BSD-3-Clause
// Reads /proc, whose sizes are in units of 1024 bytes.
#include "factorization/machine/memory_bounds.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <utility>

#include "factorization/machine/control_groups.hpp"
#include "factorization/machine/system_file.hpp"

namespace frond {
namespace {

using std::filesystem::path;

constexpr Count kNeverOvercommit = 2;  // vm.overcommit_memory: commitments are refused beyond CommitLimit

Count limit_of(decltype(RLIMIT_AS) resource) {
  rlimit limit{};
  const bool is_limited = getrlimit(resource, &limit) == 0 && limit.rlim_cur < static_cast<rlim_t>(kNoBound);
  return is_limited ? static_cast<Count>(limit.rlim_cur) : kNoBound;
}

std::optional<Count> read_kilobytes(const path& file, const char* key) {
  const std::optional<Count> number = read_entry(file, key);
  return number && *number <= kNoBound / 1024 ? std::optional(1024 * *number) : std::nullopt;
}

// Containers on one machine share its boot, too, whatever name each of them gives the machine.
std::string machine_id(const path& root) {
  std::string id = "machine";
  std::ifstream(root / "proc/sys/kernel/random/boot_id") >> id;
  return id;
}

void add_available(const path& root, const std::string& machine, std::vector<MemoryBound>& bounds) {
  if (const auto bytes = read_kilobytes(root / "proc/meminfo", "MemAvailable:")) {
    bounds.push_back({*bytes, "the machine", "MemAvailable", machine + "/available", MemoryKind::resident});
  }
}

void add_commitments(const path& root, const std::string& machine, std::vector<MemoryBound>& bounds) {
  const auto limit = read_kilobytes(root / "proc/meminfo", "CommitLimit:");
  const auto committed = read_kilobytes(root / "proc/meminfo", "Committed_AS:");
  if (limit && committed && read_number(root / "proc/sys/vm/overcommit_memory") == kNeverOvercommit) {
    bounds.push_back({std::max<Count>(0, *limit - *committed), "the machine", "CommitLimit, as vm.overcommit_memory is 2",
                      machine + "/committed", MemoryKind::mapped});
  }
}

// `key` names what the process has used.
void add_process_limit(const path& root, Count limit, const char* key, MemoryBound bound, std::vector<MemoryBound>& bounds) {
  if (limit < kNoBound) {
    bound.bytes = std::max<Count>(0, limit - read_kilobytes(root / "proc/self/status", key).value_or(0));
    bounds.push_back(std::move(bound));
  }
}

}  // namespace

ProcessLimits process_limits() { return {.address_space = limit_of(RLIMIT_AS), .data = limit_of(RLIMIT_DATA)}; }

std::vector<MemoryBound> memory_bounds(const ProcessLimits& limits, const path& root) {
  const std::string machine = machine_id(root);
  std::vector<MemoryBound> bounds = control_group_bounds(root);
  for (MemoryBound& bound : bounds) {
    bound.source = machine + '/' + bound.source;
  }
  add_available(root, machine, bounds);
  add_commitments(root, machine, bounds);
  add_process_limit(root, limits.address_space,
                    "VmSize:", {0, "the limit of this process's address space", "RLIMIT_AS, ulimit -v", "", MemoryKind::mapped},
                    bounds);
  add_process_limit(root, limits.data,
                    "VmData:", {0, "the limit of this process's data", "RLIMIT_DATA, ulimit -d", "", MemoryKind::mapped}, bounds);
  return bounds;
}

}  // namespace frond
