// SPDX-License-Identifier: BSD-3-Clause
// Makes archives and compressed files with libarchive's writer.
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace frond::testing {

using Files = std::vector<std::pair<std::string, std::string>>;  // name, text

/// `format` 0 makes a single compressed file.
inline std::string packed(const Files& files, int format, int filter, const char* options = nullptr) {
  const auto require = [](bool holds) {
    if (!holds) {
      throw std::runtime_error("libarchive has not written what it was given");
    }
  };
  archive* writer = archive_write_new();
  require((format == 0 ? archive_write_set_format_raw(writer) : archive_write_set_format(writer, format)) == ARCHIVE_OK);
  require(archive_write_add_filter(writer, filter) == ARCHIVE_OK);
  require(archive_write_set_options(writer, options) == ARCHIVE_OK);
  require(archive_write_set_bytes_in_last_block(writer, 1) == ARCHIVE_OK);
  std::size_t size = std::size_t{1} << 16;  // upper bound of the overhead around the texts
  for (const auto& [name, text] : files) {
    size += text.size();
  }
  std::string content(size, '\0');
  require(archive_write_open_memory(writer, content.data(), content.size(), &size) == ARCHIVE_OK);
  for (const auto& [name, text] : files) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_filetype(entry, name.ends_with('/') ? AE_IFDIR : AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<::la_int64_t>(text.size()));
    require(archive_write_header(writer, entry) == ARCHIVE_OK);
    require(archive_write_data(writer, text.data(), text.size()) == static_cast<::la_ssize_t>(text.size()));
    archive_entry_free(entry);
  }
  require(archive_write_close(writer) == ARCHIVE_OK);
  archive_write_free(writer);
  content.resize(size);
  return content;
}

inline std::string tar(const Files& files, int filter = ARCHIVE_FILTER_NONE) {
  return packed(files, ARCHIVE_FORMAT_TAR_USTAR, filter);
}
inline std::string zip(const Files& files) { return packed(files, ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE); }
inline std::string stored_zip(const Files& files) {
  return packed(files, ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE, "compression=store");
}

}  // namespace frond::testing
