// SPDX-License-Identifier: BSD-3-Clause
// Saying what a file looks like that is none of the formats that can be read.
#pragma once

#include <string>
#include <string_view>

namespace frond {

/// Throws an InputError for binary files, with how to convert those that are known.
void reject_binary(std::string_view text, const std::string& file);

/// Throws an InputError that says what this text looks like (nothing, a banner too late, a list of triplets, prose) and the remedy.
[[noreturn]] void reject_foreign_text(std::string_view text, const std::string& file);

}  // namespace frond
