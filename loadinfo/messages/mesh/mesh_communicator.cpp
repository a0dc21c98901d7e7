// SPDX-License-Identifier: BSD-3-Clause
// Implements collective operations with messages between pairs of ranks.
#include "loadinfo/messages/mesh/mesh_communicator.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <climits>
#include <cstring>
#include <deque>
#include <map>
#include <thread>
#include <utility>

#include "frond/error.hpp"
#include "loadinfo/messages/wake_period.hpp"

namespace frond {
namespace {

// Longer data go in pieces, so that ranks forward one piece while they receive the next.
constexpr Count kPieceBytes = Count{1} << 20;

/// The state shared by all communicators of an epoch. Numbers are given out in the same order on all ranks.
struct Group {
  Mesh& mesh;
  const RankLosses& losses;
  std::vector<Rank> members;
  std::uint64_t next_context;
  std::unique_ptr<MpiGate> gate = std::make_unique<MpiGate>(MpiThreadLevel::multiple);

  [[nodiscard]] Rank world(Rank rank) const { return members[rank]; }
  /// Returns -1 if it is not a member.
  [[nodiscard]] Rank rank_of(Rank world) const {
    const auto member = std::lower_bound(members.begin(), members.end(), world);
    return member != members.end() && *member == world ? static_cast<Rank>(member - members.begin()) : -1;
  }
  [[nodiscard]] Rank own_rank() const { return rank_of(mesh.rank()); }
  [[nodiscard]] Rank num_ranks() const { return static_cast<Rank>(members.size()); }
};

class MeshChannel final : public Channel {
 public:
  MeshChannel(std::shared_ptr<Group> group, std::uint64_t context) : group_(std::move(group)), context_(context) {}

  [[nodiscard]] Rank rank() const override { return group_->own_rank(); }
  [[nodiscard]] Rank num_ranks() const override { return group_->num_ranks(); }

  [[nodiscard]] bool send(Rank to, const MessageBody& body) override {
    if (to < 0 || to >= num_ranks() || body.has_ghost()) {
      throw InternalError("a message to nobody, or a ghost, over a mesh");
    }
    group_->losses.check();
    if (group_->mesh.send(group_->world(to), MeshLane::work, context_, body.bytes())) {
      return true;
    }
    refused_ = to;
    return false;
  }
  [[nodiscard]] bool take_room_event() override {
    if (refused_ < 0 || !group_->mesh.has_room(group_->world(refused_), MeshLane::work)) {
      return false;
    }
    refused_ = -1;
    return true;
  }
  [[nodiscard]] std::optional<ReceivedMessage> poll() override {
    group_->losses.check();
    std::optional<ReceivedMessage> message = group_->mesh.take(MeshLane::work, context_);
    if (!message) {
      return std::nullopt;
    }
    const Rank from = group_->rank_of(message->from());
    return std::move(*message).renamed(from);
  }

 private:
  std::shared_ptr<Group> group_;
  std::uint64_t context_;
  Rank refused_ = -1;
};

class MeshCarrier final : public RankCarrier {
 public:
  MeshCarrier(std::shared_ptr<Group> group, std::uint64_t context) : group_(std::move(group)), context_(context) {}

  [[nodiscard]] Rank rank() const override { return group_->own_rank(); }
  [[nodiscard]] Rank num_ranks() const override { return group_->num_ranks(); }
  [[nodiscard]] MpiGate& gate() const override { return *group_->gate; }
  [[nodiscard]] bool is_mpi() const override { return false; }
  [[nodiscard]] bool is_gone(Rank rank) const override { return group_->mesh.is_gone(group_->world(rank)); }
  [[nodiscard]] std::string machine_name() const override {
    std::array<char, HOST_NAME_MAX + 1> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : "localhost";
  }

  [[nodiscard]] std::unique_ptr<RankCarrier> duplicate() const override {
    return std::make_unique<MeshCarrier>(group_, group_->next_context++);
  }
  [[nodiscard]] std::unique_ptr<Channel> make_channel(Count /*buffer_bytes*/) const override {
    return std::make_unique<MeshChannel>(group_, group_->next_context++);
  }
  [[nodiscard]] std::unique_ptr<RankCarrier> of_ranks(std::span<const Rank> /*ranks*/) const override {
    throw InternalError("some ranks of a mesh by themselves");
  }

  // Sends down a binomial tree, piece by piece.
  void broadcast(Rank root, std::span<std::byte> bytes) const override {
    const Rank place = (rank() - root + num_ranks()) % num_ranks();
    const auto rank_at = [&](Rank other) { return (other + root) % num_ranks(); };
    Rank step = 1;
    while (place != 0 && (place & step) == 0) {
      step *= 2;
    }
    while (place == 0 && step < num_ranks()) {
      step *= 2;
    }
    for (Count begin = 0; begin < static_cast<Count>(bytes.size()); begin += kPieceBytes) {
      const std::span<std::byte> piece =
          bytes.subspan(static_cast<std::size_t>(begin),
                        static_cast<std::size_t>(std::min(kPieceBytes, static_cast<Count>(bytes.size()) - begin)));
      if (place != 0) {
        receive_piece(rank_at(place - step), piece);
      }
      for (Rank child = step / 2; child > 0; child /= 2) {
        if (place + child < num_ranks()) {
          send_piece(rank_at(place + child), piece);
        }
      }
    }
  }

