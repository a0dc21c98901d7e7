// SPDX-License-Identifier: BSD-3-Clause
// UMFPACK (Davis 2004), symmetric strategy, as a contender.
#include <umfpack.h>

#include <stdexcept>
#include <string>

#include "tools/benchmarks/factor_benchmark_solvers.hpp"

namespace frond {
namespace {

class UmfpackContender final : public Contender {
 public:
  explicit UmfpackContender(const Problem& problem)
      : offsets_(problem.matrix.column_offsets.begin(), problem.matrix.column_offsets.end()),
        rows_(problem.matrix.row_indices.begin(), problem.matrix.row_indices.end()),
        values_(problem.matrix.values) {
    umfpack_dl_defaults(control_);
    control_[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
    control_[UMFPACK_SCALE] = UMFPACK_SCALE_NONE;  // its time would count as factorization
    control_[UMFPACK_IRSTEP] = 0;
    const std::vector<Index>& perm = problem.symbolic->permutation().perm;
    const std::vector<SuiteSparse_long> columns(perm.begin(), perm.end());
    const auto n = static_cast<SuiteSparse_long>(columns.size());
    require_success("analysis", umfpack_dl_qsymbolic(n, n, offsets_.data(), rows_.data(), values_.data(), columns.data(),
                                                     &symbolic_, control_, nullptr));
  }

  ~UmfpackContender() override {
    umfpack_dl_free_numeric(&numeric_);
    umfpack_dl_free_symbolic(&symbolic_);
  }

  void discard() override { umfpack_dl_free_numeric(&numeric_); }

  void factorize() override {
    require_success("factorization",
                    umfpack_dl_numeric(offsets_.data(), rows_.data(), values_.data(), symbolic_, &numeric_, control_, nullptr));
  }

  std::vector<double> solve(std::span<const double> b) override {
    std::vector<double> x(b.size());
    require_success("solve", umfpack_dl_solve(UMFPACK_A, offsets_.data(), rows_.data(), values_.data(), x.data(), b.data(),
                                              numeric_, control_, nullptr));
    return x;
  }

 private:
  static void require_success(const std::string& phase, SuiteSparse_long status) {
    if (status != UMFPACK_OK) {
      throw std::runtime_error("UMFPACK, " + phase + ": status " + std::to_string(status));
    }
  }

  std::vector<SuiteSparse_long> offsets_;
  std::vector<SuiteSparse_long> rows_;
  std::vector<double> values_;
  double control_[UMFPACK_CONTROL];
  void* symbolic_ = nullptr;
  void* numeric_ = nullptr;
};

}  // namespace

std::unique_ptr<Contender> make_umfpack(const Problem& problem) { return std::make_unique<UmfpackContender>(problem); }

}  // namespace frond
