// SPDX-License-Identifier: BSD-3-Clause
// Matrices by their names in lists of tests.
#pragma once

#include <string>

#include "frond/files.hpp"

namespace frond::test {

/// "bcsstk17.mtx.gz" is that file in `folder`, "kkt3d:10" the model problem of that size, and "A+B" the two one after the other on
/// the diagonal: a forest. Throws UsageError when A and B differ in scalar or symmetry, otherwise like read_matrix() and
/// generate().
[[nodiscard]] AnyMatrix named_matrix(const std::string& name, const std::string& folder);

}  // namespace frond::test
