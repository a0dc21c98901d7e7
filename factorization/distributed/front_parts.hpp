// SPDX-License-Identifier: BSD-3-Clause
// The port through which a rank's engine lets parts of fronts be held, filled, worked on and sent.
#pragma once

#include <span>
#include <vector>

#include "factorization/distributed/part_work.hpp"
#include "factorization/distributed/row_stream.hpp"

namespace frond {

/// Real fronts, or ghosts of them that have sizes only.
class FrontParts {
 public:
  virtual ~FrontParts() = default;

  /// Parts without entries: read() and write() are called without bytes.
  [[nodiscard]] virtual bool are_ghosts() const { return false; }

  /// Of a finished task of this rank.
  [[nodiscard]] virtual Announcement announce(TaskId task) const = 0;

  /// Where right-hand sides are eliminated with the matrix (RankFrontWatcher): what a finished task leaves of them, for the
  /// parent's master, and what comes so from a child that another rank has finished.
  [[nodiscard]] virtual std::vector<std::byte> right_sides_of(TaskId /*task*/) { return {}; }
  virtual void take_right_sides(TaskId /*child*/, std::span<const std::byte> /*bytes*/) {}

  /// Bytes of memory that expect() would take, and that this rank may still take.
  [[nodiscard]] virtual Count bytes_to_expect(const FrontPlan& plan, FrontPart part) const = 0;
  [[nodiscard]] virtual Count free_bytes() const = 0;

  /// Makes room for a part of the front, and for those streams to it that are not added to it on arrival. (A master's own part of
  /// the front gets its memory when its task starts.) Returns the streams. Throws MemoryError.
  virtual std::vector<SizedStream> expect(const FrontPlan& plan, FrontPart part) = 0;
  virtual void cancel(FrontPart part) = 0;  ///< the opposite, before any stream has come
  /// A piece of a stream has come. Calls for one part must not overlap.
  virtual void write(const RowStream& stream, Count offset, std::span<const std::byte> bytes) = 0;

  /// The shares of the front of a part that is finished, as FrontPlan has them, which say what streams there are out of it
  /// (streams_from_part()), and the bytes of one. A stream is a sequence of bytes, the same on both ranks; it may travel in pieces
  /// of any number of entries, in any order.
  [[nodiscard]] virtual std::vector<RowShare> shares_of(FrontPart part) const = 0;
  [[nodiscard]] virtual Count stream_bytes(const RowStream& stream) const = 0;
  virtual void read(const RowStream& stream, Count offset, std::span<std::byte> bytes) const = 0;
  virtual void release(FrontPart part) = 0;  ///< all its streams have gone

  /// Starts a step of a part, which ends with TaskEvents::on_step(): the first one of a slave, or of a rank of the root's grid,
  /// whose streams have come; one with what came from another part of the front; one without.
  virtual void begin(FrontPart part) = 0;
  virtual void step(FrontPart part, Rank from, std::vector<std::byte> body) = 0;
  virtual void go_on(FrontPart part) = 0;

  /// Instead of a step of a rank of the root's grid that was told to enter: this rank has failed, and the others are to know.
  virtual void abandon_root() = 0;
};

}  // namespace frond
