// SPDX-License-Identifier: BSD-3-Clause
// Limits how much address space a process may add.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>

namespace frond::testing {

/// Whether a limit can be reached by what a test allocates: the shadow memory of sanitizers fits none.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kFitsAddressSpace = false;
#else
inline constexpr bool kFitsAddressSpace = true;
#endif

/// During its lifetime the process gets at most this many bytes of address space more than it has.
class AddressSpace {
 public:
  explicit AddressSpace(std::size_t bytes_left) {
    getrlimit(RLIMIT_AS, &old_);
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlimit limit{pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + bytes_left, old_.rlim_max};
    setrlimit(RLIMIT_AS, &limit);
  }
  ~AddressSpace() { setrlimit(RLIMIT_AS, &old_); }
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

 private:
  rlimit old_{};
};

}  // namespace frond::testing
