// SPDX-License-Identifier: BSD-3-Clause
// Reads /proc/self (proc(5)).
#include "tools/program/process/memory_probe.hpp"

#include <fstream>
#include <string>

namespace frond {
namespace {

Count status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == key) {
      Count kibibytes = 0;
      status >> kibibytes;
      return kibibytes * 1024;
    }
  }
  return 0;
}

}  // namespace

Count resident_bytes() { return status_bytes("VmRSS:"); }

Count peak_bytes() { return status_bytes("VmHWM:"); }

bool reset_peak_bytes() {
  std::ofstream clear_refs("/proc/self/clear_refs");
  clear_refs << '5' << std::flush;
  return clear_refs.good();
}

}  // namespace frond
