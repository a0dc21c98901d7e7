// SPDX-License-Identifier: BSD-3-Clause
// Runs MUMPS (Amestoy, Duff, L'Excellent, Koster 2001), in its sequential build, whose threads are those of OpenBLAS, or over MPI.
#include <dmumps_c.h>
#include <zmumps_c.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "tools/program/bench/adapters/peer.hpp"
#include "tools/program/bench/adapters/team.hpp"
#include "tools/studies/adapters/metis_order.hpp"

namespace frond {
namespace {

template <Scalar S>
struct MumpsOf;
template <>
struct MumpsOf<double> {
  using Structure = DMUMPS_STRUC_C;
  using Entry = DMUMPS_COMPLEX;
  static void call(Structure& mumps) { dmumps_c(&mumps); }
};
template <>
struct MumpsOf<std::complex<double>> {
  using Structure = ZMUMPS_STRUC_C;
  using Entry = ZMUMPS_COMPLEX;
  static void call(Structure& mumps) { zmumps_c(&mumps); }
};

// Values of MUMPS's `job`.
enum class Job : MUMPS_INT { initialize = -1, finish = -2, analyze = 1, factorize = 2, solve = 3 };

constexpr MUMPS_INT kWorldCommunicator = -987654;  // from MUMPS's manual
constexpr MUMPS_INT kMostRefinementSteps = 10;
constexpr MUMPS_INT kIntegerWorkspaceTooSmall = -8;
constexpr MUMPS_INT kRealWorkspaceTooSmall = -9;

MUMPS_INT mumps_symmetry(Method method) { return method == Method::cholesky ? 1 : method == Method::lu ? 0 : 2; }

template <Scalar S>
class MumpsSolver final : public PeerSolver<S> {
  using Mumps = MumpsOf<S>;
  using Entry = typename Mumps::Entry;

 public:
  explicit MumpsSolver(const PeerProblem<S>& problem)
      : problem_(problem), values_(problem.matrix.values), b_(problem.rank == 0 ? problem.matrix.num_rows : 0) {
    mumps_.sym = mumps_symmetry(problem.method);
    mumps_.par = 1;
    mumps_.comm_fortran = kWorldCommunicator;
    run(Job::initialize);
    for (const int stream : {1, 2, 3}) {
      control(stream) = -1;
    }
    control(4) = 0;  // no output
    if (problem.refines) {
      control(10) = kMostRefinementSteps;
      mumps_.cntl[1] = std::numeric_limits<double>::epsilon();  // stops at componentwise errors below this
    }
    if (problem.rank == 0) {
      set_matrix();
    }
  }

  ~MumpsSolver() override {
    mumps_.job = static_cast<MUMPS_INT>(Job::finish);
    Mumps::call(mumps_);
  }

  // Debian's MUMPS is built without METIS but accepts its ordering. With zeros on the diagonal MUMPS's own ordering is better,
  // since it matches rows and columns first.
  void analyze() override {
    if (problem_.rank == 0 && (!problem_.ordering.empty() || has_full_diagonal(problem_.matrix))) {
      const std::vector<Index> perm = problem_.ordering.empty() ? metis_order(problem_.matrix.pattern()) : problem_.ordering;
      positions_ = inverse_of(perm);
      std::for_each(positions_.begin(), positions_.end(), [](MUMPS_INT& position) { ++position; });
      mumps_.perm_in = positions_.data();
      control(7) = 1;  // order of elimination as given
    }
    run(Job::analyze);
  }

  // Retries with more workspace if delayed pivots need it.
  void factorize() override {
    while (!try_job(Job::factorize)) {
      if (mumps_.infog[0] != kIntegerWorkspaceTooSmall && mumps_.infog[0] != kRealWorkspaceTooSmall) {
        refuse(Job::factorize);
      }
      control(14) *= 2;
    }
  }

  void refactorize(std::span<const S> values) override {
    mumps_.a = reinterpret_cast<Entry*>(const_cast<S*>(values.data()));  // which MUMPS reads only
    factorize();
  }

  void solve(std::span<const S> b, std::span<S> x) override {
    if (problem_.rank == 0) {
      std::copy(b.begin(), b.end(), b_.begin());
      mumps_.rhs = reinterpret_cast<Entry*>(b_.data());
    }
    run(Job::solve);
    std::copy(b_.begin(), b_.end(), x.begin());
  }

  [[nodiscard]] Count factor_entries() const override {
    const Count entries = mumps_.infog[28];
    return entries < 0 ? -entries * 1000000 : entries;  // in millions if there are too many
  }

 private:
  // Counted from 1, as in MUMPS's manual.
  MUMPS_INT& control(int number) { return mumps_.icntl[number - 1]; }

  void set_matrix() {
    const SparseMatrix<S>& matrix = problem_.matrix;
    rows_.reserve(matrix.row_indices.size());
    cols_.reserve(matrix.row_indices.size());
    for (Index j = 0; j < matrix.num_cols; ++j) {
      for (Count k = matrix.column_offsets[j]; k < matrix.column_offsets[static_cast<std::size_t>(j) + 1]; ++k) {
        rows_.push_back(matrix.row_indices[k] + 1);
        cols_.push_back(j + 1);
      }
    }
    mumps_.n = matrix.num_rows;
    mumps_.nnz = matrix.num_entries();
    mumps_.irn = rows_.data();
    mumps_.jcn = cols_.data();
    mumps_.a = reinterpret_cast<Entry*>(values_.data());
  }

  [[nodiscard]] bool try_job(Job job) {
    mumps_.job = static_cast<MUMPS_INT>(job);
    Mumps::call(mumps_);
    return mumps_.infog[0] >= 0;
  }

  void run(Job job) {
    if (!try_job(job)) {
      refuse(job);
    }
  }

  [[noreturn]] void refuse(Job job) const {
    throw std::runtime_error("job " + std::to_string(static_cast<MUMPS_INT>(job)) +
                             ": INFOG(1) = " + std::to_string(mumps_.infog[0]) + ", INFOG(2) = " + std::to_string(mumps_.infog[1]));
  }

  const PeerProblem<S>& problem_;
  typename Mumps::Structure mumps_ = {};
  std::vector<S> values_;
  std::vector<MUMPS_INT> rows_;
  std::vector<MUMPS_INT> cols_;
  std::vector<MUMPS_INT> positions_;  // of each variable in the order of elimination, from 1
  std::vector<S> b_;
};

}  // namespace
}  // namespace frond

int main(int argc, char** argv) {
  using frond::Method;
  using frond::PeerThreads;
  const bool is_over_mpi = !frond::team_launcher().empty();
  return frond::run_peer(argc, argv,
                         frond::with_solver<frond::MumpsSolver<double>, frond::MumpsSolver<std::complex<double>>>(
                             {.solver = "MUMPS " MUMPS_VERSION,
                              .real_methods = {Method::cholesky, Method::ldlt, Method::lu},
                              .complex_methods = {Method::ldlt, Method::lu},
                              .threads = PeerThreads::blas,
                              .least_ranks = is_over_mpi ? 2 : 1,
                              .most_ranks = is_over_mpi ? 1 << 20 : 1}));
}
