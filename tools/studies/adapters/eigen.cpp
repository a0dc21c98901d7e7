// SPDX-License-Identifier: BSD-3-Clause
// Runs Eigen (Guennebaud, Jacob and others): SimplicialLLT and SparseLU, with METIS if an ordering of A + A^T suits the matrix and
// COLAMD otherwise.
#include <Eigen/Sparse>

#include "tools/program/bench/adapters/peer.hpp"
#include "tools/studies/adapters/metis_order.hpp"

namespace frond {
namespace {

template <Scalar S>
class EigenSolver final : public PeerSolver<S> {
  using Matrix = Eigen::SparseMatrix<S, Eigen::ColMajor, Index>;
  using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;
  using Permutation = Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, Index>;
  using Cholesky = Eigen::SimplicialLLT<Matrix, Eigen::Lower, Eigen::NaturalOrdering<Index>>;
  using Lu = Eigen::SparseLU<Matrix, Eigen::NaturalOrdering<Index>>;

 public:
  explicit EigenSolver(const PeerProblem<S>& problem)
      : problem_(problem),
        offsets_(problem.matrix.column_offsets.begin(), problem.matrix.column_offsets.end()),
        matrix_(Eigen::Map<const Matrix>(problem.matrix.num_rows, problem.matrix.num_cols, problem.matrix.num_entries(),
                                         offsets_.data(), problem.matrix.row_indices.data(), problem.matrix.values.data())) {}

  void analyze() override {
    order();
    permute();
    if (problem_.method == Method::cholesky) {
      cholesky_.analyzePattern(permuted_);
    } else {
      lu_.isSymmetric(is_symmetric_order_);
      lu_.analyzePattern(permuted_);
    }
  }

  void factorize() override {
    if (problem_.method == Method::cholesky) {
      cholesky_.factorize(permuted_);
      require_success(cholesky_.info() == Eigen::Success, "factorization", cholesky_.info());
    } else {
      lu_.factorize(permuted_);
      require_success(lu_.info() == Eigen::Success, "factorization", lu_.info());
    }
  }

  void refactorize(std::span<const S> values) override {
    std::copy(values.begin(), values.end(), matrix_.valuePtr());
    permute();
    factorize();
  }

  void solve(std::span<const S> b, std::span<S> x) override {
    const Vector permuted_b = row_positions_ * Eigen::Map<const Vector>(b.data(), matrix_.rows());
    const Vector y = problem_.method == Method::cholesky ? Vector(cholesky_.solve(permuted_b)) : Vector(lu_.solve(permuted_b));
    Eigen::Map<Vector>(x.data(), matrix_.rows()) = col_positions_.transpose() * y;
  }

 private:
  void permute() {
    if (problem_.method == Method::cholesky) {
      permuted_.resize(matrix_.rows(), matrix_.cols());
      permuted_.template selfadjointView<Eigen::Lower>() =
          matrix_.template selfadjointView<Eigen::Lower>().twistedBy(col_positions_);
    } else {
      const Matrix rows_permuted = row_positions_ * matrix_;
      permuted_ = rows_permuted * col_positions_.transpose();
      permuted_.makeCompressed();
    }
  }

  // Positions of rows and columns: entry j of the indices of a permutation matrix is the new position of j.
  void order() {
    is_symmetric_order_ = !problem_.ordering.empty() || has_full_diagonal(problem_.matrix);
    if (is_symmetric_order_) {
      const std::vector<Index> places =
          inverse_of(problem_.ordering.empty() ? metis_order(problem_.matrix.pattern()) : problem_.ordering);
      col_positions_.indices() = Eigen::Map<const Eigen::Matrix<Index, Eigen::Dynamic, 1>>(places.data(), matrix_.cols());
      row_positions_ = col_positions_;
    } else {
      Eigen::COLAMDOrdering<Index>()(matrix_, col_positions_);
      row_positions_.setIdentity(matrix_.rows());
    }
  }

  const PeerProblem<S>& problem_;
  std::vector<Index> offsets_;
  Matrix matrix_;
  Matrix permuted_;
  Permutation row_positions_;
  Permutation col_positions_;
  bool is_symmetric_order_ = true;
  Cholesky cholesky_;
  Lu lu_;
};

std::string version() {
  return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
         std::to_string(EIGEN_MINOR_VERSION);
}

}  // namespace
}  // namespace frond

int main(int argc, char** argv) {
  using frond::Method;
  return frond::run_peer(argc, argv,
                         frond::with_solver<frond::EigenSolver<double>, frond::EigenSolver<std::complex<double>>>(
                             {.solver = frond::version(),
                              .real_methods = {Method::cholesky, Method::lu},
                              .complex_methods = {Method::cholesky, Method::lu}}));
}