  // Gathers everything on rank 0, and sends it from there to all.
  [[nodiscard]] std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine) const override {
    std::vector<Count> lengths(static_cast<std::size_t>(num_ranks()), static_cast<Count>(mine.size()));
    if (rank() != 0) {
      send_piece(0, std::as_bytes(std::span(lengths).first(1)));
    }
    for (Rank from = 1; from < num_ranks() && rank() == 0; ++from) {
      receive_piece(from, std::as_writable_bytes(std::span(lengths).subspan(static_cast<std::size_t>(from), 1)));
    }
    broadcast(0, std::as_writable_bytes(std::span(lengths)));
    Count total = 0;
    for (const Count length : lengths) {
      total += length;
    }
    std::vector<std::byte> all(static_cast<std::size_t>(total));
    gather(0, mine, lengths, all);
    broadcast(0, all);
    std::vector<std::vector<std::byte>> parts;
    auto begin = all.begin();
    for (const Count length : lengths) {
      parts.emplace_back(begin, begin + length);
      begin += length;
    }
    return parts;
  }

  void gather(Rank root, std::span<const std::byte> mine, std::span<const Count> num_bytes,
              std::span<std::byte> all) const override {
    if (rank() != root) {
      send(root, mine);
      return;
    }
    Count begin = 0;
    for (Rank from = 0; from < num_ranks(); ++from) {
      const Count length = num_bytes[from];
      const std::span<std::byte> place = all.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(length));
      if (from == root) {
        std::copy(mine.begin(), mine.end(), place.begin());
      } else if (receive(from, place) != length) {
        throw InternalError("another length than was announced");
      }
      begin += length;
    }
  }

  void send(Rank to, std::span<const std::byte> bytes) const override {
    const auto length = static_cast<Count>(bytes.size());
    send_piece(to, std::as_bytes(std::span(&length, 1)));
    for (Count begin = 0; begin < length; begin += kPieceBytes) {
      send_piece(to,
                 bytes.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(std::min(kPieceBytes, length - begin))));
    }
  }

  [[nodiscard]] Count receive(Rank from, std::span<std::byte> bytes) const override {
    Count length = 0;
    receive_piece(from, std::as_writable_bytes(std::span(&length, 1)));
    if (length > static_cast<Count>(bytes.size())) {
      throw InternalError("a message is longer than what it is received into");
    }
    for (Count begin = 0; begin < length; begin += kPieceBytes) {
      receive_piece(
          from, bytes.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(std::min(kPieceBytes, length - begin))));
    }
    return length;
  }

 private:
  // Sleeps between attempts until one succeeds.
  template <class Try>
  void wait_for(Try succeeds) const {
    WakePeriod period(std::chrono::microseconds(10), std::chrono::milliseconds(5));
    while (!succeeds()) {
      group_->losses.check();
      std::this_thread::sleep_for(period.after(false));
    }
  }
  void send_piece(Rank to, std::span<const std::byte> piece) const {
    wait_for([&] { return group_->mesh.send(group_->world(to), MeshLane::work, context_, piece); });
  }
  void receive_piece(Rank from, std::span<std::byte> piece) const {
    std::deque<ReceivedMessage>& waiting = come_[from];
    wait_for([&] {
      while (waiting.empty()) {
        std::optional<ReceivedMessage> message = group_->mesh.take(MeshLane::work, context_);
        if (!message) {
          return false;
        }
        come_[group_->rank_of(message->from())].push_back(std::move(*message));
      }
      return true;
    });
    if (waiting.front().bytes().size() != piece.size()) {
      throw InternalError("ranks that meet do different things");
    }
    std::copy(waiting.front().bytes().begin(), waiting.front().bytes().end(), piece.begin());
    waiting.pop_front();
  }

  std::shared_ptr<Group> group_;
  std::uint64_t context_;
  mutable std::map<Rank, std::deque<ReceivedMessage>> come_;  // from ranks other than the one waited for
};

}  // namespace

Communicator mesh_communicator(Mesh& mesh, const RankLosses& losses, std::vector<Rank> members, std::uint64_t first_context) {
  auto group = std::make_shared<Group>(Group{mesh, losses, std::move(members), first_context});
  if (group->own_rank() < 0) {
    throw InternalError("a process makes a communicator of others");
  }
  const std::uint64_t context = group->next_context++;
  return Communicator(std::make_unique<MeshCarrier>(std::move(group), context));
}

}  // namespace frond
