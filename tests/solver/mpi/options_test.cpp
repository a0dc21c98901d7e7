// SPDX-License-Identifier: BSD-3-Clause
// Options that are shared, and a rank that has no memory for them.
#include "solver/mpi/options.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>

#include "frond/error.hpp"
#include "loadinfo/mpi/mpi_world.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

/// Limits what the process may still add to its address space.
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

TEST(SharedOptions, LackMemoryOnAllRanksIfOnOne) {
  const Communicator ranks = mpi_world(test::mpi_gate());
  const bool is_last = ranks.rank() == ranks.num_ranks() - 1;
  constexpr std::size_t kLength = std::size_t{1} << 26;
  SolverOptions options;
  if (ranks.rank() == 0) {
    options.analysis.schur_variables.resize(kLength);
  }
  const AddressSpace space(is_last ? kLength : std::size_t{1} << 34);
  EXPECT_THROW((void)shared_options(ranks, options), MemoryError);
}

}  // namespace
}  // namespace frond
