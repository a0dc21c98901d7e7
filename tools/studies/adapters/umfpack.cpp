// SPDX-License-Identifier: BSD-3-Clause
// Runs UMFPACK (Davis 2004), with METIS; its threads are those of OpenBLAS.
#include <umfpack.h>

#include "tools/program/bench/adapters/peer.hpp"

namespace frond {
namespace {

// The functions of one scalar type. Complex numbers are passed as pairs, which UMFPACK recognizes by null imaginary parts.
template <Scalar S>
struct UmfpackOf;
template <>
struct UmfpackOf<double> {
  static auto defaults(auto... arguments) { return umfpack_dl_defaults(arguments...); }
  static auto free_symbolic(auto... arguments) { return umfpack_dl_free_symbolic(arguments...); }
  static auto free_numeric(auto... arguments) { return umfpack_dl_free_numeric(arguments...); }
  static auto symbolic(auto... arguments) { return umfpack_dl_symbolic(arguments...); }
  static auto qsymbolic(auto... arguments) { return umfpack_dl_qsymbolic(arguments...); }
  static auto numeric(auto... arguments) { return umfpack_dl_numeric(arguments...); }
  static auto solve(auto... arguments) { return umfpack_dl_solve(arguments...); }
};
template <>
struct UmfpackOf<std::complex<double>> {
  using Long = SuiteSparse_long;
  static auto defaults(auto... arguments) { return umfpack_zl_defaults(arguments...); }
  static auto free_symbolic(auto... arguments) { return umfpack_zl_free_symbolic(arguments...); }
  static auto free_numeric(auto... arguments) { return umfpack_zl_free_numeric(arguments...); }
  static Long symbolic(Long rows, Long cols, const Long* offsets, const Long* indices, const double* values, void** result,
                       const double* control, double* info) {
    return umfpack_zl_symbolic(rows, cols, offsets, indices, values, nullptr, result, control, info);
  }
  static Long qsymbolic(Long rows, Long cols, const Long* offsets, const Long* indices, const double* values, const Long* perm,
                        void** result, const double* control, double* info) {
    return umfpack_zl_qsymbolic(rows, cols, offsets, indices, values, nullptr, perm, result, control, info);
  }
  static Long numeric(const Long* offsets, const Long* indices, const double* values, void* symbolic, void** result,
                      const double* control, double* info) {
    return umfpack_zl_numeric(offsets, indices, values, nullptr, symbolic, result, control, info);
  }
  static Long solve(Long system, const Long* offsets, const Long* indices, const double* values, double* x, const double* b,
                    void* numeric, const double* control, double* info) {
    return umfpack_zl_solve(system, offsets, indices, values, nullptr, x, nullptr, b, nullptr, numeric, control, info);
  }
};

constexpr double kMostRefinementSteps = 10;

template <Scalar S>
class UmfpackSolver final : public PeerSolver<S> {
  using Umfpack = UmfpackOf<S>;

 public:
  explicit UmfpackSolver(const PeerProblem<S>& problem)
      : n_(problem.matrix.num_rows),
        offsets_(problem.matrix.column_offsets.begin(), problem.matrix.column_offsets.end()),
        rows_(problem.matrix.row_indices.begin(), problem.matrix.row_indices.end()),
        values_(reinterpret_cast<const double*>(problem.matrix.values.data())),
        perm_(problem.ordering.begin(), problem.ordering.end()) {
    Umfpack::defaults(control_);
    control_[UMFPACK_ORDERING] = UMFPACK_ORDERING_METIS;
    control_[UMFPACK_IRSTEP] = problem.refines ? kMostRefinementSteps : 0;
    if (!perm_.empty()) {
      control_[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;  // keeps the given order
    }
  }

  ~UmfpackSolver() override {
    Umfpack::free_numeric(&numeric_);
    Umfpack::free_symbolic(&symbolic_);
  }

  void analyze() override {
    require("analysis",
            perm_.empty()
                ? Umfpack::symbolic(n_, n_, offsets_.data(), rows_.data(), values_, &symbolic_, control_, info_)
                : Umfpack::qsymbolic(n_, n_, offsets_.data(), rows_.data(), values_, perm_.data(), &symbolic_, control_, info_));
  }

  void discard() override { Umfpack::free_numeric(&numeric_); }

  void factorize() override {
    require("factorization", Umfpack::numeric(offsets_.data(), rows_.data(), values_, symbolic_, &numeric_, control_, info_));
    factor_entries_ = static_cast<Count>(info_[UMFPACK_LNZ] + info_[UMFPACK_UNZ]);
  }

  // Keeps the symbolic analysis.
  void refactorize(std::span<const S> values) override {
    values_ = reinterpret_cast<const double*>(values.data());
    discard();
    factorize();
  }

  void solve(std::span<const S> b, std::span<S> x) override {
    require("solve", Umfpack::solve(UMFPACK_A, offsets_.data(), rows_.data(), values_, reinterpret_cast<double*>(x.data()),
                                    reinterpret_cast<const double*>(b.data()), numeric_, control_, info_));
  }

  [[nodiscard]] Count factor_entries() const override { return factor_entries_; }

 private:
  static void require(const std::string& phase, SuiteSparse_long status) { require_success(status == UMFPACK_OK, phase, status); }

  SuiteSparse_long n_;
  std::vector<SuiteSparse_long> offsets_;
  std::vector<SuiteSparse_long> rows_;
  const double* values_;
  std::vector<SuiteSparse_long> perm_;
  double control_[UMFPACK_CONTROL] = {};
  double info_[UMFPACK_INFO] = {};
  void* symbolic_ = nullptr;
  void* numeric_ = nullptr;
  Count factor_entries_ = 0;
};

std::string version() {
  return "UMFPACK " + std::to_string(UMFPACK_MAIN_VERSION) + "." + std::to_string(UMFPACK_SUB_VERSION) + "." +
         std::to_string(UMFPACK_SUBSUB_VERSION);
}

}  // namespace
}  // namespace frond

int main(int argc, char** argv) {
  using frond::Method;
  using frond::PeerThreads;
  return frond::run_peer(
      argc, argv,
      frond::with_solver<frond::UmfpackSolver<double>, frond::UmfpackSolver<std::complex<double>>>({.solver = frond::version(),
                                                                                                    .real_methods = {Method::lu},
                                                                                                    .complex_methods = {Method::lu},
                                                                                                    .threads = PeerThreads::blas}));
}
