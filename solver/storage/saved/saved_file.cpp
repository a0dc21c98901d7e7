// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes with buffers, and reports errors of disks and damaged files.
#include "solver/storage/saved/saved_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "factorization/memory/memory_limit.hpp"
#include "frond/error.hpp"
#include "matrices/atomic_file.hpp"
#include "matrices/log_file.hpp"

namespace frond {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20U;
constexpr std::uint64_t kByteOrder = 0x0102030405060708;
constexpr std::array<char, 16> kMagic = {'\x89', 'F', 'r', 'o', 'n', 'd', ' ', 'f', 'a', 'c', 't', 'o', 'r', 's', '\r', '\n'};
constexpr const char* kRemedy = "copy it again from where it was saved, or factorize the matrix and save the factors again";

/// The same for all versions of the format.
struct Preamble {
  std::array<char, 16> magic = kMagic;  // contains a byte of 8 bits and both line ends, which text-mode transfers damage
  std::uint64_t byte_order = kByteOrder;
  std::uint64_t format = kSavedFormat;
  std::array<char, 32> written_by{};
  std::uint64_t checksum = 0;  // of the fields before it

  [[nodiscard]] std::string_view writer() const {
    const std::string_view all(written_by.data(), written_by.size());
    return all.substr(0, all.find('\0'));
  }
  [[nodiscard]] std::uint64_t sum() const { return checksum_before(*this, checksum); }
};

struct SectionHead {
  SavedSection which = SavedSection::end;
  Count num_bytes = 0;
  std::uint64_t checksum = 0;

  [[nodiscard]] std::uint64_t sum() const { return checksum_before(*this, checksum); }
};

class WrittenFields final : public FieldStream {
 public:
  explicit WrittenFields(SavedFileWriter& writer) : writer_(writer) {}

 protected:
  void transfer(std::span<std::byte> bytes) override { writer_.write(bytes); }
  void resize(Count /*length*/, std::size_t /*element_bytes*/, const std::function<void()>& /*take_memory*/) override {}

 private:
  SavedFileWriter& writer_;
};

class ReadFields final : public FieldStream {
 public:
  explicit ReadFields(SavedFileReader& reader) : reader_(reader) {}

 protected:
  void transfer(std::span<std::byte> bytes) override { reader_.read(bytes); }
  void resize(Count length, std::size_t element_bytes, const std::function<void()>& take_memory) override {
    if (length < 0 || length > reader_.num_left() / static_cast<Count>(element_bytes)) {
      reader_.refuse_damage(fmt::format("holds a list of {} elements where {} bytes are left for it", length, reader_.num_left()));
    }
    take_memory();
  }

 private:
  SavedFileReader& reader_;
};

// Throws MemoryError.
void require_memory(Count num_bytes) {
  if (num_bytes <= static_cast<Count>(kBufferBytes)) {
    return;
  }
  const MemoryLimit limit = find_memory_limit(1);
  if (limit.bytes > 0 && num_bytes > limit.bytes) {
    throw MemoryError(fmt::format("the factors to be saved in memory take {} bytes, but {} {}: save them to a file", num_bytes,
                                  limit.whose(), limit.bytes),
                      num_bytes, limit.bytes);
  }
}

}  // namespace

std::string frond_version() { return "Frond " FROND_VERSION; }

SavedFileWriter::SavedFileWriter(const std::string& name, std::string shown_as) : shown_as_(std::move(shown_as)) {
  buffer_.reserve(kBufferBytes);
  file_ = open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);  // NOLINT(cppcoreguidelines-pro-type-vararg): POSIX
  if (file_ < 0) {
    refuse("cannot be created");
  }
  write_preamble();
}

SavedFileWriter::SavedFileWriter(std::vector<std::byte>& memory) : memory_(&memory) { write_preamble(); }

void SavedFileWriter::write_preamble() {
  Preamble preamble;
  const std::string version = frond_version();
  std::copy_n(version.begin(), std::min(version.size(), preamble.written_by.size() - 1), preamble.written_by.begin());
  preamble.checksum = preamble.sum();
  write_unsummed(std::as_bytes(std::span(&preamble, 1)));
}

SavedFileWriter::~SavedFileWriter() {
  if (file_ >= 0) {
    close(file_);
  }
}

// Uses errno.
void SavedFileWriter::refuse(const std::string& what) const {
  const int error = errno;
  const bool is_full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  throw OutputError(fmt::format("{}: {}: {}{}", shown_as_, what, std::strerror(error),
                                is_full ? "; make room, or save the factors elsewhere" : ""));
}

