// SPDX-License-Identifier: BSD-3-Clause
// Sparse matrices of SciPy in files, as scipy.sparse.save_npz writes them.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "matrices/files/packed.hpp"
#include "matrices/large_triplets.hpp"

namespace frond {

using AnyLargeTriplets = std::variant<LargeTriplets<double>, LargeTriplets<std::complex<double>>>;

/// Whether an archive with these members is one.
[[nodiscard]] bool is_npz(const std::vector<std::string>& names);

/// The entries of a matrix in any of the formats csr, csc, coo, bsr and dia, in any order, some of them perhaps at one position.
/// Throws an InputError that names `file` and the member.
[[nodiscard]] AnyLargeTriplets read_npz(const std::vector<ArchiveMember>& members, const std::string& file);

}  // namespace frond
