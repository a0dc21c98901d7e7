// SPDX-License-Identifier: BSD-3-Clause
// Tests a mesh of threads: order, contexts, collective operations, and losses.
#include "loadinfo/messages/mesh/mesh.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zmq.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <latch>
#include <memory>
#include <new>
#include <numeric>
#include <random>
#include <string>
#include <thread>

#include "loadinfo/messages/mesh/mesh_address.hpp"
#include "loadinfo/messages/mesh/mesh_communicator.hpp"
#include "loadinfo/messages/mesh/mesh_head.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "loadinfo/messages/ranks/node_layout.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/programs/scratch_folder.hpp"
#include "tests/support/run_threads.hpp"

namespace frond {
namespace {

// Runs `work` on every rank: a thread with its own end, on one machine or, as the ranks believe, on two.
void on_ranks(Rank num_ranks, const std::function<void(Mesh& mesh)>& work, bool is_one_machine = true) {
  const testing::ScratchFolder folder;
  testing::run_threads(num_ranks, [&](Rank rank) {
    try {
      const std::string machine = is_one_machine ? "" : rank % 2 == 0 ? "127.0.0.1" : "localhost";
      Mesh mesh({.directory = folder.path("."), .rank = rank, .num_ranks = num_ranks, .machine = machine});
      work(mesh);
    } catch (const std::exception& error) {
      ADD_FAILURE() << "rank " << rank << ": " << error.what();
    }
  });
}

std::vector<Rank> all_of(const Mesh& mesh) {
  std::vector<Rank> ranks(static_cast<std::size_t>(mesh.num_ranks()));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

// Returns what a rank passes to the k-th call; lengths differ.
std::vector<std::byte> drawn(Rank rank, int k) {
  std::mt19937 random(static_cast<std::uint32_t>(1000 * rank + k));
  std::vector<std::byte> bytes(random() % (k % 5 == 0 ? 3000000 : 100));
  for (std::byte& byte : bytes) {
    byte = static_cast<std::byte>(random());
  }
  return bytes;
}

// Rank 1 ended before it joined, as its launcher noted: the others meet, and messages to it are lost.
TEST(Mesh, DoesNotWaitForWhoEndedBeforeItCame) {
  const testing::ScratchFolder folder;
  Arbiter(folder.path(".")).note_gone(1);
  std::thread last([&folder] {
    Mesh mesh({.directory = folder.path("."), .rank = 2, .num_ranks = 3});
    EXPECT_TRUE(mesh.is_gone(1));
    EXPECT_TRUE(mesh.send(0, MeshLane::work, 1, {}));
    while (!mesh.take(MeshLane::work, 1)) {
      std::this_thread::yield();
    }
  });
  Mesh mesh({.directory = folder.path("."), .rank = 0, .num_ranks = 3});
  EXPECT_TRUE(mesh.send(1, MeshLane::work, 1, {}));
  EXPECT_TRUE(mesh.has_room(1, MeshLane::work));
  while (!mesh.take(MeshLane::work, 1)) {
    std::this_thread::yield();
  }
  EXPECT_TRUE(mesh.send(2, MeshLane::work, 1, {}));
  last.join();
}

TEST(Mesh, DoesWhatAllDoAtOnce) {
  for (Rank num_ranks = 1; num_ranks <= 6; ++num_ranks) {
    on_ranks(num_ranks, [](Mesh& mesh) {
      const RankLosses losses;
      const Communicator ranks = mesh_communicator(mesh, losses, all_of(mesh), 1);
      const Communicator other = ranks.duplicate();
      for (int k = 0; k < 15; ++k) {
        const Communicator& communicator = k % 2 == 0 ? ranks : other;
        const std::vector<std::byte> mine = drawn(mesh.rank(), k);
        const std::vector<std::vector<std::byte>> all = all_gather(communicator, mine);
        ASSERT_EQ(all.size(), static_cast<std::size_t>(mesh.num_ranks()));
        std::vector<Count> lengths;
        std::vector<std::byte> joined;
        for (Rank rank = 0; rank < mesh.num_ranks(); ++rank) {
          const std::vector<std::byte> expected = drawn(rank, k);
          EXPECT_EQ(all[rank], expected);
          lengths.push_back(static_cast<Count>(expected.size()));
          joined.insert(joined.end(), expected.begin(), expected.end());
        }
        const Rank root = static_cast<Rank>(k) % mesh.num_ranks();
        std::vector<std::byte> gathered(mesh.rank() == root ? joined.size() : 0);
        gather(communicator, root, mine, lengths, gathered);
        EXPECT_TRUE(mesh.rank() != root || gathered == joined);
        std::vector<std::byte> shared = mesh.rank() == root ? joined : std::vector<std::byte>(joined.size());
        broadcast(communicator, root, shared);
        EXPECT_EQ(shared, joined);
      }
      EXPECT_EQ(find_node_layout(ranks, std::vector<int>{0, 1}).num_sharing, mesh.num_ranks());
    });
  }
}

class MeshOrder : public ::testing::TestWithParam<bool> {};

TEST_P(MeshOrder, OfPairsIsKept) {
  constexpr int kNumMessages = 2000;
  const auto exchange = [](Mesh& mesh) {
    const RankLosses losses;
    const Communicator ranks = mesh_communicator(mesh, losses, all_of(mesh), 1);
    const std::unique_ptr<Channel> channel = ranks.make_channel(1 << 20);
    std::vector<int> sent(4, 0);
    std::vector<int> come(4, 0);
    sent[mesh.rank()] = come[mesh.rank()] = kNumMessages;
    std::mt19937 random(static_cast<std::uint32_t>(mesh.rank()));
    int num_refused = 0;
    const auto all_done = [](const std::vector<int>& counts) {
      return std::all_of(counts.begin(), counts.end(), [](int count) { return count == kNumMessages; });
    };
    while (!all_done(sent) || !all_done(come)) {
      const std::size_t to = random() % 4;
      if (sent[to] < kNumMessages) {
        std::vector<std::byte> body(sizeof(int) + random() % 2000);
        std::memcpy(body.data(), &sent[to], sizeof(int));
        if (channel->send(static_cast<Rank>(to), std::span<const std::byte>(body))) {
          ++sent[to];
        } else {
          ++num_refused;
          (void)channel->take_room_event();
        }
      }
      if (const std::optional<ReceivedMessage> message = channel->poll()) {
        int number = -1;
        std::memcpy(&number, message->bytes().data(), sizeof(int));
        ASSERT_EQ(number, come[message->from()]++);
      }
    }
    (void)all_gather(ranks, {});
    EXPECT_FALSE(channel->poll().has_value());
  };
  on_ranks(4, exchange, GetParam());
}

INSTANTIATE_TEST_SUITE_P(OnOneMachineAndOnTwo, MeshOrder, ::testing::Values(true, false));

// Two of three ranks go on alone: messages sent before are not received.
TEST(Mesh, BeginsAnewWithoutTheLost) {
  on_ranks(3, [](Mesh& mesh) {
    RankLosses losses;
    losses.begin(0, all_of(mesh));
    const Communicator before = mesh_communicator(mesh, losses, all_of(mesh), 1);
    const std::unique_ptr<Channel> old = before.make_channel(1 << 20);
    (void)all_gather(before, {});
    if (mesh.rank() != 2) {
      EXPECT_TRUE(old->send(1 - mesh.rank(), std::span<const std::byte>()));
    } else {
      return;  // it is gone
    }
    std::thread watch([&losses] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      losses.declare(2);
    });
    EXPECT_THROW((void)all_gather(before, {}), LossError);
    EXPECT_THROW((void)old->poll(), LossError);
    watch.join();
    const std::vector<Rank> members = losses.living(all_of(mesh));
    EXPECT_EQ(members, (std::vector<Rank>{0, 1}));
    losses.begin(1, members);
    mesh.forget_before(kContextsPerEpoch);
    const Communicator after = mesh_communicator(mesh, losses, members, kContextsPerEpoch);
    EXPECT_EQ(after.num_ranks(), 2);
    EXPECT_EQ(all_gather_values(after, mesh.rank()), (std::vector<Rank>{0, 1}));
    EXPECT_FALSE(mesh.take(MeshLane::work, 2).has_value());
    losses.hear_of(1);  // their own record
    (void)all_gather(after, {});
    losses.hear_of(2);
    if (mesh.rank() == 0) {  // the other one sends nothing: messages that have arrived may be taken without checking for losses
      EXPECT_THROW((void)all_gather(after, {}), LossError);
    }
  });
}

TEST(Mesh, CarriesWhatIsLong) {
  static constexpr std::size_t kManyBytes = std::size_t{40} << 20;
  for (const bool is_one_machine : {true, false}) {
    on_ranks(
        2,
        [](Mesh& mesh) {
          if (mesh.rank() == 0) {
            EXPECT_TRUE(mesh.send(1, MeshLane::work, 1, std::vector<std::byte>(kManyBytes)));
            while (!mesh.take(MeshLane::work, 1)) {
              std::this_thread::yield();
            }
          } else {
            std::optional<ReceivedMessage> message;
            while (!(message = mesh.take(MeshLane::work, 1))) {
              std::this_thread::yield();
            }
            EXPECT_EQ(message->bytes().size(), kManyBytes);
            EXPECT_TRUE(mesh.send(0, MeshLane::work, 1, {}));
          }
        },
        is_one_machine);
  }
}

/// Sends messages to a socket; it knows the address and the token, but not the key.
class Stranger {
 public:
  explicit Stranger(const std::string& endpoint) : context_(zmq_ctx_new()), socket_(zmq_socket(context_, ZMQ_PUSH)) {
    const int linger = 0;
    zmq_setsockopt(socket_, ZMQ_LINGER, &linger, sizeof(linger));
    EXPECT_EQ(zmq_connect(socket_, endpoint.c_str()), 0);
  }
  ~Stranger() {
    zmq_close(socket_);
    zmq_ctx_term(context_);
  }
  Stranger(const Stranger&) = delete;
  Stranger& operator=(const Stranger&) = delete;

