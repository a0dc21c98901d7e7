// SPDX-License-Identifier: BSD-3-Clause
// The interfaces through which a rank's engine stores, fills and sends parts of fronts, and lets them work.
#pragma once

#include <span>
#include <vector>

#include "factorization/distributed/row_stream.hpp"
#include "factorization/scheduling/engine.hpp"

namespace frond {

/// The parts of real fronts, or ghosts that have sizes only.
class FrontParts {
 public:
  virtual ~FrontParts() = default;

  /// True if parts have no entries: read() and write() are then called without bytes.
  [[nodiscard]] virtual bool are_ghosts() const { return false; }

  /// Returns the announcement of a finished task of this rank.
  [[nodiscard]] virtual Announcement announce(TaskId task) const = 0;

  /// Bytes of memory that expect() would take, and that this rank may still take.
  [[nodiscard]] virtual Count bytes_to_expect(const FrontPlan& plan, FrontPart part) const = 0;
  [[nodiscard]] virtual Count free_bytes() const = 0;

  /// Makes room for a part of the front, and for those streams to it that are not added to it on arrival. (A master's own part of
  /// the front gets its memory when its task starts.) Returns the streams. Throws MemoryError.
  virtual std::vector<SizedStream> expect(const FrontPlan& plan, FrontPart part) = 0;
  virtual void cancel(FrontPart part) = 0;  ///< undoes expect(), before any stream has arrived
  /// Takes a piece of a stream that has arrived. Calls for one part must not overlap.
  virtual void write(const RowStream& stream, Count offset, std::span<const std::byte> bytes) = 0;

  /// Returns the shares of the front of a finished part, as FrontPlan has them, which determine the streams out of it
  /// (streams_from_part()); stream_bytes() returns the size of one. A stream is a sequence of bytes, the same on both ranks; it may
  /// travel in pieces of any number of entries, in any order.
  [[nodiscard]] virtual std::vector<RowShare> shares_of(FrontPart part) const = 0;
  [[nodiscard]] virtual Count stream_bytes(const RowStream& stream) const = 0;
  virtual void read(const RowStream& stream, Count offset, std::span<std::byte> bytes) const = 0;
  virtual void release(FrontPart part) = 0;  ///< all its streams have been sent
};

/// Lets tasks, and the parts of fronts, work.
class PartNumerics : public Numerics {
 public:
  /// Where right-hand sides are eliminated with the matrix (RankFrontWatcher): returns what a finished task leaves of them for the
  /// parent's master, and takes the same from a child that another rank has finished.
  [[nodiscard]] virtual std::vector<std::byte> right_sides_of(TaskId /*task*/) { return {}; }
  virtual void take_right_sides(TaskId /*child*/, std::span<const std::byte> /*bytes*/) {}

  /// Starts a step of a part, which ends with TaskEvents::on_step(): begin() the first one of a slave, or of a rank of the root's
  /// grid, once its streams have arrived; step() one with a message from another part of the front; go_on() one without.
  virtual void begin(FrontPart part) = 0;
  virtual void step(FrontPart part, Rank from, std::vector<std::byte> body) = 0;
  virtual void go_on(FrontPart part) = 0;

  /// Replaces a step of a rank of the root's grid that was to enter the common part: this rank has failed, and the others must
  /// learn of it.
  virtual void abandon_root() = 0;
};

}  // namespace frond
