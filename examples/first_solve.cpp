// SPDX-License-Identifier: BSD-3-Clause
// Solves A x = b with A = tridiag(-1, 4, -1), whose lower triangle is given entry by entry, in any order.
#include <cstdio>
#include <frond/frond.hpp>
#include <utility>
#include <vector>

int main() {
  const frond::Index n = 1000;
  frond::Triplets<double> entries{.num_rows = n, .num_cols = n, .symmetry = frond::Symmetry::symmetric};
  for (frond::Index i = 0; i < n; ++i) {
    entries.add(i, i, 4.0);
    if (i > 0) entries.add(i, i - 1, -1.0);
  }
  const frond::SparseMatrix<double> matrix = frond::compress(std::move(entries));
  const std::vector<double> b(n, 2.0);

  try {
    const auto [x, report] = frond::solve(matrix, b);
    std::printf("%s\nx[0] = %.15g, x[%d] = %.15g\n", report.describe().c_str(), x[0], n / 2, x[n / 2]);
    return report.verdict == frond::Verdict::solved ? 0 : 1;
  } catch (const frond::Error& error) {  // bad input or too little memory: the message names the remedy
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
