// SPDX-License-Identifier: BSD-3-Clause
// The linear systems that factor_benchmark measures: model problems by name and size, or matrix files.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/symbolic.hpp"
#include "matrices/sparse_matrix.hpp"

namespace frond {

/// Words of the command line that name one problem: {KIND, N} or {FILE}.
using ProblemName = std::vector<std::string>;

/// Splits "laplacian3d7 60 some.mtx" into its problems. Throws a UsageError when a model problem has no size.
[[nodiscard]] std::vector<ProblemName> parse_problems(std::span<const std::string> words);

/// A real matrix, how it is to be factorized, and the analysis whose order of elimination all solvers get.
struct Problem {
  SparseMatrix<double> matrix;  ///< for LU both triangles, otherwise the lower one
  Method method = Method::lu;
  std::shared_ptr<const Symbolic> symbolic;
};

/// Makes or reads the matrix and analyses it. Without a method: LU for general matrices, Cholesky for symmetric ones with a
/// positive diagonal, LDLT for the others. Throws a UsageError for a complex matrix, and for a symmetric method on a general one.
[[nodiscard]] Problem load_problem(const ProblemName& name, std::optional<Method> method);

}  // namespace frond