void SavedFileWriter::write_section(SavedSection which, const std::function<void(FieldStream&)>& visit) {
  CountedFields counted;
  visit(counted);
  begin_section(which, counted.num_bytes());
  WrittenFields fields(*this);
  visit(fields);
  end_section();
}

void SavedFileWriter::begin_section(SavedSection which, Count num_bytes) {
  SectionHead head{which, num_bytes};
  head.checksum = head.sum();
  write_unsummed(std::as_bytes(std::span(&head, 1)));
  checksum_ = Checksum();
  if (memory_ != nullptr) {
    require_memory(num_bytes);
    memory_->reserve(static_cast<std::size_t>(num_written_ + num_bytes) + sizeof(std::uint64_t));
    return;
  }
  if (num_bytes > static_cast<Count>(kBufferBytes) && fallocate(file_, FALLOC_FL_KEEP_SIZE, num_written_, num_bytes) != 0 &&
      (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)) {  // for other errors the system cannot say
    refuse(fmt::format("cannot be written, {} bytes of it", num_written_ + num_bytes));
  }
}

void SavedFileWriter::write(std::span<const std::byte> bytes) {
  checksum_.add(bytes);
  write_unsummed(bytes);
}

void SavedFileWriter::end_section() {
  const std::uint64_t checksum = checksum_.value();
  write_unsummed(std::as_bytes(std::span(&checksum, 1)));
}

void SavedFileWriter::finish() {
  begin_section(SavedSection::end, 0);
  end_section();
  flush();
  if (memory_ != nullptr) {
    return;
  }
  const bool is_written = fsync(file_) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;  // a device, a pipe
  if (!is_written || close(std::exchange(file_, -1)) != 0) {
    refuse("cannot be written");
  }
}

void SavedFileWriter::write_unsummed(std::span<const std::byte> bytes) {
  num_written_ += static_cast<Count>(bytes.size());
  if (memory_ != nullptr) {
    memory_->insert(memory_->end(), bytes.begin(), bytes.end());
    return;
  }
  if (buffer_.size() + bytes.size() > kBufferBytes) {
    flush();
  }
  if (bytes.size() > kBufferBytes) {
    write_out(bytes);
  } else {
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  }
}

void SavedFileWriter::flush() {
  write_out(buffer_);
  buffer_.clear();
}

void SavedFileWriter::write_out(std::span<const std::byte> bytes) {
  if (write_all(file_, bytes) < bytes.size()) {
    refuse("cannot be written");
  }
}

void write_saved(const SavedTarget& target, const std::function<void(SavedFileWriter&)>& write) {
  const auto write_to = [&write](SavedFileWriter& file) {
    write(file);
    file.finish();
  };
  if (target.memory != nullptr) {
    target.memory->clear();
    SavedFileWriter file(*target.memory);
    write_to(file);
    return;
  }
  write_atomically(target.path, [&](const std::string& name) {
    SavedFileWriter file(name, target.path);
    write_to(file);
  });
}

void refuse_damaged_file(const std::string& path, const std::string& what) {
  throw InputError(path, 0, fmt::format("{}; {}", what, kRemedy));
}

SavedFileReader::SavedFileReader(SavedSource source) : source_(std::move(source)) {
  if (source_.memory) {
    num_bytes_ = static_cast<Count>(source_.memory->size());
  } else {
    open_file();
  }
  try {
    read_preamble();
  } catch (...) {
    close_file();
    throw;
  }
}

void SavedFileReader::open_file() {
  buffer_.reserve(kBufferBytes);
  file_ = open(source_.path.c_str(), O_RDONLY | O_CLOEXEC);  // NOLINT(cppcoreguidelines-pro-type-vararg): POSIX
  if (file_ < 0) {
    refuse(fmt::format("cannot be opened: {}", std::strerror(errno)));
  }
  struct stat status {};
  if (fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(std::exchange(file_, -1));
    refuse("is no regular file: name the file that the factors were saved in");
  }
  num_bytes_ = status.st_size;
}

void SavedFileReader::close_file() {
  if (file_ >= 0) {
    close(file_);
  }
}

SavedFileReader::~SavedFileReader() { close_file(); }

std::string SavedFileReader::section_name() const {
  constexpr std::array<const char*, 6> kNames = {
      "the description of the system", "the analysis", "the scaling", "the list of fronts",
      "the entries of the factors",    "the end"};
  return kNames.at(static_cast<std::size_t>(section_) - 1);
}

