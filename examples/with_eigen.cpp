// SPDX-License-Identifier: BSD-3-Clause
// Factorizes a sparse matrix of Eigen, whose values are used in place.
#include <Eigen/SparseCore>
#include <cstdio>
#include <frond/eigen.hpp>
#include <frond/frond.hpp>
#include <vector>

int main() {
  const int n = 1000;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, 3.0);
    if (i > 0) entries.emplace_back(i, i - 1, -2.0);
    if (i + 1 < n) entries.emplace_back(i, i + 1, 1.0);
  }
  Eigen::SparseMatrix<double> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::VectorXd expected = Eigen::VectorXd::LinSpaced(n, 1.0, 2.0);
  const Eigen::VectorXd b = matrix * expected;

  const frond::SystemMatrix system = frond::from_eigen(matrix);
  const frond::Factorization<double> factorization(frond::analyze(system), system);
  Eigen::VectorXd x(n);
  const frond::SolveReport report = factorization.solve({b.data(), b.data() + n}, {x.data(), x.data() + n});
  const double error = (x - expected).lpNorm<Eigen::Infinity>();
  std::printf("%s\nerror %.1e\n", report.describe().c_str(), error);
  return error < 1e-10 ? 0 : 1;
}
