// SPDX-License-Identifier: BSD-3-Clause
// Applies Newton's method to a chain of nonlinear springs, u_i^3 + 2 u_i - u_(i-1) - u_(i+1) = f_i. Values change from step to step
// but positions do not, so the matrix is analysed once.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <frond/frond.hpp>
#include <utility>
#include <vector>

int main() {
  const frond::Index n = 500;
  frond::Triplets<double> entries{.num_rows = n, .num_cols = n, .symmetry = frond::Symmetry::symmetric};
  for (frond::Index i = 0; i < n; ++i) {
    entries.add(i, i, 2.0);
    if (i > 0) entries.add(i, i - 1, -1.0);
  }
  frond::SparseMatrix<double> jacobian = frond::compress(std::move(entries));
  const frond::Analysis analysis = frond::analyze(jacobian);

  std::vector<double> u(n, 0.0), residual(n), step(n);
  double size = 1;
  for (int iteration = 0; iteration < 50 && size > 1e-12; ++iteration) {
    for (frond::Index i = 0; i < n; ++i) {
      residual[i] = 1 - (u[i] * u[i] * u[i] + 2 * u[i] - (i > 0 ? u[i - 1] : 0) - (i + 1 < n ? u[i + 1] : 0));
      jacobian.values[jacobian.column_offsets[i]] = 3 * u[i] * u[i] + 2;  // the diagonal comes first in its column
    }
    const frond::Factorization<double> factorization(analysis, jacobian);
    if (factorization.solve(residual, step).verdict != frond::Verdict::solved) return 1;
    size = 0;
    for (frond::Index i = 0; i < n; ++i) size = std::max(size, std::abs(step[i]));
    for (frond::Index i = 0; i < n; ++i) u[i] += step[i];
    std::printf("step %2d: %.1e\n", iteration + 1, size);
  }
  return size <= 1e-12 ? 0 : 1;
}
