// SPDX-License-Identifier: BSD-3-Clause
// Finds matrices by their names in lists of tests.
#pragma once

#include <string>

#include "frond/files.hpp"

namespace frond::test {

/// "bcsstk17.mtx.gz" is that file in `folder`, "kkt3d:10" the model problem of that size, and "A+B" the block diagonal matrix of
/// both: a forest. Throws UsageError if A and B differ in scalar or symmetry, otherwise like read_matrix() and generate().
[[nodiscard]] AnyMatrix named_matrix(const std::string& name, const std::string& folder);

}  // namespace frond::test
