// SPDX-License-Identifier: BSD-3-Clause
// Reads two matrices for one analysis.
#include "tools/program/solve/foreign_analysis.hpp"
#include "frond/error.hpp"

#include <fmt/core.h>

namespace frond {
namespace {

const char* field_of(const AnyMatrix& matrix) { return std::holds_alternative<SparseMatrix<double>>(matrix) ? "real" : "complex"; }

}  // namespace

std::optional<MatrixInput> read_analysed_matrix(const SolveArguments& arguments, MatrixInput& input) {
  if (arguments.analysis_of.empty()) {
    return std::nullopt;
  }
  SystemArguments system = arguments.system;
  system.keeps_zeros = true;  // the matrix may have nonzeros at these positions
  MatrixInput analysed = read_matrix_input(system, arguments.analysis_of);
  input.seconds += analysed.seconds;
  if (analysed.matrix.index() != input.matrix.index()) {
    throw UsageError(fmt::format("--analysis-of: {} is {}, but {} is {}; name a {} matrix", arguments.analysis_of,
                                 field_of(analysed.matrix), arguments.system.matrix, field_of(input.matrix),
                                 field_of(input.matrix)));
  }
  give_up_lone_symmetry(input, analysed);
  return analysed;
}

std::string foreign_analysis_prefix(const SolveArguments& arguments) {
  return fmt::format("{} with the analysis of {}: ", arguments.system.matrix, arguments.analysis_of);
}

}  // namespace frond
