// SPDX-License-Identifier: BSD-3-Clause
// Solves A x = b with A = tridiag(-1, 4, -1) in several processes: each has some entries of A and rows of b, and asks for those
// rows of x.
#include <mpi.h>

#include <cstdio>
#include <frond/mpi.hpp>
#include <vector>

bool solve() {
  const frond::Place place = frond::on(MPI_COMM_WORLD);
  const frond::Index n = 1000;
  frond::Triplets<double> entries{.num_rows = n, .num_cols = n, .symmetry = frond::Symmetry::symmetric};
  std::vector<frond::Index> rows;
  for (frond::Index i = place.rank(); i < n; i += place.num_ranks()) {
    entries.add(i, i, 4.0);
    if (i > 0) entries.add(i, i - 1, -1.0);
    rows.push_back(i);
  }
  const std::vector<double> b(rows.size(), 2.0);
  std::vector<double> x(rows.size());

  const frond::Factorization<double> factorization(entries, {}, place);
  const frond::SolveReport report =
      factorization.solve_rows({rows, frond::column_view(std::span(b))}, {rows, frond::column_view(std::span(x))});
  if (place.rank() == 0) std::printf("%s\nx[0] = %.15g\n", report.describe().c_str(), x[0]);
  return report.verdict == frond::Verdict::solved;
}

int main(int argc, char** argv) {
  int thread_level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &thread_level);
  const bool is_solved = solve();
  MPI_Finalize();
  return is_solved ? 0 : 1;
}