void SavedFileReader::read_preamble() {
  Preamble preamble;
  if (num_bytes_ < static_cast<Count>(sizeof(preamble))) {
    refuse(num_bytes_ == 0 ? "is empty: it is no file of saved factors" : "is no file of saved factors, or was cut off early");
  }
  read_unsummed(std::as_writable_bytes(std::span(&preamble, 1)));
  if (preamble.magic != kMagic) {
    refuse("is no file of saved factors");
  }
  if (preamble.byte_order != kByteOrder) {
    refuse("was saved on a machine with another order of bytes: factorize the matrix on this one");
  }
  if (preamble.checksum != preamble.sum()) {
    refuse_damage("is damaged at its beginning");
  }
  if (preamble.format != kSavedFormat) {
    refuse(
        fmt::format("has version {} of the format for saved factors, written by {}, but {} reads version {}: load it with the "
                    "former, or factorize the matrix again",
                    preamble.format, preamble.writer(), frond_version(), kSavedFormat));
  }
}

void SavedFileReader::read_section(SavedSection which, const std::function<void(FieldStream&)>& visit) {
  begin_section(which);
  ReadFields fields(*this);
  visit(fields);
  end_section();
}

void SavedFileReader::begin_section(SavedSection which) {
  section_ = which;
  SectionHead head;
  constexpr auto kAround = static_cast<Count>(sizeof(SectionHead) + sizeof(std::uint64_t));
  if (num_bytes_ - position_ < kAround) {
    refuse_damage(fmt::format("is cut off: it ends before {}, with byte {}", section_name(), num_bytes_));
  }
  read_unsummed(std::as_writable_bytes(std::span(&head, 1)));
  if (head.checksum != head.sum() || head.which != which || head.num_bytes < 0) {
    refuse_damage(fmt::format("is damaged where {} should begin", section_name()));
  }
  num_left_ = head.num_bytes;
  if (const Count num_missing = head.num_bytes - (num_bytes_ - position_ - static_cast<Count>(sizeof(std::uint64_t)));
      num_missing > 0) {
    refuse_damage(fmt::format("is cut off: {} bytes of {} are missing, at least", num_missing, section_name()));
  }
  checksum_ = Checksum();
}

void SavedFileReader::read(std::span<std::byte> bytes) {
  if (static_cast<Count>(bytes.size()) > num_left_) {
    refuse_damage(fmt::format("is damaged: {} {} too short", section_name(), section_ == SavedSection::entries ? "are" : "is"));
  }
  num_left_ -= static_cast<Count>(bytes.size());
  read_unsummed(bytes);
  checksum_.add(bytes);
}

void SavedFileReader::end_section() {
  if (num_left_ != 0) {
    refuse_damage(fmt::format("is damaged: {} bytes too many for {}", num_left_, section_name()));
  }
  std::uint64_t checksum = 0;
  read_unsummed(std::as_writable_bytes(std::span(&checksum, 1)));
  if (checksum != checksum_.value()) {
    refuse_damage(fmt::format("is damaged: the checksum of {} does not fit", section_name()));
  }
}

void SavedFileReader::expect_end() {
  begin_section(SavedSection::end);
  end_section();
  if (position_ != num_bytes_) {
    refuse_damage(fmt::format("is damaged: {} bytes follow behind its end", num_bytes_ - position_));
  }
}

void SavedFileReader::read_unsummed(std::span<std::byte> bytes) {
  if (source_.memory) {  // its size was checked: sections are checked when they begin
    std::copy_n(source_.memory->begin() + position_, bytes.size(), bytes.begin());
    position_ += static_cast<Count>(bytes.size());
    return;
  }
  position_ += static_cast<Count>(bytes.size());
  while (!bytes.empty()) {
    if (buffer_begin_ == buffer_.size()) {
      fill_buffer();
    }
    const std::size_t taken = std::min(bytes.size(), buffer_.size() - buffer_begin_);
    std::memcpy(bytes.data(), buffer_.data() + buffer_begin_, taken);
    buffer_begin_ += taken;
    bytes = bytes.subspan(taken);
  }
}

void SavedFileReader::fill_buffer() {
  buffer_.resize(kBufferBytes);
  buffer_begin_ = 0;
  for (;;) {
    const ssize_t length = ::read(file_, buffer_.data(), kBufferBytes);
    if (length > 0) {
      buffer_.resize(static_cast<std::size_t>(length));
      return;
    }
    if (length == 0) {
      refuse_damage("has become shorter while it was read");
    }
    if (errno != EINTR) {
      refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
    }
  }
}

}  // namespace frond
