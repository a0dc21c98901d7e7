// SPDX-License-Identifier: BSD-3-Clause
// Runs SuperLU (Demmel, Eisenstat, Gilbert, Li, Liu 1999). With a full diagonal, uses its symmetric mode with METIS, as its manual
// advises; otherwise COLAMD and partial pivoting.
#include <slu_ddefs.h>
#include <slu_zdefs.h>

#include <algorithm>

#include "tools/program/bench/adapters/peer.hpp"
#include "tools/studies/adapters/metis_order.hpp"

namespace frond {
namespace {

template <Scalar S>
struct SuperLuOf;
template <>
struct SuperLuOf<double> {
  using Entry = double;
  static constexpr Dtype_t kDtype = SLU_D;
  static auto create_columns(auto... arguments) { return dCreate_CompCol_Matrix(arguments...); }
  static auto create_dense(auto... arguments) { return dCreate_Dense_Matrix(arguments...); }
  static auto run(auto... arguments) { return dgssvx(arguments...); }
};
template <>
struct SuperLuOf<std::complex<double>> {
  using Entry = doublecomplex;
  static constexpr Dtype_t kDtype = SLU_Z;
  static auto create_columns(auto... arguments) { return zCreate_CompCol_Matrix(arguments...); }
  static auto create_dense(auto... arguments) { return zCreate_Dense_Matrix(arguments...); }
  static auto run(auto... arguments) { return zgssvx(arguments...); }
};

constexpr double kSymmetricPivotThreshold = 0.01;  // for mostly large diagonals: SuperLU's manual, symmetric mode

template <Scalar S>
class SuperLuSolver final : public PeerSolver<S> {
  using SuperLu = SuperLuOf<S>;
  using Entry = typename SuperLu::Entry;

 public:
  explicit SuperLuSolver(const PeerProblem<S>& problem)
      : problem_(problem),
        n_(problem.matrix.num_rows),
        offsets_(problem.matrix.column_offsets.begin(), problem.matrix.column_offsets.end()),
        rows_(problem.matrix.row_indices),
        values_(problem.matrix.values),
        col_places_(static_cast<std::size_t>(n_)),
        row_places_(col_places_.size()),
        etree_(col_places_.size()),
        row_scales_(col_places_.size()),
        col_scales_(col_places_.size()) {
    set_default_options(&options_);
    options_.IterRefine = NOREFINE;
    StatInit(&stat_);
    SuperLu::create_columns(&matrix_, n_, n_, static_cast<int>(rows_.size()), reinterpret_cast<Entry*>(values_.data()),
                            rows_.data(), offsets_.data(), SLU_NC, SuperLu::kDtype, SLU_GE);
  }

  ~SuperLuSolver() override {
    free_factors();
    Destroy_SuperMatrix_Store(&matrix_);
    StatFree(&stat_);
  }

  void analyze() override {
    if (!problem_.ordering.empty() || has_full_diagonal(problem_.matrix)) {
      col_places_ = inverse_of(problem_.ordering.empty() ? metis_order(problem_.matrix.pattern()) : problem_.ordering);
      options_.ColPerm = MY_PERMC;
      options_.SymmetricMode = YES;
      options_.DiagPivotThresh = kSymmetricPivotThreshold;
    } else {
      get_perm_c(COLAMD, &matrix_, col_places_.data());
      options_.ColPerm = MY_PERMC;
    }
  }

  // SuperLU scales the matrix in place.
  void discard() override {
    free_factors();
    std::copy(problem_.matrix.values.begin(), problem_.matrix.values.end(), values_.begin());
  }

  void factorize() override {
    run("factorization", {}, {}, 0);
    has_factors_ = true;
  }

  // Keeps pivots, and the memory of the factors. SuperLU scales the copy in place.
  void refactorize(std::span<const S> values) override {
    std::copy(values.begin(), values.end(), values_.begin());
    options_.Fact = SamePattern_SameRowPerm;
    run("refactorization", {}, {}, 0);
  }

  void solve(std::span<const S> b, std::span<S> x) override {
    std::vector<S> scaled_b(b.begin(), b.end());
    options_.Fact = FACTORED;
    run("solve", scaled_b, x, 1);
    options_.Fact = SamePattern;  // the next matrix has the same elimination tree
  }

  [[nodiscard]] Count factor_entries() const override {
    return static_cast<const SCformat*>(lower_.Store)->nnz + static_cast<const NCformat*>(upper_.Store)->nnz;
  }

 private:
  void run(const std::string& phase, std::span<S> b, std::span<S> x, int num_columns) {
    SuperMatrix right;
    SuperMatrix solution;
    SuperLu::create_dense(&right, n_, num_columns, reinterpret_cast<Entry*>(b.data()), n_, SLU_DN, SuperLu::kDtype, SLU_GE);
    SuperLu::create_dense(&solution, n_, num_columns, reinterpret_cast<Entry*>(x.data()), n_, SLU_DN, SuperLu::kDtype, SLU_GE);
    double growth = 0;
    double condition = 0;
    double forward_error = 0;
    double backward_error = 0;
    mem_usage_t memory;
    int info = 0;
    SuperLu::run(&options_, &matrix_, col_places_.data(), row_places_.data(), etree_.data(), &scaled_, row_scales_.data(),
                 col_scales_.data(), &lower_, &upper_, nullptr, 0, &right, &solution, &growth, &condition, &forward_error,
                 &backward_error, &storage_, &memory, &stat_, &info);
    Destroy_SuperMatrix_Store(&right);
    Destroy_SuperMatrix_Store(&solution);
    require_success(info == 0, phase, info);
  }

  void free_factors() {
    if (has_factors_) {
      Destroy_SuperNode_Matrix(&lower_);
      Destroy_CompCol_Matrix(&upper_);
      has_factors_ = false;
    }
  }

  const PeerProblem<S>& problem_;
  int n_;
  std::vector<int> offsets_;
  std::vector<int> rows_;
  std::vector<S> values_;
  std::vector<int> col_places_;  // col_places_[j] = k: column j is eliminated k-th
  std::vector<int> row_places_;
  std::vector<int> etree_;
  std::vector<double> row_scales_;
  std::vector<double> col_scales_;
  superlu_options_t options_ = {};
  SuperLUStat_t stat_ = {};
  SuperMatrix matrix_ = {};
  SuperMatrix lower_ = {};
  SuperMatrix upper_ = {};
  GlobalLU_t storage_ = {};
  char scaled_ = 'N';
  bool has_factors_ = false;
};

std::string version() {
  return "SuperLU " + std::to_string(SUPERLU_MAJOR_VERSION) + "." + std::to_string(SUPERLU_MINOR_VERSION) + "." +
         std::to_string(SUPERLU_PATCH_VERSION);
}

}  // namespace
}  // namespace frond

int main(int argc, char** argv) {
  using frond::Method;
  return frond::run_peer(argc, argv,
                         frond::with_solver<frond::SuperLuSolver<double>, frond::SuperLuSolver<std::complex<double>>>(
                             {.solver = frond::version(), .real_methods = {Method::lu}, .complex_methods = {Method::lu}}));
}
