// SPDX-License-Identifier: BSD-3-Clause
// Decompresses with libarchive's filters and reads the members of archives.
#include "matrices/files/packed.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>

#include "frond/error.hpp"
#include "matrices/files/gzip.hpp"

namespace frond {
namespace {

using namespace std::string_view_literals;

constexpr std::array kFiltered = {
    "\xfd"
    "7zXZ\0"sv,
    "BZh"sv, "\x28\xb5\x2f\xfd"sv};

bool is_filtered(std::string_view content) {
  return std::any_of(kFiltered.begin(), kFiltered.end(), [content](std::string_view magic) { return content.starts_with(magic); });
}

struct FreeArchive {
  void operator()(archive* reader) const { archive_read_free(reader); }
};

/// Owns libarchive's reader of content in memory.
class ArchiveReader {
 public:
  /// Opens an archive, or one compressed file.
  ArchiveReader(std::string_view content, const std::string& file, bool is_archive) : file_(file), reader_(archive_read_new()) {
    if (reader_ == nullptr) {
      throw std::bad_alloc();
    }
    if (is_archive) {
      archive_read_support_format_tar(reader_.get());
      archive_read_support_format_zip(reader_.get());
    } else {
      archive_read_support_filter_xz(reader_.get());
      archive_read_support_filter_bzip2(reader_.get());
      archive_read_support_filter_zstd(reader_.get());
      archive_read_support_format_raw(reader_.get());
      archive_read_support_format_empty(reader_.get());
    }
    check(archive_read_open_memory(reader_.get(), content.data(), content.size()));
  }

  /// Moves to the next member. Returns its name, valid until the next call, or nothing after the last member.
  const char* next() {
    archive_entry* entry = nullptr;
    do {
      const int status = archive_read_next_header(reader_.get(), &entry);
      if (status == ARCHIVE_EOF) {
        return nullptr;
      }
      check(status);
    } while (archive_entry_filetype(entry) != AE_IFREG);
    const char* const name = archive_entry_pathname(entry);
    return name == nullptr ? "" : name;
  }

  FileText read() {
    constexpr std::size_t kChunk = std::size_t{1} << 14;
    FileText text;
    for (::la_ssize_t count = 1; count > 0;) {
      const std::size_t size = text.size();
      text.resize(std::max(size + kChunk, text.capacity()));
      count = archive_read_data(reader_.get(), text.data() + size, text.size() - size);
      if (count < 0) {  // ARCHIVE_WARN too: a wrong checksum or size
        refuse();
      }
      text.resize(size + static_cast<std::size_t>(count));
    }
    return text;
  }

 private:
  void check(int status) const {
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) {
      refuse();
    }
  }

  [[noreturn]] void refuse() const {
    const char* const cause = archive_error_string(reader_.get());
    throw InputError(file_, 0,
                     fmt::format("the compressed data are cut or damaged ({}); copy the file again",
                                 cause == nullptr ? "no reason given" : cause));
  }

  const std::string& file_;
  std::unique_ptr<archive, FreeArchive> reader_;
};

}  // namespace

bool is_compressed(std::string_view content) { return is_gzip(content) || is_filtered(content); }

// libarchive does not check the checksum of gzip.
FileText decompress(std::string_view content, const std::string& file) {
  if (is_gzip(content)) {
    return gunzip(content, file);
  }
  ArchiveReader reader(content, file, false);
  return reader.next() == nullptr ? FileText() : reader.read();
}

bool is_archive(std::string_view content) {
  constexpr std::size_t kTarMagic = 257;
  return content.starts_with("PK\x03\x04") || content.starts_with("PK\x05\x06") ||
         (content.size() > kTarMagic && content.substr(kTarMagic).starts_with("ustar"));
}

std::vector<std::string> archive_names(std::string_view content, const std::string& file) {
  ArchiveReader reader(content, file, true);
  std::vector<std::string> names;
  for (const char* name = reader.next(); name != nullptr; name = reader.next()) {
    names.emplace_back(name);
  }
  return names;
}

std::vector<ArchiveMember> archive_members(std::string_view content, const std::string& file,
                                           const std::function<bool(const std::string& name)>& is_wanted) {
  ArchiveReader reader(content, file, true);
  std::vector<ArchiveMember> members;
  for (const char* next = reader.next(); next != nullptr; next = reader.next()) {
    std::string name = next;
    if (is_wanted(name)) {
      members.push_back({std::move(name), reader.read()});
    }
  }
  return members;
}

}  // namespace frond
