// SPDX-License-Identifier: BSD-3-Clause
// Unpacks compressed files and archives with zlib and libarchive.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "matrices/files/file_text.hpp"

namespace frond {

/// True if the content is compressed by gzip, xz, bzip2 or zstd.
[[nodiscard]] bool is_compressed(std::string_view content);

/// Returns the decompressed content. Throws an InputError that names `file` if the data are truncated or damaged.
[[nodiscard]] FileText decompress(std::string_view content, const std::string& file);

/// True if the content is a tar or zip archive.
[[nodiscard]] bool is_archive(std::string_view content);

struct ArchiveMember {
  std::string name;
  FileText text;
};

/// Returns the names of all files of an archive, without folders, in archive order.
[[nodiscard]] std::vector<std::string> archive_names(std::string_view content, const std::string& file);

/// Returns the files of an archive whose names are wanted, in archive order. Throws likewise.
[[nodiscard]] std::vector<ArchiveMember> archive_members(std::string_view content, const std::string& file,
                                                         const std::function<bool(const std::string& name)>& is_wanted);

}  // namespace frond
