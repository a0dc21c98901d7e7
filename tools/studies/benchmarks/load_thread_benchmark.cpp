// SPDX-License-Identifier: BSD-3-Clause
// Measures what a load thread costs while its channel is idle, and how long a snapshot decision takes while all other ranks are
// idle.
//
// mpiexec.mpich -n P frond_load_thread_benchmark [SECONDS [LONGEST_PERIOD_IN_MICROSECONDS]]
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <exception>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "loadinfo/load_service.hpp"
#include "loadinfo/messages/mpi/mpi_channel.hpp"
#include "loadinfo/messages/mpi/mpi_communicator.hpp"
#include "loadinfo/messages/mpi/mpi_environment.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"

namespace {

using namespace frond;
using Clock = std::chrono::steady_clock;

constexpr int kNumDecisions = 100;
constexpr std::chrono::milliseconds kBetweenDecisions(20);  // the load threads fall asleep again

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double combine(const Communicator& world, double mine, MPI_Op operation) {
  double combined = 0;
  check_mpi(MPI_Allreduce(&mine, &combined, 1, MPI_DOUBLE, operation, mpi_comm(world)), "MPI_Allreduce");
  return combined;
}

// Sleeps until all ranks have arrived; a blocking barrier would take a core from the others.
void wait_for_all(const Communicator& world) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(mpi_comm(world), &request), "MPI_Ibarrier");
  int is_finished = 0;
  while (is_finished == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    MPI_Status status{};
    check_mpi(MPI_Test(&request, &is_finished, &status), "MPI_Test");
  }
}

void measure_idle_cost(const Communicator& world, LoadService& service, double seconds) {
  wait_for_all(world);
  const LoadServiceCounts before = service.counts();
  const std::clock_t process_before = std::clock();
  const auto start = Clock::now();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  const std::clock_t process_after = std::clock();
  const LoadServiceCounts after = service.counts();
  const double elapsed = seconds_since(start);
  const double share = (after.cpu_seconds - before.cpu_seconds) / elapsed;
  const double process_share = static_cast<double>(process_after - process_before) / CLOCKS_PER_SEC / elapsed;
  const double wake_ups = static_cast<double>(after.num_wake_ups - before.num_wake_ups) / elapsed;
  wait_for_all(world);
  const double most = combine(world, share, MPI_MAX);
  const double mean = combine(world, share, MPI_SUM) / world.num_ranks();
  const double mean_process = combine(world, process_share, MPI_SUM) / world.num_ranks();
  const double mean_wake_ups = combine(world, wake_ups, MPI_SUM) / world.num_ranks();
  if (world.rank() == 0) {
    std::printf(
        "idle load threads of %d ranks: %.3f %% of a core each (at most %.3f %%), %.3f %% with the rest of the process, "
        "%.0f wake-ups per second\n",
        world.num_ranks(), 100 * mean, 100 * most, 100 * mean_process, mean_wake_ups);
  }
}

double seconds_to_decide(LoadService& service, const std::vector<Rank>& others) {
  const auto start = Clock::now();
  service.with_exchange([&others](LoadExchange& exchange) { exchange.want_to_decide(others); });
  const auto decide = [](LoadExchange& exchange) {
    const bool may_decide = exchange.may_decide();
    if (may_decide) {
      exchange.decide({});
    }
    return may_decide;
  };
  while (!service.with_exchange(decide)) {
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  return seconds_since(start);
}

void measure_decisions(const Communicator& world, LoadService& service) {
  if (world.rank() == 0) {
    std::vector<Rank> others(static_cast<std::size_t>(world.num_ranks() - 1));
    std::iota(others.begin(), others.end(), 1);
    std::vector<double> seconds;
    for (int decision = 0; decision < kNumDecisions; ++decision) {
      std::this_thread::sleep_for(kBetweenDecisions);
      seconds.push_back(seconds_to_decide(service, others));
    }
    std::sort(seconds.begin(), seconds.end());
    std::printf("decisions by snapshot, all quiet before: median %.0f us, nine in ten within %.0f us\n",
                1e6 * seconds[seconds.size() / 2], 1e6 * seconds[seconds.size() * 9 / 10]);
  }
  wait_for_all(world);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const MpiEnvironment environment(MpiThreadLevel::multiple);
    const Communicator world = mpi_world(std::make_shared<MpiGate>(MpiThreadLevel::multiple));
    MpiChannel channel(world.duplicate(), 1 << 16);
    LoadServiceOptions options;
    if (argc > 2) {
      options.longest_period = std::chrono::microseconds(std::stoi(argv[2]));
    }
    const auto service = make_load_service(options, channel, {.mechanism = LoadMechanism::snapshot, .threshold = {}}, true);
    measure_idle_cost(world, *service, argc > 1 ? std::stod(argv[1]) : 10.0);
    measure_decisions(world, *service);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
