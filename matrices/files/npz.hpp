// SPDX-License-Identifier: BSD-3-Clause
// Reads SciPy sparse matrices from files, as scipy.sparse.save_npz writes them.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "matrices/files/packed.hpp"
#include "matrices/large_triplets.hpp"

namespace frond {

using AnyLargeTriplets = std::variant<LargeTriplets<double>, LargeTriplets<std::complex<double>>>;

/// True if an archive with these members is such a matrix.
[[nodiscard]] bool is_npz(const std::vector<std::string>& names);

/// Returns the entries of a matrix in format csr, csc, coo, bsr or dia, in any order and possibly with duplicates. Throws an
/// InputError that names `file` and the member.
[[nodiscard]] AnyLargeTriplets read_npz(const std::vector<ArchiveMember>& members, const std::string& file);

}  // namespace frond
