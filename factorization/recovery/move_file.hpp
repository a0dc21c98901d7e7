// SPDX-License-Identifier: BSD-3-Clause
// A part of a front on its way from one rank to another through a file.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "factorization/recovery/recovery_plan.hpp"

namespace frond {

/// The file of a part in a folder that both ranks see.
[[nodiscard]] std::string move_file(const std::string& folder, const MovedPart& part);

/// Writes what read(offset, bytes) fills, some MiB at a time, and puts it on the disk. Throws OutputError.
void write_move_file(const std::string& path, Count total_bytes,
                     const std::function<void(Count offset, std::span<std::byte> bytes)>& read);

/// Hands what is in the file to write(offset, bytes), and removes it. Throws InputError if it is not as long, or cannot be read.
void read_move_file(const std::string& path, Count total_bytes,
                    const std::function<void(Count offset, std::span<const std::byte> bytes)>& write);

}  // namespace frond
