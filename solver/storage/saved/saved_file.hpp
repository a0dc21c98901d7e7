// SPDX-License-Identifier: BSD-3-Clause
// A file of sections, each with its length and its checksum, written and read from its beginning to its end.
//
//   preamble    what the file is, byte order, version of the format, version of Frond, checksum
//   section     which one, its length, checksum of these | its bytes | their checksum          again and again
//   end         a section of nothing
//
// Numbers are those of the machine, which the byte order tells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frond/types.hpp"
#include "matrices/checksum.hpp"
#include "solver/storage/saved/field_stream.hpp"

namespace frond {

/// Of the files that this Frond writes, and the only one that it reads. To be raised with every released change of what is visited.
inline constexpr std::uint32_t kSavedFormat = 5;

// Saved factors:
//
//   preamble | system, report | symbolic: the analysis | scaling | fronts: the table | entries, front by front | end

enum class SavedSection : std::uint64_t { system = 1, symbolic, scaling, fronts, entries, end };

/// Where saved factors go: to a file, which appears complete or not at all, or to memory.
struct SavedTarget {
  std::string path;  ///< and for messages
  std::vector<std::byte>* memory = nullptr;

  [[nodiscard]] static SavedTarget in_memory(std::vector<std::byte>& bytes) { return {"the saved factors in memory", &bytes}; }
};

/// Where they come from.
struct SavedSource {
  std::string path;                                       ///< and for messages
  std::optional<std::span<const std::byte>> memory = {};  ///< that outlives the reading

  [[nodiscard]] static SavedSource in_memory(std::span<const std::byte> bytes) { return {"the saved factors in memory", bytes}; }
};

/// Writes such a file. Throws OutputError, which names `shown_as` and what the system says.
class SavedFileWriter {
 public:
  /// Creates or replaces the file `name`. Devices and pipes will do, too.
  SavedFileWriter(const std::string& name, std::string shown_as);
  /// Appends to what is in memory.
  explicit SavedFileWriter(std::vector<std::byte>& memory);
  ~SavedFileWriter();
  SavedFileWriter(const SavedFileWriter&) = delete;
  SavedFileWriter& operator=(const SavedFileWriter&) = delete;

  /// A section of the fields that visit(fields) visits, which it does twice: to count, and to write.
  void section(SavedSection which, const std::function<void(FieldStream&)>& visit);

  /// A section of as many bytes as are to be written before end_section(). Room for them on the disk is asked for at once.
  void begin_section(SavedSection which, Count num_bytes);
  void write(std::span<const std::byte> bytes);
  void end_section();

  /// The end of the file, which is on the disk when this returns.
  void finish();

 private:
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

/// Calls write(file), and writes the end after that. Throws OutputError, and what is thrown there; then a file that was there
/// before stays as it was.
void write_saved(const SavedTarget& target, const std::function<void(SavedFileWriter&)>& write);

/// Throws InputError, which names the file, what is wrong with it, and the remedy.
[[noreturn]] void refuse_damaged_file(const std::string& path, const std::string& what);

/// Reads such a file. Throws InputError, which names the file, what is wrong, and the remedy. No list is longer than what is left
/// of its section, so that a damaged length takes no more memory than the file has bytes.
class SavedFileReader {
 public:
  explicit SavedFileReader(SavedSource source);
  ~SavedFileReader();
  SavedFileReader(const SavedFileReader&) = delete;
  SavedFileReader& operator=(const SavedFileReader&) = delete;

  [[nodiscard]] const std::string& path() const { return source_.path; }

  /// The next section, which is to be `which` and to have the fields that visit(fields) visits. They are those that were written
  /// once this returns; `visit` itself may meet anything.
  void section(SavedSection which, const std::function<void(FieldStream&)>& visit);

  /// The same for bytes, which may be used once end_section() returns.
  void begin_section(SavedSection which);
  [[nodiscard]] Count num_left() const { return num_left_; }  ///< bytes of the section
  void read(std::span<std::byte> bytes);
  void end_section();

  /// Nothing may follow.
  void expect_end();

  [[noreturn]] void refuse(const std::string& what) const;
  [[noreturn]] void refuse_damage(const std::string& what) const;  ///< with the remedy

 private:
  void open_file();
  void close_file();
  void read_preamble();
  void read_unsummed(std::span<std::byte> bytes);
  void fill_buffer();
  [[nodiscard]] std::string section_name() const;

  SavedSource source_;
  int file_ = -1;        // none if it is in memory
  Count num_bytes_ = 0;  // of the file
  Count position_ = 0;   // in the file
  Count num_left_ = 0;   // of the section
  SavedSection section_ = SavedSection::system;
  std::vector<std::byte> buffer_;
  std::size_t buffer_begin_ = 0;  // of what was not taken yet
  Checksum checksum_;             // of the section
};

/// "Frond 1.2.3".
[[nodiscard]] std::string frond_version();

}  // namespace frond
