// SPDX-License-Identifier: BSD-3-Clause
// Each line is written at once, so that lines of several threads and processes stay whole.
#include "interfaces/mumps/call_log.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <string>

namespace frond::mumps {

bool is_logging() { return std::getenv(kLogVariable) != nullptr; }

void log_call(const CallNote& note) noexcept {
  const char* path = std::getenv(kLogVariable);
  if (path == nullptr) {
    return;
  }
  try {
    constexpr mode_t kForOwner = 0600;
    const std::string line = fmt::format("{} {} {} {} {} {} {} {}\n", note.kind, note.job, note.order, note.num_entries,
                                         note.seconds, note.info, note.flops, note.backward_error);
    if (const int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, kForOwner); file >= 0) {
      static_cast<void>(write(file, line.data(), line.size()) != 0);
      close(file);
    }
  } catch (const std::exception&) {
    return;  // the client's run goes on
  }
}

}  // namespace frond::mumps
