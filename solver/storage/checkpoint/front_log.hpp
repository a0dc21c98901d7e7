// SPDX-License-Identifier: BSD-3-Clause
// The growing log of one process's finished work: entries of fronts, and an index of them.
//
//   STEM.factors, STEM.blocks    entries, one piece behind the other
//   STEM.index                   head | record | record | ...      a record has its length, its checksum and a StoredPiece
//
// A piece is added to the index once its entries are on the disk. So all records up to the first damaged one, which a crash may
// leave at the end, name existing entries.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/tree/assembly_tree.hpp"
#include "matrices/checksum.hpp"
#include "matrices/log_file.hpp"

namespace frond {

enum class StoredKind : std::uint32_t {
  factor = 1,   ///< a master's part of a factor
  factor_rows,  ///< a slave's
  block,        ///< a master's part of the contribution block
  block_rows    ///< a slave's
};
[[nodiscard]] constexpr bool is_block(StoredKind kind) { return kind == StoredKind::block || kind == StoredKind::block_rows; }

/// Contribution rows [begin, end) of a front.
struct RowRange {
  Index begin = 0;
  Index end = 0;
};

/// A piece of a front in a log.
struct StoredPiece {
  StoredKind kind = StoredKind::factor;
  NodeId node = 0;
  RowRange rows;     ///< contained in it
  Count offset = 0;  ///< of its entries in the file of its kind
  Count num_bytes = 0;
  std::uint64_t checksum = 0;        ///< of these entries
  std::vector<std::byte> described;  ///< sizes and lists, in the caller's format
};

/// A limit on the bytes of entries.
struct LogRoom {
  Count for_factors = 0;  ///< predicted
  Count for_blocks = 0;

  [[nodiscard]] Count num_bytes() const { return for_factors + for_blocks; }
};

/// Writes a log. Pieces are appended by one thread; commit() may be called by another at the same time. Throws OutputError.
class FrontLogWriter {
 public:
  /// Creates the three files. `key` distinguishes the logs of one factorization from those of another.
  FrontLogWriter(std::string stem, std::uint64_t key);

  [[nodiscard]] const std::string& stem() const { return stem_; }

  /// Unreleased entries should not exceed `room`, of which blocks leave the part for factors free; append() does not check. A
  /// `room` of zero sets no limit.
  void set_room(LogRoom room) { room_ = room; }
  [[nodiscard]] Count most_bytes() const { return room_.num_bytes(); }
  /// Allows this many bytes more than the original room from now on; called by any thread.
  void add_room(Count bytes) { more_room_ = std::max<Count>(more_room_, bytes); }
  /// Whether there is room for this many more bytes of the current piece.
  [[nodiscard]] bool has_room(Count bytes) const;
  [[nodiscard]] Count num_released() const { return num_released_; }  ///< bytes

  void begin(StoredKind kind);
  void append(std::span<const std::byte> bytes);
  /// Completes the current piece, and returns it with its position and checksum.
  [[nodiscard]] StoredPiece end(NodeId node, RowRange rows, std::vector<std::byte> described) {
    return {kind_, node, rows, offset_, file_of(kind_).num_bytes() - offset_, checksum_.value(), std::move(described)};
  }

  /// Discards the current piece, which makes room for others, and for the index.
  void give_up_piece() noexcept { file_of(kind_).cut_to(offset_); }

  /// Writes the entries of these pieces to the disk, and then the index with them.
  void commit(std::span<const StoredPiece> pieces);
  [[nodiscard]] Count num_index_bytes() const { return index_.num_bytes(); }
  [[nodiscard]] Count num_bytes() const { return factors_.num_bytes() + blocks_.num_bytes(); }  ///< of entries, appended

  void release(const StoredPiece& block) noexcept {
    blocks_.release(block.offset, block.num_bytes);
    num_released_ += block.num_bytes;
  }

 private:
  [[nodiscard]] LogFile& file_of(StoredKind kind) { return is_block(kind) ? blocks_ : factors_; }

  std::string stem_;
  LogFile factors_;
  LogFile blocks_;
  LogFile index_;
  LogRoom room_;
  std::atomic<Count> more_room_{0};
  std::atomic<Count> num_released_{0};    // written by the thread that commits
  StoredKind kind_ = StoredKind::factor;  // of the piece being appended
  Count offset_ = 0;
  Checksum checksum_;
};

/// Reads a log. Throws InputError, with the file and what is wrong.
class FrontLogReader {
 public:
  /// Reads as much of the log as its index is valid, but no further than `num_index_bytes`, unless that is negative. Refuses a log
  /// with another key, and an index that is valid for less.
  FrontLogReader(std::string stem, std::uint64_t key, Count num_index_bytes);

  [[nodiscard]] const std::vector<StoredPiece>& pieces() const { return pieces_; }
  [[nodiscard]] Count num_index_bytes() const { return num_index_bytes_; }

  void read(const StoredPiece& piece, Count offset, std::span<std::byte> bytes) const;
  /// Throws InputError if the file ends before the entries do.
  void check_length(const StoredPiece& piece) const;
  /// Throws InputError unless the entries match their checksum.
  void verify(const StoredPiece& piece) const;
  void release(const StoredPiece& block) const noexcept { blocks_.release(block.offset, block.num_bytes); }

 private:
  [[nodiscard]] const LogFile& file_of(StoredKind kind) const { return is_block(kind) ? blocks_ : factors_; }
  void read_index(std::uint64_t key);
  [[nodiscard]] bool read_record(const LogFile& index, Count end);

  std::string stem_;
  LogFile factors_;
  LogFile blocks_;
  std::vector<StoredPiece> pieces_;
  Count wanted_index_bytes_;
  Count num_index_bytes_ = 0;
};

}  // namespace frond
