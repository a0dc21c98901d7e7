// SPDX-License-Identifier: BSD-3-Clause
// Two files, one analysis.
#include "tools/solve/foreign_analysis.hpp"
#include "frond/error.hpp"

#include <fmt/core.h>

namespace frond {
namespace {

const char* field_of(const AnyMatrix& matrix) { return std::holds_alternative<SparseMatrix<double>>(matrix) ? "real" : "complex"; }

}  // namespace

std::optional<AnyMatrix> read_analysed_matrix(const SolveArguments& arguments, const AnyMatrix& matrix, double& seconds) {
  if (arguments.analysis_of.empty()) {
    return std::nullopt;
  }
  double further_seconds = 0;
  AnyMatrix analysed = read_square_matrix(arguments.analysis_of, further_seconds);
  seconds += further_seconds;
  if (analysed.index() != matrix.index()) {
    throw UsageError(fmt::format("--analysis-of: {} is {}, but {} is {}; name a {} matrix", arguments.analysis_of,
                                 field_of(analysed), arguments.system.matrix, field_of(matrix), field_of(matrix)));
  }
  return analysed;
}

std::string foreign_analysis_prefix(const SolveArguments& arguments) {
  return fmt::format("{} with the analysis of {}: ", arguments.system.matrix, arguments.analysis_of);
}

}  // namespace frond
