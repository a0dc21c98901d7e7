// SPDX-License-Identifier: BSD-3-Clause
// Writes and reads records with checksums, after the entries that they name.
#include "solver/storage/checkpoint/front_log.hpp"

#include <fmt/core.h>

#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "frond/error.hpp"
#include "loadinfo/messages/message_fields.hpp"

namespace frond {

template <class Fields>
void visit(Fields& fields, StoredPiece& piece) {
  fields(piece.kind, piece.node, piece.rows, piece.offset, piece.num_bytes, piece.checksum);
  fields.rest(piece.described);
}

namespace {

constexpr std::uint32_t kLogFormat = 1;
constexpr const char* kRemedy = "copy the directory again from where it was good, or begin anew in another one";
constexpr Count kVerifiedAtATime = Count{1} << 20;

/// The beginning of an index.
struct IndexHead {
  std::array<char, 16> magic = {'\x89', 'F', 'r', 'o', 'n', 'd', ' ', 'i', 'n', 'd', 'e', 'x', '\r', '\n', '\x1a', '\n'};
  std::uint64_t byte_order = 0x0102030405060708;
  std::uint64_t format = kLogFormat;
  std::uint64_t key = 0;
  std::uint64_t checksum = 0;  // of the fields before it

  [[nodiscard]] std::uint64_t sum() const { return checksum_before(*this, checksum); }
};

struct RecordHead {
  Count num_bytes = 0;  // that follow it
  std::uint64_t checksum = 0;
};

// Throws InternalError unless these are the bytes of a piece.
StoredPiece decode_piece(std::span<const std::byte> bytes) {
  auto piece = decoded<StoredPiece>(bytes);
  const bool is_kind = piece.kind >= StoredKind::factor && piece.kind <= StoredKind::block_rows;
  const bool has_place =
      piece.offset >= 0 && piece.num_bytes >= 0 && piece.num_bytes <= std::numeric_limits<Count>::max() - piece.offset;
  if (!is_kind || !has_place || piece.rows.begin < 0 || piece.rows.end < piece.rows.begin) {
    throw InternalError("it names a piece that there cannot be");
  }
  return piece;
}

}  // namespace

FrontLogWriter::FrontLogWriter(std::string stem, std::uint64_t key)
    : stem_(std::move(stem)),
      factors_(stem_ + ".factors", LogFile::Mode::create),
      blocks_(stem_ + ".blocks", LogFile::Mode::create),
      index_(stem_ + ".index", LogFile::Mode::create) {
  IndexHead head;
  head.key = key;
  head.checksum = head.sum();
  index_.append(std::as_bytes(std::span(&head, 1)));
  index_.sync();
}

bool FrontLogWriter::has_room(Count bytes) const {
  const Count factors = is_block(kind_) ? std::max(factors_.num_bytes(), room_.for_factors) : factors_.num_bytes();
  const Count taken = factors + blocks_.num_bytes() - num_released_ + bytes;
  return room_.num_bytes() == 0 || taken - room_.num_bytes() <= more_room_;
}

void FrontLogWriter::begin(StoredKind kind) {
  kind_ = kind;
  offset_ = file_of(kind).num_bytes();
  checksum_ = Checksum();
}

void FrontLogWriter::append(std::span<const std::byte> bytes) {
  file_of(kind_).append(bytes);
  checksum_.add(bytes);
}

void FrontLogWriter::commit(std::span<const StoredPiece> pieces) {
  const auto is_of_block = [](const StoredPiece& piece) { return is_block(piece.kind); };
  if (!std::all_of(pieces.begin(), pieces.end(), is_of_block)) {
    factors_.sync();
  }
  if (std::any_of(pieces.begin(), pieces.end(), is_of_block)) {
    blocks_.sync();
  }
  std::vector<std::byte> records;
  for (const StoredPiece& piece : pieces) {
    const std::vector<std::byte> bytes = encoded(piece);
    const RecordHead head{static_cast<Count>(bytes.size()), checksum_of(bytes)};
    const auto head_bytes = std::as_bytes(std::span(&head, 1));
    records.insert(records.end(), head_bytes.begin(), head_bytes.end());
    records.insert(records.end(), bytes.begin(), bytes.end());
  }
  index_.append(records);
  index_.sync();
}

FrontLogReader::FrontLogReader(std::string stem, std::uint64_t key, Count num_index_bytes)
    : stem_(std::move(stem)),
      factors_(stem_ + ".factors", LogFile::Mode::read),
      blocks_(stem_ + ".blocks", LogFile::Mode::read),
      wanted_index_bytes_(num_index_bytes) {
  read_index(key);
}

void FrontLogReader::read_index(std::uint64_t key) {
  const LogFile index(stem_ + ".index", LogFile::Mode::read);
  IndexHead head;
  const IndexHead expected;
  if (index.num_bytes() < static_cast<Count>(sizeof(head))) {
    throw InputError(index.path(), 0, "is cut off at its beginning: the checkpoint is damaged");
  }
  index.read(0, std::as_writable_bytes(std::span(&head, 1)));
  if (head.magic != expected.magic || head.checksum != head.sum()) {
    throw InputError(index.path(), 0, "is no index of a checkpoint, or is damaged at its beginning");
  }
  if (head.byte_order != expected.byte_order || head.format != expected.format) {
    throw InputError(index.path(), 0, "was written on a machine with another order of bytes, or by another version of Frond");
  }
  if (head.key != key) {
    throw InputError(index.path(), 0, "belongs to another factorization: files of two checkpoints are mixed up");
  }
  num_index_bytes_ = sizeof(head);
  const Count end = wanted_index_bytes_ < 0 ? index.num_bytes() : std::min(wanted_index_bytes_, index.num_bytes());
  while (read_record(index, end)) {
  }
  if (num_index_bytes_ < wanted_index_bytes_) {
    throw InputError(
        index.path(), 0,
        fmt::format("is damaged at byte {}, though {} bytes of it were complete", num_index_bytes_, wanted_index_bytes_));
  }
}

// Returns false at the end of the index, or at half a record left by a crash.
bool FrontLogReader::read_record(const LogFile& index, Count end) {
  RecordHead head;
  const Count begin = num_index_bytes_ + static_cast<Count>(sizeof(head));
  if (begin > end) {
    return false;
  }
  index.read(num_index_bytes_, std::as_writable_bytes(std::span(&head, 1)));
  if (head.num_bytes <= 0 || head.num_bytes > end - begin) {
    return false;
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(head.num_bytes));
  index.read(begin, bytes);
  if (checksum_of(bytes) != head.checksum) {
    return false;
  }
  try {
    pieces_.push_back(decode_piece(bytes));
  } catch (const InternalError& error) {
    throw InputError(index.path(), 0, fmt::format("is damaged at byte {}: {}; {}", num_index_bytes_, error.what(), kRemedy));
  }
  num_index_bytes_ = begin + head.num_bytes;
  return true;
}

void FrontLogReader::read(const StoredPiece& piece, Count offset, std::span<std::byte> bytes) const {
  file_of(piece.kind).read(piece.offset + offset, bytes);
}

void FrontLogReader::check_length(const StoredPiece& piece) const {
  if (file_of(piece.kind).num_bytes() < piece.offset + piece.num_bytes) {
    throw InputError(file_of(piece.kind).path(), 0,
                     fmt::format("is cut off: it has {} bytes, and front {} ends at {}; {}", file_of(piece.kind).num_bytes(),
                                 piece.node, piece.offset + piece.num_bytes, kRemedy));
  }
}

void FrontLogReader::verify(const StoredPiece& piece) const {
  Checksum sum;
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(piece.num_bytes, kVerifiedAtATime)));
  for (Count offset = 0; offset < piece.num_bytes; offset += kVerifiedAtATime) {
    const auto length = static_cast<std::size_t>(std::min(kVerifiedAtATime, piece.num_bytes - offset));
    const std::span<std::byte> part = std::span(buffer).first(length);
    read(piece, offset, part);
    sum.add(part);
  }
  if (sum.value() != piece.checksum) {
    throw InputError(file_of(piece.kind).path(), 0,
                     fmt::format("is damaged: the {} bytes of front {} from byte {} on do not have their checksum; {}",
                                 piece.num_bytes, piece.node, piece.offset, kRemedy));
  }
}

}  // namespace frond
