// SPDX-License-Identifier: BSD-3-Clause
// Tests a log with little room, or without room until something is released.
#include "solver/storage/checkpoint/log_threads.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/programs/address_space.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

PieceToWrite piece_of_600_bytes(NodeId node, StoredKind kind) {
  return {{kind, node}, {}, [](const ByteSink& sink) {
            static constexpr std::array<std::byte, 300> kHalf{};
            sink(kHalf);
            sink(kHalf);
          }};
}

struct Written {
  std::vector<NodeId> nodes;
  int num_calls_for_room = 0;
  Count num_left_out = 0;
  std::string error;
};

// Writes pieces of 600 bytes each to a log of this room, one after another; releases them when there is no room for another, or
// never.
Written write_pieces(LogRoom room, const std::vector<StoredKind>& kinds, bool gives_back = false) {
  const testing::ScratchFolder folder;
  FrontLogWriter log(folder.path("log"), 1);
  log.set_room(room);
  Written written;
  std::vector<StoredPiece> held;
  LogThreads threads(
      log, 0.002,
      [&](const std::vector<StoredPiece>& pieces, bool wants_room) {
        std::transform(pieces.begin(), pieces.end(), std::back_inserter(written.nodes),
                       [](const StoredPiece& piece) { return piece.node; });
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
  for (std::size_t node = 0; node < kinds.size(); ++node) {
    threads.push(piece_of_600_bytes(static_cast<NodeId>(node), kinds[node]));
  }
  threads.finish();
  written.num_left_out = threads.progress().num_blocks_let_go;
  return written;
}

const std::vector<StoredKind> kBlocks(8, StoredKind::block);

TEST(LogThreads, WaitForRoom) {
  const Written written = write_pieces({0, 1000}, kBlocks, true);
  EXPECT_EQ(written.nodes.size(), kBlocks.size());
  EXPECT_GE(written.num_calls_for_room, static_cast<int>(kBlocks.size()) - 1);
  EXPECT_EQ(written.error, "");
}

TEST(LogThreads, LeaveBlocksOutWhenNothingMakesRoom) {
  const Written written = write_pieces({0, 1000}, kBlocks);
  EXPECT_EQ(written.nodes.size(), 1U);
  EXPECT_EQ(written.num_left_out, static_cast<Count>(kBlocks.size()) - 1);
  EXPECT_EQ(written.error, "");
}

TEST(LogThreads, GiveFactorsTheirRoomAndThatOfBlocks) {
  const Written beside_blocks = write_pieces({600, 1000}, {StoredKind::block, StoredKind::block, StoredKind::factor});
  EXPECT_EQ(beside_blocks.nodes, (std::vector<NodeId>{0, 2}));
  EXPECT_EQ(beside_blocks.error, "");
  const Written alone = write_pieces({600, 1000}, {StoredKind::factor, StoredKind::factor});
  EXPECT_EQ(alone.nodes, (std::vector<NodeId>{0, 1}));
  EXPECT_EQ(alone.error, "");
}

TEST(LogThreads, FactorsWaitForMoreRoomUntilTheEnd) {
  const testing::ScratchFolder folder;
  FrontLogWriter log(folder.path("log"), 1);
  log.set_room({600, 0});
  int num_pieces = 0;
  LogThreads threads(
      log, 0.002,
      [&](const std::vector<StoredPiece>& pieces, bool /*wants_room*/) { num_pieces += static_cast<int>(pieces.size()); },
      [](const std::string& error) { ADD_FAILURE() << error; });
  threads.push(piece_of_600_bytes(0, StoredKind::factor));
  threads.push(piece_of_600_bytes(1, StoredKind::factor));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  log.add_room(600);
  threads.finish();
  EXPECT_EQ(num_pieces, 2);
}

TEST(LogThreads, EndWhenFactorsHaveNoRoom) {
  const Written written = write_pieces({600, 400}, {StoredKind::factor, StoredKind::factor});
  EXPECT_EQ(written.nodes, std::vector<NodeId>{0});
  EXPECT_NE(written.error.find("no room for more than the predicted 1000 bytes"), std::string::npos) << written.error;
}

/// Limits the stacks of new threads to this many bytes during its lifetime.
class StacksOfThreads {
 public:
  explicit StacksOfThreads(std::size_t bytes) {
    pthread_getattr_default_np(&attributes_);
    pthread_attr_getstacksize(&attributes_, &old_bytes_);
    set(bytes);
  }
  ~StacksOfThreads() { set(old_bytes_); }
  StacksOfThreads(const StacksOfThreads&) = delete;
  StacksOfThreads& operator=(const StacksOfThreads&) = delete;

 private:
  void set(std::size_t bytes) {
    pthread_attr_setstacksize(&attributes_, bytes);
    pthread_setattr_default_np(&attributes_);
  }

  pthread_attr_t attributes_{};
  std::size_t old_bytes_ = 0;
};

TEST(LogThreads, AreAnErrorOfTheLogWhereTheyCannotBeStarted) {
  const testing::ScratchFolder folder;
  FrontLogWriter log(folder.path("log"), 1);
  constexpr std::size_t kBytes = std::size_t{1} << 30;
  const StacksOfThreads stacks(kBytes);
  const testing::AddressSpace for_one_of_two(kBytes * 3 / 2);
  const auto error = testing::error_of<OutputError>([&] {
    const LogThreads threads(
        log, 0.002, [](const std::vector<StoredPiece>&, bool) {}, [](const std::string&) {});
  });
  EXPECT_NE(std::string(error.what()).find("cannot be started"), std::string::npos) << error.what();
}

}  // namespace
}  // namespace frond
