// SPDX-License-Identifier: BSD-3-Clause
// Solves with one matrix for many right-hand sides: those known together are solved together, later ones as they arrive. A is given
// by compressed rows in arrays that stay with the program; the offsets may have 32 or 64 bits.
#include <cstdint>
#include <cstdio>
#include <frond/frond.hpp>
#include <vector>

int main() {
  // [ 4 1 0 ]
  // [ 0 5 2 ]
  // [ 3 0 6 ]
  const std::vector<std::int32_t> offsets = {0, 2, 4, 6};
  const std::vector<frond::Index> columns = {0, 1, 1, 2, 0, 2};
  const std::vector<double> values = {4, 1, 5, 2, 3, 6};
  const auto matrix = frond::compressed_rows<double>(3, offsets, columns, values);
  const frond::Factorization<double> factorization(frond::analyze(matrix), matrix);

  frond::DenseMatrix<double> b(3, 2);  // column by column
  b.values = {5, 7, 9, 4, 0, 3};
  frond::DenseMatrix<double> x(3, 2);
  const frond::SolveReport report = factorization.solve(frond::view_of(b), frond::view_of(x));
  std::printf("%s\n", report.describe().c_str());
  for (frond::Index j = 0; j < 2; ++j) std::printf("x%d = (%g, %g, %g)\n", j + 1, x(0, j), x(1, j), x(2, j));

  std::vector<double> transposed(3);
  const std::vector<double> c = {7, 6, 8};
  const auto later = factorization.solve(c, transposed, frond::Operation::transposed);  // A^T y = c
  std::printf("y = (%g, %g, %g)\n", transposed[0], transposed[1], transposed[2]);
  return report.verdict == frond::Verdict::solved && later.verdict == frond::Verdict::solved ? 0 : 1;
}
