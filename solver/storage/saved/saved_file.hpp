// SPDX-License-Identifier: BSD-3-Clause
// A file of sections, each with its length and its checksum, written and read from its beginning to its end.
//
//   preamble    what the file is, byte order, version of the format, version of Frond, checksum
//   section     which one, its length, checksum of these | its bytes | their checksum          repeated
//   end         an empty section
//
// Numbers are in the machine's format, which the byte order identifies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "frond/types.hpp"
#include "matrices/checksum.hpp"
#include "solver/storage/saved/field_stream.hpp"

namespace frond {

/// The format of the files that this Frond writes, and the only one that it reads. To be raised with every released change of the
/// visited fields.
inline constexpr std::uint32_t kSavedFormat = 5;

// Saved factors:
//
//   preamble | system, report | symbolic: the analysis | scaling | fronts: the table | entries, front by front | end

enum class SavedSection : std::uint64_t { system = 1, symbolic, scaling, fronts, entries, end };

/// The destination of saved factors: a file, which appears complete or not at all, or memory.
struct SavedTarget {
  std::string path;  ///< also for messages
  std::vector<std::byte>* memory = nullptr;

  [[nodiscard]] static SavedTarget in_memory(std::vector<std::byte>& bytes) { return {"the saved factors in memory", &bytes}; }
};

/// The source of saved factors.
struct SavedSource {
  std::string path;                                       ///< also for messages
  std::optional<std::span<const std::byte>> memory = {};  ///< must outlive the reading

  [[nodiscard]] static SavedSource in_memory(std::span<const std::byte> bytes) { return {"the saved factors in memory", bytes}; }
};

/// Writes such a file. Throws OutputError, with `shown_as` and the system's message.
class SavedFileWriter {
 public:
  /// Creates or replaces the file `name`, which may be a device or a pipe.
  SavedFileWriter(const std::string& name, std::string shown_as);
  /// Appends to a vector in memory.
  explicit SavedFileWriter(std::vector<std::byte>& memory);
  ~SavedFileWriter();
  SavedFileWriter(const SavedFileWriter&) = delete;
  SavedFileWriter& operator=(const SavedFileWriter&) = delete;

  /// Writes a section of the fields of `data`.
  template <class T>
  void section(SavedSection which, T& data) {
    write_section(which, [&data](FieldStream& fields) { fields(data); });
  }

  /// Begins a section of `num_bytes` bytes, which are written before end_section(). Allocates its space on the disk at once.
  void begin_section(SavedSection which, Count num_bytes);
  void write(std::span<const std::byte> bytes);
  void end_section();

  /// Writes the end of the file, which is on the disk when this returns.
  void finish();

 private:
  void write_section(SavedSection which, const std::function<void(FieldStream&)>& visit);  // calls it twice: to count, and to write
  void write_preamble();
  void write_unsummed(std::span<const std::byte> bytes);
  void flush();
  void write_out(std::span<const std::byte> bytes);
  [[noreturn]] void refuse(const std::string& what) const;

  std::string shown_as_;
  int file_ = -1;
  std::vector<std::byte>* memory_ = nullptr;  // in place of the file
  Count num_written_ = 0;
  std::vector<std::byte> buffer_;  // not written yet
  Checksum checksum_;              // of the section
};

/// Calls write(file), and then writes the end. Throws OutputError, and exceptions of write(); an existing file is then unchanged.
void write_saved(const SavedTarget& target, const std::function<void(SavedFileWriter&)>& write);

/// Throws InputError, with the file, what is wrong with it, and the remedy.
[[noreturn]] void refuse_damaged_file(const std::string& path, const std::string& what);

/// Reads such a file. Throws InputError, with the file, what is wrong, and the remedy. No list is longer than the rest of its
/// section, so that a damaged length takes no more memory than the file has bytes.
class SavedFileReader {
 public:
  explicit SavedFileReader(SavedSource source);
  ~SavedFileReader();
  SavedFileReader(const SavedFileReader&) = delete;
  SavedFileReader& operator=(const SavedFileReader&) = delete;

  [[nodiscard]] const std::string& path() const { return source_.path; }

  /// Reads the next section, which must be `which` and have the fields of `data`. They are verified only when this returns.
  template <class T>
  void section(SavedSection which, T& data) {
    read_section(which, [&data](FieldStream& fields) { fields(data); });
  }

  /// The same for bytes, which may be used only after end_section().
  void begin_section(SavedSection which);
  [[nodiscard]] Count num_left() const { return num_left_; }  ///< bytes of the section
  void read(std::span<std::byte> bytes);
  void end_section();

  /// Throws unless the file ends here.
  void expect_end();

  [[noreturn]] void refuse(const std::string& what) const { throw InputError(source_.path, 0, what); }
  [[noreturn]] void refuse_damage(const std::string& what) const { refuse_damaged_file(source_.path, what); }  ///< with the remedy

 private:
  void read_section(SavedSection which, const std::function<void(FieldStream&)>& visit);  // which may see arbitrary values
  void open_file();
  void close_file();
  void read_preamble();
  void read_unsummed(std::span<std::byte> bytes);
  void fill_buffer();
  [[nodiscard]] std::string section_name() const;

  SavedSource source_;
  int file_ = -1;        // -1 if it is in memory
  Count num_bytes_ = 0;  // of the file
  Count position_ = 0;   // in the file
  Count num_left_ = 0;   // of the section
  SavedSection section_ = SavedSection::system;
  std::vector<std::byte> buffer_;
  std::size_t buffer_begin_ = 0;  // of what has not been read yet
  Checksum checksum_;             // of the section
};

/// "Frond 1.2.3".
[[nodiscard]] std::string frond_version();

}  // namespace frond
