// SPDX-License-Identifier: BSD-3-Clause
// A log that has no room until something is released from it.
#include "solver/checkpoint/log_threads.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

constexpr Count kMostBytes = 1000;
constexpr int kNumPieces = 8;

PieceToWrite piece_of_600_bytes(NodeId node) {
  return {{StoredKind::block, node}, {}, [](const ByteSink& sink) {
            static constexpr std::array<std::byte, 300> kHalf{};
            sink(kHalf);
            sink(kHalf);
          }};
}

struct Written {
  int num_pieces = 0;
  int num_calls_for_room = 0;
  std::string error;
};

// Of pieces that come one after the other, given back when there is no room for another, or never.
Written write_pieces(bool gives_back) {
  const testing::ScratchFolder folder;
  FrontLogWriter log(folder.path("log"), 1);
  log.set_most_bytes(kMostBytes);
  Written written;
  std::vector<StoredPiece> held;
  LogThreads threads(
      log, 0.002,
      [&](const std::vector<StoredPiece>& pieces, bool wants_room) {
        written.num_pieces += static_cast<int>(pieces.size());
        held.insert(held.end(), pieces.begin(), pieces.end());
        written.num_calls_for_room += wants_room ? 1 : 0;
        if (wants_room && gives_back) {
          for (const StoredPiece& piece : held) {
            log.release(piece);
          }
          held.clear();
        }
      },
      [&](const std::string& error) { written.error = error; });
  for (NodeId node = 0; node < kNumPieces; ++node) {
    threads.push(piece_of_600_bytes(node));
  }
  threads.finish();
  return written;
}

TEST(LogThreads, WaitForRoom) {
  const Written written = write_pieces(true);
  EXPECT_EQ(written.num_pieces, kNumPieces);
  EXPECT_GE(written.num_calls_for_room, kNumPieces - 1);
  EXPECT_EQ(written.error, "");
}

TEST(LogThreads, EndWhenNothingMakesRoom) {
  const Written written = write_pieces(false);
  EXPECT_EQ(written.num_pieces, 1);
  EXPECT_NE(written.error.find("no room for more than the predicted 1000 bytes"), std::string::npos) << written.error;
}

}  // namespace
}  // namespace frond
