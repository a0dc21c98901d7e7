// SPDX-License-Identifier: BSD-3-Clause
// Sends messages back and forth, and many in a row.
#include "tools/program/calibration/network_rates.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "loadinfo/messages/mpi/mpi_channel.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "tools/program/process/end_timer.hpp"
#include "tools/program/process/launched_processes.hpp"
#include "tools/program/process/stopwatch.hpp"

namespace frond {
namespace {

constexpr Count kBufferBytes = Count{64} << 20;
constexpr std::size_t kShortBytes = 64;
constexpr std::size_t kLongBytes = std::size_t{1} << 20;
constexpr int kShortRounds = 200;  // per measurement
constexpr int kLongRounds = 8;
constexpr int kRow = 500;  // messages in a row

/// The concurrent steps of two processes; the figures are those of the first one.
class TimedExchange {
 public:
  explicit TimedExchange(const Communicator& ranks) : channel_(ranks.duplicate(), kBufferBytes), other_(1 - ranks.rank()) {}

  /// Returns seconds per round trip of a message of that length, over `rounds`.
  double round_trips(std::size_t num_bytes, int rounds) {
    const std::vector<std::byte> body(num_bytes);
    const Stopwatch watch;
    for (int round = 0; round < rounds; ++round) {
      if (other_ == 1) {
        send(body);
        receive();
      } else {
        receive();
        send(body);
      }
    }
    return watch.seconds();
  }

  /// Returns seconds until `count` messages have reached the other process and one has come back.
  double row(std::size_t num_bytes, int count) {
    const std::vector<std::byte> body(num_bytes);
    const Stopwatch watch;
    for (int message = 0; message < count; ++message) {
      other_ == 1 ? send(body) : receive();
    }
    other_ == 1 ? receive() : send(body);
    return watch.seconds();
  }

 private:
  void send(std::span<const std::byte> body) {
    while (!channel_.send(other_, body)) {
      (void)channel_.take_room_event();
    }
  }
  void receive() {
    while (!channel_.poll()) {
    }
  }

  MpiChannel channel_;
  Rank other_;
};

// Returns the least of several measurements, the same number on both sides.
template <class Run>
double least_of(const CalibrationEffort& effort, Run run) {
  double least = run();
  for (int repetition = 0; repetition < 5 * effort.least_repetitions; ++repetition) {
    least = std::min(least, run());
  }
  return least;
}

// Releases the last reference.
void end_processes(std::shared_ptr<LaunchedProcesses> processes, ExitCode code) {
  (void)all_gather(processes->ranks(), {});  // waits without keeping a core busy
  constexpr double kEndSeconds = 3;
  const EndTimer timer(code, kEndSeconds);
  processes.reset();
}

NetworkRates measure_between_two(const Communicator& two, const CalibrationEffort& effort) {
  TimedExchange exchange(two);
  NetworkRates rates;
  rates.latency_seconds = least_of(effort, [&] { return exchange.round_trips(kShortBytes, kShortRounds); }) / (2 * kShortRounds);
  const double long_seconds = least_of(effort, [&] { return exchange.round_trips(kLongBytes, kLongRounds); }) / (2 * kLongRounds);
  rates.bytes_per_second = static_cast<double>(kLongBytes) / (long_seconds - rates.latency_seconds);
  const double row_seconds = least_of(effort, [&] { return exchange.row(kShortBytes, kRow); });
  rates.seconds_per_message = (row_seconds - rates.latency_seconds) / kRow;
  return rates;
}

}  // namespace

std::optional<NetworkRates> measure_network(const Launch& launch, const CalibrationEffort& effort, Farewell& farewell) {
  const auto processes = std::make_shared<LaunchedProcesses>(launch, MpiThreadLevel::multiple);
  bind_to_processors(processes->ranks(), 1);
  farewell = [held = processes](ExitCode code) mutable { end_processes(std::move(held), code); };
  const Communicator& ranks = processes->ranks();
  std::optional<NetworkRates> rates;
  if (ranks.num_ranks() > 1 && ranks.rank() < 2) {
    const std::array<Rank, 2> first_two = {0, 1};
    rates = measure_between_two(ranks.of_ranks(first_two), effort);
  }
  (void)all_gather(ranks, {});  // the next step must begin everywhere at the same time
  return rates;
}

}  // namespace frond
