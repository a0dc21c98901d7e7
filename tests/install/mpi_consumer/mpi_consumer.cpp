// SPDX-License-Identifier: BSD-3-Clause
// A program of somebody else in several processes: each has some entries of A, some rows of b, and wants these rows of x.
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <frond/mpi.hpp>
#include <memory>
#include <vector>

// A x = b with A = tridiag(-1, 4, -1) of order 1000 and x = (1, 2, ..., 1000); row i belongs to rank i mod P.
bool solve() {
  const auto gate = std::make_shared<frond::MpiGate>(frond::mpi_thread_level());
  const frond::Communicator ranks = frond::duplicate(MPI_COMM_WORLD, gate);

  const frond::Index order = 1000;
  frond::Triplets<double> entries{.num_rows = order, .num_cols = order, .symmetry = frond::Symmetry::symmetric};
  std::vector<frond::Index> rows;
  std::vector<double> b;
  for (frond::Index i = ranks.rank(); i < order; i += ranks.num_ranks()) {
    entries.add(i, i, 4.0);
    if (i > 0) entries.add(i, i - 1, -1.0);
    rows.push_back(i);
    b.push_back(2.0 * (i + 1) + (i + 1 == order ? order + 1.0 : 0.0));
  }

  const auto system = std::make_shared<frond::DistributedSystem<double>>(ranks, entries);
  frond::DistributedFactorization<double> factorization(system);
  std::vector<double> x(b.size());
  const auto num_rows = static_cast<frond::Index>(rows.size());
  const frond::SolveReport report =
      factorization.solve_rows({rows, {b.data(), num_rows, 1, num_rows}}, {rows, {x.data(), num_rows, 1, num_rows}});

  if (ranks.rank() == 0) std::printf("%s\n", report.describe().c_str());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!(std::abs(x[k] - (rows[k] + 1)) < 1e-9)) {
      std::printf("x[%d] is %.17g\n", rows[k], x[k]);
      return false;
    }
  }
  return report.verdict == frond::Verdict::solved;
}

int main(int argc, char** argv) {
  int thread_level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &thread_level);
  const bool is_solved = solve();
  MPI_Finalize();
  return is_solved ? 0 : 1;
}
