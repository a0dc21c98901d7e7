// SPDX-License-Identifier: BSD-3-Clause
// Runs CHOLMOD (Chen, Davis, Hager, Rajamanickam 2008), supernodal, with METIS; its threads are those of OpenBLAS.
#include <cholmod.h>

#include <algorithm>

#include "tools/program/bench/adapters/peer.hpp"

namespace frond {
namespace {

class CholmodSolver final : public PeerSolver<double> {
 public:
  explicit CholmodSolver(const PeerProblem<double>& problem)
      : offsets_(problem.matrix.column_offsets.begin(), problem.matrix.column_offsets.end()),
        rows_(problem.matrix.row_indices.begin(), problem.matrix.row_indices.end()),
        values_(problem.matrix.values),
        perm_(problem.ordering.begin(), problem.ordering.end()) {
    cholmod_l_start(&common_);
    common_.print = 0;
    common_.nmethods = 1;
    common_.method[0].ordering = perm_.empty() ? CHOLMOD_METIS : CHOLMOD_GIVEN;
    common_.postorder = 1;
    common_.supernodal = CHOLMOD_SUPERNODAL;
    set_matrix(static_cast<std::size_t>(problem.matrix.num_rows));
  }

  ~CholmodSolver() override {
    cholmod_l_free_factor(&factor_, &common_);
    cholmod_l_finish(&common_);
  }

  void analyze() override {
    factor_ = cholmod_l_analyze_p(&matrix_, perm_.empty() ? nullptr : perm_.data(), nullptr, 0, &common_);
    require_success(common_.status == CHOLMOD_OK, "analysis", common_.status);
  }

  void factorize() override {
    cholmod_l_factorize(&matrix_, factor_, &common_);
    require_success(common_.status == CHOLMOD_OK, "factorization", common_.status);
  }

  void refactorize(std::span<const double> values) override {
    matrix_.x = const_cast<double*>(values.data());  // which CHOLMOD reads only
    factorize();
  }

  void solve(std::span<const double> b, std::span<double> x) override {
    std::vector<double> copy(b.begin(), b.end());
    cholmod_dense right = {};
    right.nrow = right.nzmax = right.d = copy.size();
    right.ncol = 1;
    right.x = copy.data();
    right.xtype = CHOLMOD_REAL;
    right.dtype = CHOLMOD_DOUBLE;
    cholmod_dense* solution = cholmod_l_solve(CHOLMOD_A, factor_, &right, &common_);
    require_success(common_.status == CHOLMOD_OK, "solve", common_.status);
    std::copy_n(static_cast<const double*>(solution->x), x.size(), x.begin());
    cholmod_l_free_dense(&solution, &common_);
  }

  [[nodiscard]] Count factor_entries() const override { return static_cast<Count>(factor_->xsize); }

 private:
  void set_matrix(std::size_t order) {
    matrix_.nrow = matrix_.ncol = order;
    matrix_.nzmax = values_.size();
    matrix_.p = offsets_.data();
    matrix_.i = rows_.data();
    matrix_.x = values_.data();
    matrix_.stype = -1;  // lower triangle
    matrix_.itype = CHOLMOD_LONG;
    matrix_.xtype = CHOLMOD_REAL;
    matrix_.dtype = CHOLMOD_DOUBLE;
    matrix_.sorted = 1;
    matrix_.packed = 1;
  }

  std::vector<SuiteSparse_long> offsets_;
  std::vector<SuiteSparse_long> rows_;
  std::vector<double> values_;
  std::vector<SuiteSparse_long> perm_;
  cholmod_common common_ = {};
  cholmod_sparse matrix_ = {};
  cholmod_factor* factor_ = nullptr;
};

std::string version() {
  return "CHOLMOD " + std::to_string(CHOLMOD_MAIN_VERSION) + "." + std::to_string(CHOLMOD_SUB_VERSION) + "." +
         std::to_string(CHOLMOD_SUBSUB_VERSION);
}

}  // namespace
}  // namespace frond

int main(int argc, char** argv) {
  using namespace frond;
  return run_peer(argc, argv,
                  {.solver = version(),
                   .real_methods = {Method::cholesky},
                   .threads = PeerThreads::blas,
                   .make_real = [](const PeerProblem<double>& problem) { return std::make_unique<CholmodSolver>(problem); }});
}
