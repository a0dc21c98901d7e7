// SPDX-License-Identifier: BSD-3-Clause
// Loads problems and chooses their method.
#include "tools/benchmarks/factor_benchmark_problem.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "matrices/build.hpp"
#include "matrices/error.hpp"
#include "matrices/generate.hpp"
#include "matrices/read.hpp"

namespace frond {
namespace {

bool is_model_problem(const std::string& word) {
  return std::ranges::any_of(model_problems(), [&](const ModelProblemInfo& info) { return info.name == word; });
}

Index parse_size(const std::string& kind, const std::string& word) {
  Index size = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), size);
  if (error != std::errc() || end != word.data() + word.size()) {
    throw UsageError("the model problem " + kind + " must be followed by its size, a whole number, not by \"" + word + "\"");
  }
  return size;
}

SparseMatrix<double> real_matrix(const ProblemName& name) {
  AnyMatrix matrix =
      is_model_problem(name[0]) ? generate(parse_model_problem(name[0]), parse_size(name[0], name[1]), 1) : read_matrix(name[0]);
  require_square(matrix, name[0]);
  if (auto* real = std::get_if<SparseMatrix<double>>(&matrix)) {
    return std::move(*real);
  }
  throw UsageError(name[0] + " is complex; this benchmark measures real matrices");
}

/// The diagonal entry is the first of its column in a lower triangle that has it.
bool has_positive_diagonal(const SparseMatrix<double>& lower) {
  for (Index j = 0; j < lower.num_cols; ++j) {
    const auto first = static_cast<std::size_t>(lower.column_offsets[j]);
    const bool is_empty = lower.column_offsets[j] == lower.column_offsets[j + 1];
    if (is_empty || lower.row_indices[first] != j || !(lower.values[first] > 0)) {
      return false;
    }
  }
  return true;
}

bool has_symmetric_values(Symmetry symmetry) { return symmetry == Symmetry::symmetric || symmetry == Symmetry::hermitian; }

Method natural_method(const SparseMatrix<double>& matrix) {
  if (!has_symmetric_values(matrix.symmetry)) {
    return Method::lu;
  }
  return has_positive_diagonal(matrix) ? Method::cholesky : Method::ldlt;
}

}  // namespace

std::vector<ProblemName> parse_problems(std::span<const std::string> words) {
  std::vector<ProblemName> problems;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (!is_model_problem(words[k])) {
      problems.push_back({words[k]});
      continue;
    }
    const std::string size = k + 1 < words.size() ? words[k + 1] : "";
    static_cast<void>(parse_size(words[k], size));
    problems.push_back({words[k], size});
    ++k;
  }
  return problems;
}

Problem load_problem(const ProblemName& name, std::optional<Method> method) {
  Problem problem;
  problem.matrix = real_matrix(name);
  problem.method = method.value_or(natural_method(problem.matrix));
  if (is_symmetric(problem.method) && !has_symmetric_values(problem.matrix.symmetry)) {
    throw UsageError(name[0] + " is not symmetric: only LU applies");
  }
  if (problem.method == Method::lu && problem.matrix.symmetry != Symmetry::general) {
    problem.matrix = expand_to_general(problem.matrix.view());
  }
  problem.symbolic = analyze(problem.matrix.pattern());
  return problem;
}

}  // namespace frond
