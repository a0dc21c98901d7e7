// SPDX-License-Identifier: BSD-3-Clause
// Reports what a file looks like whose format cannot be read.
#pragma once

#include <string>
#include <string_view>

namespace frond {

/// Throws an InputError for binary files; known kinds come with how to convert them.
void reject_binary(std::string_view text, const std::string& file);

/// Throws an InputError that says what this text looks like (nothing, a banner too late, a list of triplets, prose) and the remedy.
[[noreturn]] void reject_foreign_text(std::string_view text, const std::string& file);

}  // namespace frond
