// SPDX-License-Identifier: BSD-3-Clause
// Messages between processes, any of which may die at any moment, over ZeroMQ sockets: a message arrives completely or not at all,
// and the death of one process does not affect the connections of others. (No transport of MPICH 4.0.2 and UCX 1.13 achieves that:
// a copy from memory to memory ends the survivor, and over TCP receives end without their bytes, assertions fail, and living
// processes stop hearing each other.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loadinfo/messages/channel.hpp"
#include "loadinfo/messages/mesh/mesh_address.hpp"
#include "loadinfo/messages/ranks/arbiter.hpp"

namespace frond {

/// Messages in different lanes do not wait for each other.
enum class MeshLane : std::uint8_t { signs, work };

struct MeshOptions {
  std::string directory;  ///< shared by all processes, which leave their addresses there
  Rank rank = 0;
  Rank num_ranks = 1;
  double limit_seconds = 60;  ///< time limit for the other addresses to appear
  /// Name by which others reach this process over encrypted TCP; empty: all are on one machine, and no port is opened.
  std::string machine = {};
};

/// One process's end of the mesh. Several threads may call it; calls return at once. The destructor does not wait for anything.
class Mesh {
 public:
  /// Connects to the others, except those that ended before they arrived, as the arbiter of the directory knows. Throws
  /// CommunicationError if another process does not arrive, and OutputError.
  explicit Mesh(const MeshOptions& options);
  ~Mesh();
  Mesh(const Mesh&) = delete;
  Mesh& operator=(const Mesh&) = delete;

  [[nodiscard]] Rank rank() const { return options_.rank; }
  [[nodiscard]] Rank num_ranks() const { return options_.num_ranks; }
  /// True if the launcher of that process has noted its end.
  [[nodiscard]] bool is_gone(Rank rank) const { return arbiter_.is_gone(rank); }

  /// True: the message is copied and on its way to another process. Messages of a pair in one lane keep their order. False: too
  /// many messages wait for that process. Messages to a process that never arrived are lost.
  [[nodiscard]] bool send(Rank to, MeshLane lane, std::uint64_t context, std::span<const std::byte> bytes);
  /// True if send() would accept a message.
  [[nodiscard]] bool has_room(Rank to, MeshLane lane);
  /// Returns the next message of a context that has arrived, if there is one.
  [[nodiscard]] std::optional<ReceivedMessage> take(MeshLane lane, std::uint64_t context);
  /// Drops all present and future messages of contexts below this one, except context 0.
  void forget_before(std::uint64_t context);

 private:
  struct CloseSocket {
    void operator()(void* socket) const;
  };
  struct EndContext {
    void operator()(void* context) const;
  };
  /// A socket that only one thread uses at a time.
  struct Guarded {
    std::unique_ptr<void, CloseSocket> socket;
    std::mutex mutex;
  };
  struct Lane {
    Guarded inbound;
    std::vector<std::unique_ptr<Guarded>> outbound;             // [rank]
    std::map<std::uint64_t, std::deque<ReceivedMessage>> come;  // [context], guarded by the mutex of `inbound`
    std::size_t most_bytes = 0;                                 // of a message, without its head
  };

  void make_keys();
  [[nodiscard]] MeshAddress::Lane open(Lane& lane, const std::string& name, std::size_t most_bytes);
  [[nodiscard]] std::string path_of(Rank rank) const;
  [[nodiscard]] std::optional<MeshAddress> address_of(Rank rank) const;
  void connect(Lane& lane, Rank to, const MeshAddress& address, const MeshAddress::Lane& place);
  void let_in(Lane& lane) const;
  [[nodiscard]] Lane& lane(MeshLane which) { return which == MeshLane::signs ? signs_ : work_; }

  MeshOptions options_;
  Arbiter arbiter_;
  std::unique_ptr<void, EndContext> context_;
  std::uint64_t token_ = 0;  // messages without it belong to another run
  std::string public_key_;   // empty on one machine
  std::string secret_key_;
  Lane signs_;
  Lane work_;
  std::uint64_t first_context_ = 0;  // of the contexts still in use; guarded by the mutexes of both lanes
};

}  // namespace frond
