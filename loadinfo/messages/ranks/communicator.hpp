// SPDX-License-Identifier: BSD-3-Clause
// Ranks that send messages to each other and take part in collective operations, over any carrier.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "frond/types.hpp"
#include "loadinfo/messages/channel.hpp"
#include "loadinfo/messages/ranks/mpi_gate.hpp"

namespace frond {

/// Carries the messages of a set of ranks: MPI, or a mesh that survives losses. Calls marked as collective must be made by all
/// ranks at once, in the same order; they sleep while they wait.
class RankCarrier {
 public:
  RankCarrier() = default;
  RankCarrier(const RankCarrier&) = delete;
  RankCarrier& operator=(const RankCarrier&) = delete;
  virtual ~RankCarrier() = default;

  [[nodiscard]] virtual Rank rank() const = 0;
  [[nodiscard]] virtual Rank num_ranks() const = 0;
  [[nodiscard]] virtual MpiGate& gate() const = 0;
  [[nodiscard]] virtual std::string machine_name() const = 0;
  /// True if libraries that call MPI themselves may be given these ranks.
  [[nodiscard]] virtual bool is_mpi() const = 0;

  /// True if the launcher of that rank's process has reported its end.
  [[nodiscard]] virtual bool is_gone(Rank /*rank*/) const { return false; }

  // Collective calls. Messages of one carrier do not mix with those of another.
  [[nodiscard]] virtual std::unique_ptr<RankCarrier> duplicate() const = 0;
  [[nodiscard]] virtual std::unique_ptr<Channel> make_channel(Count buffer_bytes) const = 0;
  virtual void broadcast(Rank root, std::span<std::byte> bytes) const = 0;
  [[nodiscard]] virtual std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine) const = 0;
  virtual void gather(Rank root, std::span<const std::byte> mine, std::span<const Count> num_bytes,
                      std::span<std::byte> all) const = 0;

  /// Collective over those ranks only.
  [[nodiscard]] virtual std::unique_ptr<RankCarrier> of_ranks(std::span<const Rank> ranks) const = 0;

  // These calls are made by pairs of ranks.
  virtual void send(Rank to, std::span<const std::byte> bytes) const = 0;
  [[nodiscard]] virtual Count receive(Rank from, std::span<std::byte> bytes) const = 0;
};

/// Its messages do not mix with those of others, and its failures are exceptions. Making and destroying one is collective. It can
/// be moved, not copied.
class Communicator {
 public:
  explicit Communicator(std::unique_ptr<RankCarrier> carrier) : carrier_(std::move(carrier)) {}

  [[nodiscard]] Communicator duplicate() const { return Communicator(carrier_->duplicate()); }

  /// Returns a communicator of some ranks, including this one: ranks[k] becomes k. Collective over those ranks, which spin until
  /// all have arrived; others take no part.
  [[nodiscard]] Communicator of_ranks(std::span<const Rank> ranks) const { return Communicator(carrier_->of_ranks(ranks)); }

  /// Makes a separate channel with room for `buffer_bytes` bytes under way. Collective.
  [[nodiscard]] std::unique_ptr<Channel> make_channel(Count buffer_bytes) const { return carrier_->make_channel(buffer_bytes); }

  [[nodiscard]] Rank rank() const { return carrier_->rank(); }
  [[nodiscard]] Rank num_ranks() const { return carrier_->num_ranks(); }
  [[nodiscard]] MpiGate& gate() const { return carrier_->gate(); }
  [[nodiscard]] const RankCarrier& carrier() const { return *carrier_; }

 private:
  std::unique_ptr<RankCarrier> carrier_;
};

}  // namespace frond
