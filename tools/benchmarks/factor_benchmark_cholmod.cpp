// SPDX-License-Identifier: BSD-3-Clause
// CHOLMOD (Chen, Davis, Hager, Rajamanickam 2008), supernodal, as a contender.
#include <cholmod.h>

#include <stdexcept>
#include <string>

#include "tools/benchmarks/factor_benchmark_solvers.hpp"

namespace frond {
namespace {

class CholmodContender final : public Contender {
 public:
  explicit CholmodContender(const Problem& problem)
      : offsets_(problem.matrix.column_offsets.begin(), problem.matrix.column_offsets.end()),
        rows_(problem.matrix.row_indices.begin(), problem.matrix.row_indices.end()),
        values_(problem.matrix.values),
        perm_(problem.symbolic->permutation().perm.begin(), problem.symbolic->permutation().perm.end()) {
    cholmod_l_start(&common_);
    common_.print = 0;
    common_.nmethods = 1;
    common_.method[0].ordering = CHOLMOD_GIVEN;
    common_.postorder = true;
    common_.supernodal = CHOLMOD_SUPERNODAL;
    set_matrix();
    factor_ = cholmod_l_analyze_p(&matrix_, perm_.data(), nullptr, 0, &common_);
    require_success("analysis");
  }

  ~CholmodContender() override {
    cholmod_l_free_factor(&factor_, &common_);
    cholmod_l_finish(&common_);
  }

  void factorize() override {
    cholmod_l_factorize(&matrix_, factor_, &common_);
    require_success("factorization");
  }

  std::vector<double> solve(std::span<const double> b) override {
    std::vector<double> copy(b.begin(), b.end());
    cholmod_dense right = {};
    right.nrow = right.nzmax = right.d = copy.size();
    right.ncol = 1;
    right.x = copy.data();
    right.xtype = CHOLMOD_REAL;
    right.dtype = CHOLMOD_DOUBLE;
    cholmod_dense* solution = cholmod_l_solve(CHOLMOD_A, factor_, &right, &common_);
    require_success("solve");
    const auto* x = static_cast<const double*>(solution->x);
    copy.assign(x, x + copy.size());
    cholmod_l_free_dense(&solution, &common_);
    return copy;
  }

 private:
  void set_matrix() {
    matrix_.nrow = matrix_.ncol = perm_.size();
    matrix_.nzmax = values_.size();
    matrix_.p = offsets_.data();
    matrix_.i = rows_.data();
    matrix_.x = values_.data();
    matrix_.stype = -1;  // lower triangle
    matrix_.itype = CHOLMOD_LONG;
    matrix_.xtype = CHOLMOD_REAL;
    matrix_.dtype = CHOLMOD_DOUBLE;
    matrix_.sorted = true;
    matrix_.packed = true;
  }

  void require_success(const std::string& phase) const {
    if (common_.status != CHOLMOD_OK) {
      throw std::runtime_error("CHOLMOD, " + phase + ": status " + std::to_string(common_.status));
    }
  }

  std::vector<SuiteSparse_long> offsets_;
  std::vector<SuiteSparse_long> rows_;
  std::vector<double> values_;
  std::vector<SuiteSparse_long> perm_;
  cholmod_common common_ = {};
  cholmod_sparse matrix_ = {};
  cholmod_factor* factor_ = nullptr;
};

}  // namespace

std::unique_ptr<Contender> make_cholmod(const Problem& problem) { return std::make_unique<CholmodContender>(problem); }

}  // namespace frond
