// SPDX-License-Identifier: BSD-3-Clause
// Runs KLU (Davis, Palamadai Natarajan 2010) for circuits: block triangular form, and AMD in the blocks.
#include <klu.h>

#include <algorithm>

#include "tools/program/bench/adapters/peer.hpp"

namespace frond {
namespace {

template <Scalar S>
struct KluOf;
template <>
struct KluOf<double> {
  static auto factor(auto... arguments) { return klu_l_factor(arguments...); }
  static auto refactor(auto... arguments) { return klu_l_refactor(arguments...); }
  static auto solve(auto... arguments) { return klu_l_solve(arguments...); }
  static auto free_numeric(auto... arguments) { return klu_l_free_numeric(arguments...); }
};
template <>
struct KluOf<std::complex<double>> {
  static auto factor(auto... arguments) { return klu_zl_factor(arguments...); }
  static auto refactor(auto... arguments) { return klu_zl_refactor(arguments...); }
  static auto solve(auto... arguments) { return klu_zl_solve(arguments...); }
  static auto free_numeric(auto... arguments) { return klu_zl_free_numeric(arguments...); }
};

template <Scalar S>
class KluSolver final : public PeerSolver<S> {
 public:
  explicit KluSolver(const PeerProblem<S>& problem)
      : n_(problem.matrix.num_rows),
        offsets_(problem.matrix.column_offsets.begin(), problem.matrix.column_offsets.end()),
        rows_(problem.matrix.row_indices.begin(), problem.matrix.row_indices.end()),
        values_(problem.matrix.values),
        perm_(problem.ordering.begin(), problem.ordering.end()) {
    klu_l_defaults(&common_);
  }

  ~KluSolver() override {
    discard();
    klu_l_free_symbolic(&symbolic_, &common_);
  }

  void analyze() override {
    symbolic_ = perm_.empty() ? klu_l_analyze(n_, offsets_.data(), rows_.data(), &common_)
                              : klu_l_analyze_given(n_, offsets_.data(), rows_.data(), perm_.data(), perm_.data(), &common_);
    require_success(symbolic_ != nullptr, "analysis", common_.status);
  }

  void discard() override { KluOf<S>::free_numeric(&numeric_, &common_); }

  void factorize() override {
    numeric_ = KluOf<S>::factor(offsets_.data(), rows_.data(), reinterpret_cast<double*>(values_.data()), symbolic_, &common_);
    require_success(numeric_ != nullptr && common_.status == KLU_OK, "factorization", common_.status);
  }

  // Keeps the pivots of the first factorization.
  void refactorize(std::span<const S> values) override {
    auto* entries = reinterpret_cast<double*>(const_cast<S*>(values.data()));  // which KLU reads only
    KluOf<S>::refactor(offsets_.data(), rows_.data(), entries, symbolic_, numeric_, &common_);
    require_success(common_.status == KLU_OK, "refactorization", common_.status);
  }

  void solve(std::span<const S> b, std::span<S> x) override {
    std::copy(b.begin(), b.end(), x.begin());
    KluOf<S>::solve(symbolic_, numeric_, n_, 1, reinterpret_cast<double*>(x.data()), &common_);
    require_success(common_.status == KLU_OK, "solve", common_.status);
  }

  [[nodiscard]] Count factor_entries() const override { return numeric_->lnz + numeric_->unz + numeric_->nzoff; }

 private:
  SuiteSparse_long n_;
  std::vector<SuiteSparse_long> offsets_;
  std::vector<SuiteSparse_long> rows_;
  std::vector<S> values_;
  std::vector<SuiteSparse_long> perm_;
  klu_l_common common_ = {};
  klu_l_symbolic* symbolic_ = nullptr;
  klu_l_numeric* numeric_ = nullptr;
};

std::string version() {
  return "KLU " + std::to_string(KLU_MAIN_VERSION) + "." + std::to_string(KLU_SUB_VERSION) + "." +
         std::to_string(KLU_SUBSUB_VERSION);
}

}  // namespace
}  // namespace frond

int main(int argc, char** argv) {
  using frond::Method;
  return frond::run_peer(argc, argv,
                         frond::with_solver<frond::KluSolver<double>, frond::KluSolver<std::complex<double>>>(
                             {.solver = frond::version(), .real_methods = {Method::lu}, .complex_methods = {Method::lu}}));
}
