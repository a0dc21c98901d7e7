// SPDX-License-Identifier: BSD-3-Clause
// Requested results of `frond solve` other than solutions: a null space, entries of the inverse.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frond/factorization.hpp"
#include "frond/matrix.hpp"
#include "solver/numerics/answers/inverse.hpp"
#include "solver/numerics/answers/null_space.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/sweeps/factor_parts.hpp"
#include "tools/program/arguments/command_line.hpp"
#include "tools/program/arguments/file_arguments.hpp"
#include "tools/program/records/run_record.hpp"

namespace frond {

/// Values as on the command line; file names are empty if nothing is requested.
struct AnswerArguments {
  std::string null_space;
  std::string inverse_diagonal;
  std::vector<std::string> inverse_entries;  ///< the pattern and the entries, or empty
  bool refines_inverse = false;
  std::vector<std::string> factor_part;  ///< the part and the file, or empty

  /// True if more than a solve with a part is requested.
  [[nodiscard]] bool asks() const { return !null_space.empty() || !inverse_diagonal.empty() || !inverse_entries.empty(); }
  [[nodiscard]] InverseAccuracy accuracy() const { return refines_inverse ? InverseAccuracy::refined : InverseAccuracy::direct; }
};

void add_answer_options(CLI::App& command, AnswerArguments& arguments);
/// Throws UsageError for a --factor-part that does not name one, and for --refine-inverse if no inverse is requested.
void check_answers(const AnswerArguments& arguments);
/// Throws UsageError if --factor-part requests a solve with single precision factors for a matrix in double.
void check_factors_of_part(const AnswerArguments& arguments, const SystemReport& factors);
[[nodiscard]] std::vector<FileArgument> input_files(const AnswerArguments& arguments);
[[nodiscard]] std::vector<FileArgument> output_files(const AnswerArguments& arguments);

/// X := op(part)^-1 X for the part that --factor-part names; `factorization` is of one process or of several, of which all but the
/// first pass an empty x.
template <Scalar S>
void solve_named_part(Factorization<S>& factorization, const AnswerArguments& arguments, Operation operation, DenseView<S> x) {
  const std::string& name = arguments.factor_part[0];
  const FactorPart part = name == "lower" ? FactorPart::lower : name == "upper" ? FactorPart::upper : FactorPart::diagonal;
  factorization.solve_part(part, operation, x);
}

/// Returns the pattern of the requested entries, both triangles; empty if none are. Throws InputError.
[[nodiscard]] SparseMatrix<double> read_inverse_pattern(const AnswerArguments& arguments, Index order);

/// The requested results.
template <Scalar S>
struct Answers {
  std::optional<NullSpace<S>> null_space;
  std::optional<InverseEntries<S>> inverse_diagonal;
  std::optional<InverseEntries<S>> inverse_entries;
};

/// Computes the requested results. `factorization` is of one process or of several, of which all but the first pass an empty
/// pattern. The null space is that of op(A), the inverse that of A.
template <Scalar S>
[[nodiscard]] Answers<S> find_answers(Factorization<S>& factorization, const AnswerArguments& arguments, Operation operation,
                                      const PatternView& diagonal, const PatternView& pattern) {
  Answers<S> answers;
  if (!arguments.null_space.empty()) {
    answers.null_space = factorization.null_space(operation);
  }
  if (!arguments.inverse_diagonal.empty()) {
    answers.inverse_diagonal = factorization.inverse_entries(diagonal, arguments.accuracy());
  }
  if (!arguments.inverse_entries.empty()) {
    answers.inverse_entries = factorization.inverse_entries(pattern, arguments.accuracy());
  }
  return answers;
}

/// Writes the files, as far as results exist, and reports both. Throws OutputError.
template <Scalar S>
[[nodiscard]] AnswerFacts write_answers(const Answers<S>& answers, const AnswerArguments& arguments,
                                        const SparseMatrix<double>& pattern);

}  // namespace frond