  void send(const MeshHead& head, std::size_t num_bytes) {
    std::vector<std::byte> message(sizeof(MeshHead) + num_bytes);
    std::memcpy(message.data(), &head, sizeof(MeshHead));
    EXPECT_GE(zmq_send(socket_, message.data(), message.size(), 0), 0);
  }

 private:
  void* context_;
  void* socket_;
};

MeshAddress address_in(const testing::ScratchFolder& folder, Rank rank) {
  const std::string path = folder.path("address." + std::to_string(rank));
  std::ifstream file(path);
  return parse_address({std::istreambuf_iterator<char>(file), {}}, path);
}

bool hears_something(Mesh& mesh, MeshLane lane) {
  for (int k = 0; k < 100; ++k) {
    if (mesh.take(lane, 0)) {
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

TEST(Mesh, TakesNothingOverTheNetworkWithoutTheKey) {
  const testing::ScratchFolder folder;
  Mesh mesh({.directory = folder.path("."), .rank = 0, .num_ranks = 1, .machine = "localhost"});
  const MeshAddress address = address_in(folder, 0);
  Stranger stranger("tcp://127.0.0.1:" + std::to_string(address.work.port));
  stranger.send({address.token, 0, 0}, 10);
  EXPECT_FALSE(hears_something(mesh, MeshLane::work));
}

TEST(Mesh, TakesNoLongMessagesForSigns) {
  const testing::ScratchFolder folder;
  Mesh mesh({.directory = folder.path("."), .rank = 0, .num_ranks = 1});
  const MeshAddress address = address_in(folder, 0);
  Stranger with_sign("ipc://" + address.signs.name);
  with_sign.send({address.token, 0, 0}, 0);
  EXPECT_TRUE(hears_something(mesh, MeshLane::signs));
  Stranger with_more("ipc://" + address.signs.name);
  with_more.send({address.token, 0, 0}, 10000);
  EXPECT_FALSE(hears_something(mesh, MeshLane::signs));
}

TEST(Mesh, KeepsAddressesToTheUser) {
  const testing::ScratchFolder folder;
  const Mesh mesh({.directory = folder.path("."), .rank = 0, .num_ranks = 1, .machine = "localhost"});
  struct stat status {};
  ASSERT_EQ(stat(folder.path("address.0").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_FALSE(address_in(folder, 0).key.empty());
}

TEST(Mesh, RefusesDamagedAddresses) {
  for (const std::string& text : std::vector<std::string>{"", "not hexadecimal", "12 - - @a 0 @b 0", "12 - there @a 0 @b 0 end",
                                                          "12 - - @a 0 @b 123456789012 end"}) {
    for (Rank damaged = 0; damaged < 2; ++damaged) {
      const testing::ScratchFolder folder;
      std::ofstream(folder.path("address." + std::to_string(damaged))) << text;
      testing::expect_error<CommunicationError>("does not hold the address", [&] {
        const Mesh mesh({.directory = folder.path("."), .rank = 1 - damaged, .num_ranks = 2, .limit_seconds = 5});
      });
    }
  }
}

// A process that waits for others gets an error if its watch over them has failed.
TEST(Mesh, SaysThatTheWatchHasFailed) {
  std::latch has_thrown(1);  // until then the other one sends nothing: nobody waits for what has come
  on_ranks(2, [&](Mesh& mesh) {
    if (mesh.rank() == 1) {
      has_thrown.wait();
      return;
    }
    RankLosses losses;
    losses.begin(0, all_of(mesh));
    const Communicator ranks = mesh_communicator(mesh, losses, all_of(mesh), 1);
    try {
      throw std::bad_alloc();
    } catch (const std::exception&) {
      losses.fail();
    }
    EXPECT_THROW((void)all_gather(ranks, {}), CommunicationError);
    has_thrown.count_down();
  });
}

TEST(Mesh, SaysWhoDoesNotCome) {
  const testing::ScratchFolder folder;
  testing::expect_error<CommunicationError>("process 1 has not come", [&] {
    const Mesh mesh({.directory = folder.path("."), .rank = 0, .num_ranks = 2, .limit_seconds = 0.05});
  });
}

}  // namespace
}  // namespace frond
