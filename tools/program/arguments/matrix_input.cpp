// SPDX-License-Identifier: BSD-3-Clause
// Reads a matrix and detects its symmetry.
#include "tools/program/arguments/matrix_input.hpp"
#include "matrices/files/matrix_file.hpp"

#include <fmt/core.h>

#include <utility>

#include "matrices/explicit_zeros.hpp"
#include "solver/numerics/problem/found_symmetry.hpp"
#include "tools/program/process/progress_bar.hpp"
#include "tools/program/process/stopwatch.hpp"

namespace frond {
namespace {

Symmetry symmetry_of(const AnyMatrix& matrix) {
  return std::visit([](const auto& one) { return one.symmetry; }, matrix);
}

template <Scalar S>
void leave_out_zeros(SparseMatrix<S>& matrix, std::vector<std::string>& notes) {
  if (const Count num_zeros = count_needless_zeros(matrix.view()); num_zeros > 0) {
    matrix = without_zeros(matrix.view());
    notes.push_back(left_out_note(num_zeros) + "; --keep-zeros keeps them");
  }
}

template <Scalar S>
void detect_symmetry(SparseMatrix<S>& matrix, MatrixInput& input) {
  if (matrix.symmetry != Symmetry::general) {
    return;
  }
  if (const Symmetry symmetry = find_symmetry(matrix.view()); symmetry != Symmetry::general) {
    matrix = lower_triangle(matrix.view(), symmetry);
    input.has_detected_symmetry = true;
  } else if (std::string note = near_symmetry_note(matrix.view()); !note.empty()) {
    input.notes.push_back(std::move(note));
  }
}

}  // namespace

MatrixInput read_matrix_input(const SystemArguments& arguments, const std::string& path) {
  const ProgressBar bar("reading", stderr);
  const Stopwatch watch;
  MatrixFile file = read_matrix_file(path, arguments.num_threads);
  require_square(file.matrix, path);
  MatrixInput input{std::move(file.matrix), false, std::move(file.notes), std::move(file.right_sides),
                    std::move(file.right_sides_name)};
  std::visit(
      [&](auto& matrix) {
        if (!arguments.keeps_zeros) {
          leave_out_zeros(matrix, input.notes);
        }
        if (!arguments.named.is("symmetry", "as-stored")) {
          detect_symmetry(matrix, input);
        }
      },
      input.matrix);
  input.seconds = watch.seconds();
  return input;
}

void give_up_lone_symmetry(MatrixInput& one, MatrixInput& other) {
  for (MatrixInput* input : {&one, &other}) {
    if (input->has_detected_symmetry && symmetry_of(one.matrix) != symmetry_of(other.matrix)) {
      std::visit([](auto& matrix) { matrix = expand_to_general(matrix.view()); }, input->matrix);
      input->has_detected_symmetry = false;
    }
  }
}

Index order_of(const AnyMatrix& matrix) {
  return std::visit([](const auto& square) { return square.num_cols; }, matrix);
}

}  // namespace frond
