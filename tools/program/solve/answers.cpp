// SPDX-License-Identifier: BSD-3-Clause
// Adds the options, and reads, writes and reports answers.
#include "tools/program/solve/answers.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <complex>
#include <utility>
#include <variant>

#include "frond/error.hpp"
#include "frond/files.hpp"
#include "frond/matrix.hpp"
#include "tools/program/arguments/command_options.hpp"
#include "tools/program/process/atomic_output.hpp"
#include "tools/program/solve/right_hand_sides.hpp"
#include "tools/program/solve/single_precision.hpp"

namespace frond {
namespace {

// Returns the pattern with both triangles, without values.
template <Scalar S>
SparseMatrix<double> whole_pattern(const SparseMatrix<S>& matrix) {
  SparseMatrix<S> whole = expand_to_general(matrix.view());
  return {whole.num_rows, whole.num_cols, Symmetry::general, std::move(whole.column_offsets), std::move(whole.row_indices), {}};
}

template <Scalar S>
void tell_null_space(const NullSpace<S>& space, const std::string& path, AnswerFacts& facts) {
  if (!space.is_known) {
    facts.lines.push_back(fmt::format("null space     not written: {}", space.note));
    return;
  }
  write_dense_file(path, space.basis);
  facts.null_space_dimension = space.dimension();
  facts.null_space_error = space.worst_backward_error();
  facts.lines.push_back(fmt::format("null space     dimension {}, backward error {:.1e}{}{}", space.dimension(),
                                    facts.null_space_error, space.note.empty() ? "" : "; ", space.note));
}

// Reports the entries; true if there are any.
template <Scalar S>
bool tell_inverse(const InverseEntries<S>& entries, const char* what, AnswerFacts& facts) {
  const bool exist = is_good(entries.verdict) || entries.verdict == Verdict::accuracy_missed;
  facts.has_inverse = true;
  facts.is_inverse_good = facts.is_inverse_good && is_good(entries.verdict);
  facts.lines.push_back(fmt::format("inverse        {}{}", what, entries.describe()));
  if (exist) {
    facts.num_inverse_entries += static_cast<Count>(entries.values.size());
    const bool is_measured = entries.verdict != Verdict::unmeasured;
    facts.inverse_error = is_measured ? std::max(facts.inverse_error, entries.backward_error) : entries.backward_error;
  }
  return exist;
}

}  // namespace

void add_answer_options(CLI::App& command, AnswerArguments& arguments) {
  const CommandOptions options(command, "Other answers");
  options.add_path(
      "--null-space Z.mtx", arguments.null_space,
      "Write an orthonormal basis of the null space of A, or of A^T or A^H if --operation says so, one vector per column");
  options.add_path("--inverse-diagonal d.mtx", arguments.inverse_diagonal, "Write the diagonal of A^-1");
  options.add_paths("--inverse-entries P.mtx OUT.mtx", arguments.inverse_entries,
                    "Write the entries of A^-1 in the positions of the matrix P, whose values do not count");
  options.add_flag(
      "--refine-inverse", arguments.refines_inverse,
      "Refine and verify all columns of A^-1 of which entries are wanted; takes as long as that many right-hand sides");
  options.add_paths("--factor-part PART OUT.mtx", arguments.factor_part,
                    "Write what the right-hand sides become by solving with one factor of A = L D U: lower, diagonal or upper, or "
                    "with its transposed; without refinement");
}

void check_answers(const AnswerArguments& arguments) {
  if (arguments.refines_inverse && arguments.inverse_diagonal.empty() && arguments.inverse_entries.empty()) {
    throw UsageError("--refine-inverse: no entries of the inverse are asked for; add --inverse-diagonal or --inverse-entries");
  }
  if (!arguments.factor_part.empty()) {
    const std::string& part = arguments.factor_part[0];
    if (part != "lower" && part != "diagonal" && part != "upper") {
      throw UsageError(fmt::format("--factor-part: '{}' is neither lower, diagonal nor upper", part));
    }
  }
}

void check_factors_of_part(const AnswerArguments& arguments, const SystemReport& factors) {
  if (!arguments.factor_part.empty() && factors.is_mixed) {
    throw UsageError(
        "--factor-part: the factors that were loaded are of single precision (--precision mixed), and solves with one of them have "
        "no more digits; factorize the matrix in full precision, without --load-factors");
  }
}

std::vector<FileArgument> input_files(const AnswerArguments& arguments) {
  return {{"--inverse-entries", arguments.inverse_entries.empty() ? std::string() : arguments.inverse_entries[0]}};
}

std::vector<FileArgument> output_files(const AnswerArguments& arguments) {
  return {{"--null-space", arguments.null_space},
          {"--inverse-diagonal", arguments.inverse_diagonal},
          {"--inverse-entries", arguments.inverse_entries.empty() ? std::string() : arguments.inverse_entries[1]},
          {"--factor-part", arguments.factor_part.empty() ? std::string() : arguments.factor_part[1]}};
}

SparseMatrix<double> read_inverse_pattern(const AnswerArguments& arguments, Index order) {
  if (arguments.inverse_entries.empty()) {
    return {};
  }
  const std::string& path = arguments.inverse_entries[0];
  SparseMatrix<double> pattern = std::visit([](const auto& matrix) { return whole_pattern(matrix); }, read_matrix(path));
  if (pattern.num_rows != order || pattern.num_cols != order) {
    throw InputError(path, 0,
                     fmt::format("the pattern of the inverse is {} by {}, but the matrix has order {}", pattern.num_rows,
                                 pattern.num_cols, order));
  }
  return pattern;
}

template <Scalar S>
AnswerFacts write_answers(const Answers<S>& answers, const AnswerArguments& arguments, const SparseMatrix<double>& pattern) {
  AnswerFacts facts;
  if (answers.null_space) {
    tell_null_space(*answers.null_space, arguments.null_space, facts);
  }
  if (answers.inverse_diagonal && tell_inverse(*answers.inverse_diagonal, "diagonal: ", facts)) {
    DenseMatrix<S> diagonal(static_cast<Index>(answers.inverse_diagonal->values.size()), 1);
    diagonal.values = answers.inverse_diagonal->values;
    write_dense_file(arguments.inverse_diagonal, std::move(diagonal));
  }
  if (answers.inverse_entries && tell_inverse(*answers.inverse_entries, "", facts)) {
    const AnyMatrix entries = widened(SparseMatrix<S>{pattern.num_rows, pattern.num_cols, Symmetry::general, pattern.column_offsets,
                                                      pattern.row_indices, answers.inverse_entries->values});
    write_atomically(arguments.inverse_entries[1], [&](const std::string& name) { write_matrix(name, entries); });
  }
  return facts;
}

template AnswerFacts write_answers(const Answers<float>&, const AnswerArguments&, const SparseMatrix<double>&);
template AnswerFacts write_answers(const Answers<double>&, const AnswerArguments&, const SparseMatrix<double>&);
template AnswerFacts write_answers(const Answers<std::complex<float>>&, const AnswerArguments&, const SparseMatrix<double>&);
template AnswerFacts write_answers(const Answers<std::complex<double>>&, const AnswerArguments&, const SparseMatrix<double>&);

}  // namespace frond
