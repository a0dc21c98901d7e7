// SPDX-License-Identifier: BSD-3-Clause
// Measures how long the data of a leaving rank takes to another one, from memory to memory and through files, by size.
//
// mpiexec.mpich -n 2 frond_move_benchmark FOLDER [MOST_MB]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "factorization/ranks/main_message.hpp"
#include "factorization/recovery/move_file.hpp"
#include "loadinfo/messages/mpi/mpi_channel.hpp"
#include "loadinfo/messages/mpi/mpi_environment.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "loadinfo/messages/outbox.hpp"

namespace {

using namespace frond;
using Clock = std::chrono::steady_clock;

constexpr Count kMegabyte = 1000000;
constexpr Count kPieceBytes = Count{1} << 20;  // as in RankEngine
constexpr Count kBufferBytes = Count{32} << 20;
constexpr int kNumRepeats = 5;

// Polls with sleeps: two processes may share a core.
ReceivedMessage receive(MpiChannel& channel, Outbox& outbox) {
  for (;;) {
    if (channel.take_room_event()) {
      outbox.pump();
    }
    if (std::optional<ReceivedMessage> message = channel.poll()) {
      return std::move(*message);
    }
    std::this_thread::yield();
  }
}

/// Rank 0 moves `memory` to that of rank 1, which confirms its arrival. Returns the seconds, on rank 0.
double move(MpiChannel& channel, std::vector<std::byte>& memory, const std::string& folder) {
  Outbox outbox(channel);
  const MovedPart part{0, PartRole::master, 0, 1};
  const auto total = static_cast<Count>(memory.size());
  if (channel.rank() == 1) {
    Count num_come = 0;
    do {
      const ReceivedMessage message = receive(channel, outbox);
      const auto move = std::get<MoveMessage>(decode_main_message(message.bytes()));
      const auto write = [&memory](Count offset, std::span<const std::byte> bytes) {
        std::copy(bytes.begin(), bytes.end(), memory.begin() + offset);
      };
      if (move.is_in_file) {
        MoveFiles().read(move_file(folder, part), move.total_bytes, write);
      } else {
        write(num_come, move.bytes);
      }
      num_come += move.num_bytes;
    } while (num_come < total);
    outbox.send(0, encode(StuckMessage{}));
    return 0;
  }
  const auto begin = Clock::now();
  if (!folder.empty()) {
    MoveFiles().write(move_file(folder, part), total, [&memory](Count offset, std::span<std::byte> bytes) {
      std::copy_n(memory.begin() + offset, bytes.size(), bytes.begin());
    });
    outbox.send(1, encode(MoveMessage{0, part.role, total, {}, total, true, {}}));
  } else {
    Count offset = 0;
    do {
      const Count num_bytes = std::min(kPieceBytes, total - offset);
      const std::span<const std::byte> piece(memory.data() + offset, static_cast<std::size_t>(num_bytes));
      outbox.send(1, encode(MoveMessage{0, part.role, total, {}, num_bytes, false, piece}));
      offset += num_bytes;
      while (!outbox.empty()) {
        if (channel.take_room_event()) {
          outbox.pump();
        }
        std::this_thread::yield();
      }
    } while (offset < total);
  }
  static_cast<void>(receive(channel, outbox));
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double median(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

/// Returns the fraction of the variance that a line through the points explains.
double r_squared(const std::vector<std::pair<double, double>>& points) {
  double mean_x = 0;
  double mean_y = 0;
  for (const auto& [x, y] : points) {
    mean_x += x / static_cast<double>(points.size());
    mean_y += y / static_cast<double>(points.size());
  }
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (const auto& [x, y] : points) {
    xx += (x - mean_x) * (x - mean_x);
    xy += (x - mean_x) * (y - mean_y);
    yy += (y - mean_y) * (y - mean_y);
  }
  return xx > 0 && yy > 0 ? xy * xy / (xx * yy) : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: mpiexec.mpich -n 2 frond_move_benchmark FOLDER [MOST_MB]\n");
    return 1;
  }
  try {
    const MpiEnvironment environment(MpiThreadLevel::funneled);
    const Communicator world = mpi_world(std::make_shared<MpiGate>(MpiThreadLevel::funneled));
    if (world.num_ranks() != 2) {
      throw UsageError("frond_move_benchmark runs on two processes");
    }
    MpiChannel channel(world.duplicate(), kBufferBytes);
    const double most_mb = argc > 2 ? std::stod(argv[2]) : 4096;
    std::vector<std::pair<double, double>> lines[2];
    for (const double mb : {0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 12.0, 16.0, 64.0, 256.0, 1024.0, 4096.0}) {
      if (mb > most_mb) {
        break;
      }
      std::vector<std::byte> memory(static_cast<std::size_t>(mb * kMegabyte), std::byte{7});
      std::vector<double> seconds[2];
      for (int repeat = 0; repeat <= kNumRepeats; ++repeat) {
        for (const int way : {0, 1}) {
          const double taken = move(channel, memory, way == 0 ? std::string() : std::string(argv[1]));
          if (repeat > 0) {  // the first one warms up
            seconds[way].push_back(taken);
          }
        }
      }
      if (world.rank() == 0) {
        const double direct = median(seconds[0]);
        const double indirect = median(seconds[1]);
        lines[0].emplace_back(mb, direct);
        lines[1].emplace_back(mb, indirect);
        std::printf("%8.1f MB   direct %9.6f s   through files %9.6f s   ratio %6.2f\n", mb, direct, indirect, indirect / direct);
        std::fflush(stdout);
      }
    }
    if (world.rank() == 0) {
      std::printf("R^2 of a line: direct %.4f, through files %.4f\n", r_squared(lines[0]), r_squared(lines[1]));
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
