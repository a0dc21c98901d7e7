// SPDX-License-Identifier: BSD-3-Clause
// Compressed files and archives, by zlib and libarchive.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "matrices/files/file_text.hpp"

namespace frond {

/// Whether it is compressed by gzip, xz, bzip2 or zstd.
[[nodiscard]] bool is_compressed(std::string_view content);

/// What was compressed. Throws an InputError that names `file` for data that are cut or damaged.
[[nodiscard]] FileText decompress(std::string_view content, const std::string& file);

/// Whether it is a tar or zip archive.
[[nodiscard]] bool is_archive(std::string_view content);

struct ArchiveMember {
  std::string name;
  FileText text;
};

/// The names of all files of an archive, in its order, folders left out.
[[nodiscard]] std::vector<std::string> archive_names(std::string_view content, const std::string& file);

/// Those files of an archive whose names are wanted, in its order. Throws likewise.
[[nodiscard]] std::vector<ArchiveMember> archive_members(std::string_view content, const std::string& file,
                                                         const std::function<bool(const std::string& name)>& is_wanted);

}  // namespace frond
