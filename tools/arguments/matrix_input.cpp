// SPDX-License-Identifier: BSD-3-Clause
// Reads a matrix, and looks at its values.
#include "tools/arguments/matrix_input.hpp"

#include <fmt/core.h>

#include <utility>

#include "matrices/symmetry.hpp"
#include "tools/process/progress_bar.hpp"
#include "tools/process/stopwatch.hpp"

namespace frond {
namespace {

Symmetry symmetry_of(const AnyMatrix& matrix) {
  return std::visit([](const auto& one) { return one.symmetry; }, matrix);
}

void detect_symmetry(MatrixInput& input) {
  std::visit(
      [&input]<Scalar S>(SparseMatrix<S>& matrix) {
        if (const Symmetry symmetry = find_symmetry(matrix.view()); symmetry != matrix.symmetry) {
          matrix = lower_triangle(matrix.view(), symmetry);
          input.has_detected_symmetry = true;
        }
      },
      input.matrix);
}

}  // namespace

MatrixInput read_matrix_input(const SystemArguments& arguments, const std::string& path) {
  const ProgressBar bar("reading", stderr);
  const Stopwatch watch;
  MatrixFile file = read_matrix_file(path, arguments.num_threads);
  require_square(file.matrix, path);
  MatrixInput input{std::move(file.matrix), false, std::move(file.notes), std::move(file.right_sides),
                    std::move(file.right_sides_name)};
  if (arguments.symmetry != "as-stored") {
    detect_symmetry(input);
  }
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
