// SPDX-License-Identifier: BSD-3-Clause
// Runs tests under mpiexec: TEST_PROGRAM single|funneled|serialized|multiple [options of GoogleTest]
#include "tests/support/ranks/mpi_test.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <string_view>
#include <thread>

#include "loadinfo/messages/mpi/mpi_communicator.hpp"
#include "loadinfo/messages/mpi/mpi_environment.hpp"

namespace frond::test {
namespace {

constexpr std::array<std::string_view, 4> kLevels = {"single", "funneled", "serialized", "multiple"};

/// Aborts, because the other ranks would wait for one that left a test early.
class AbortOnFailure final : public ::testing::EmptyTestEventListener {
  void OnTestPartResult(const ::testing::TestPartResult& result) override {
    if (result.failed()) {
      std::fprintf(stderr, "%s:%d: %s\n", result.file_name() == nullptr ? "?" : result.file_name(), result.line_number(),
                   result.message());
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
};

void set_listeners() {
  int rank = 0;
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  ::testing::TestEventListeners& listeners = ::testing::UnitTest::GetInstance()->listeners();
  if (rank > 0) {
    delete listeners.Release(listeners.default_result_printer());
  }
  listeners.Append(new AbortOnFailure);  // GoogleTest owns it
}

int run_tests(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const auto* const level = std::find(kLevels.begin(), kLevels.end(), argc > 1 ? argv[1] : "multiple");
  const MpiEnvironment environment(static_cast<MpiThreadLevel>(level - kLevels.begin()));
  set_listeners();
  return RUN_ALL_TESTS();
}

}  // namespace

std::shared_ptr<MpiGate> mpi_gate() {
  static const auto kGate = std::make_shared<MpiGate>(mpi_thread_level());
  return kGate;
}

std::vector<Count> sum_over_ranks(const Communicator& communicator, const std::vector<Count>& mine,
                                  const std::function<void()>& meanwhile) {
  std::vector<Count> sums(mine.size());
  MPI_Request request = MPI_REQUEST_NULL;
  {
    const auto inside = communicator.gate().enter();
    check_mpi(MPI_Iallreduce(mine.data(), sums.data(), static_cast<int>(mine.size()), MPI_INT64_T, MPI_SUM, mpi_comm(communicator),
                             &request),
              "MPI_Iallreduce");
  }
  const auto is_finished = [&] {
    const auto inside = communicator.gate().enter();
    int all_came = 0;
    check_mpi(MPI_Test(&request, &all_came, MPI_STATUS_IGNORE), "MPI_Test");
    return all_came != 0;
  };
  while (!is_finished()) {
    meanwhile();
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  return sums;
}

}  // namespace frond::test

int main(int argc, char** argv) { return frond::test::run_tests(argc, argv); }
