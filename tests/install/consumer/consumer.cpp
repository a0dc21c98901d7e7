// SPDX-License-Identifier: BSD-3-Clause
// A program of somebody else that uses Frond as its readers are told to: solves a small system and checks the answer itself.
#include <cmath>
#include <cstdio>
#include <frond/frond.hpp>
#include <vector>

// A x = b with A = tridiag(-1, 4, -1) of order 1000 and x = (1, 2, ..., 1000).
int main() {
  const frond::Index order = 1000;
  frond::Triplets<double> triplets{.num_rows = order, .num_cols = order, .symmetry = frond::Symmetry::symmetric};
  std::vector<double> b(order);
  for (frond::Index i = 0; i < order; ++i) {
    triplets.add(i, i, 4.0);
    if (i > 0) triplets.add(i, i - 1, -1.0);
    b[i] = 2.0 * (i + 1) + (i + 1 == order ? order + 1.0 : 0.0);
  }
  const auto matrix = frond::compress(std::move(triplets));

  const frond::Analysis analysis = frond::analyze(matrix);
  const frond::Factorization<double> factorization(analysis, matrix);
  std::vector<double> x(order);
  const frond::SolveReport report = factorization.solve(b, x);

  std::printf("%s\n", report.describe().c_str());
  for (frond::Index i = 0; i < order; ++i) {
    if (!(std::abs(x[i] - (i + 1)) < 1e-9)) {
      std::printf("x[%d] is %.17g\n", i, x[i]);
      return 1;
    }
  }
  return report.verdict == frond::Verdict::solved ? 0 : 1;
}
