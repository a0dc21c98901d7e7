// SPDX-License-Identifier: BSD-3-Clause
// Messages between processes of which any may die at any moment, over sockets of ZeroMQ's: a message comes as a whole or not at
// all, and the death of one is nothing to the connections of others. (No transport of MPICH 4.0.2 and UCX 1.13 does that: a copy
// from memory to memory ends the survivor, and over TCP receives end without their bytes, assertions fail, and living processes
// stop hearing each other.)
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

/// Messages of different lanes do not wait for each other.
enum class MeshLane : std::uint8_t { signs, work };

struct MeshOptions {
  std::string directory;  ///< that all processes see: they leave their addresses there
  Rank rank = 0;
  Rank num_ranks = 1;
  double limit_seconds = 60;  ///< for the others to leave theirs
  /// By which others reach this one over TCP, encrypted; empty: all are on one machine, and nothing is open to others.
  std::string machine = {};
};

/// One process's end. Calls may come from several threads, and return at once. Nothing is waited for at the end.
class Mesh {
 public:
  /// Meets the others, but for those of whom the arbiter of the directory knows that they ended before they had come. Throws
  /// CommunicationError when another one does not come, and OutputError.
  explicit Mesh(const MeshOptions& options);
  ~Mesh();
  Mesh(const Mesh&) = delete;
  Mesh& operator=(const Mesh&) = delete;

  [[nodiscard]] Rank rank() const { return options_.rank; }
  [[nodiscard]] Rank num_ranks() const { return options_.num_ranks; }
  /// Whether whoever has started that process has noted its end.
  [[nodiscard]] bool is_gone(Rank rank) const { return arbiter_.is_gone(rank); }

  /// True: the message is copied and on its way to another process. Those of a pair in one lane keep their order. False: so many
  /// wait for it that nothing more goes. What is for a process that never came is lost.
  [[nodiscard]] bool send(Rank to, MeshLane lane, std::uint64_t context, std::span<const std::byte> bytes);
  /// Whether send() would do more than refuse.
  [[nodiscard]] bool has_room(Rank to, MeshLane lane);
  /// The next message of a context that has come, if there is one.
  [[nodiscard]] std::optional<ReceivedMessage> take(MeshLane lane, std::uint64_t context);
  /// Drops what has come and will come of contexts below this one, but for context 0.
  void forget_before(std::uint64_t context);

 private:
  struct CloseSocket {
    void operator()(void* socket) const;
  };
  struct EndContext {
    void operator()(void* context) const;
  };
  /// A socket, which one thread uses at a time.
  struct Guarded {
    std::unique_ptr<void, CloseSocket> socket;
    std::mutex mutex;
  };
  struct Lane {
    Guarded inbound;
    std::vector<std::unique_ptr<Guarded>> outbound;             // [rank]
    std::map<std::uint64_t, std::deque<ReceivedMessage>> come;  // [context], guarded by the mutex of `inbound`
    std::size_t most_bytes = 0;                                 // of a message, but for its head
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
  std::uint64_t token_ = 0;  // what does not have it is of somebody else
  std::string public_key_;   // empty on one machine
  std::string secret_key_;
  Lane signs_;
  Lane work_;
  std::uint64_t first_context_ = 0;  // of those that still count; guarded by the mutexes of both lanes
};

}  // namespace frond
