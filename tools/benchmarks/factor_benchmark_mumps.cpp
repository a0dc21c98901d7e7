// SPDX-License-Identifier: BSD-3-Clause
// MUMPS (Amestoy, Duff, L'Excellent, Koster 2001) as a contender, in its sequential build or over MPI.
#include <dmumps_c.h>

#include <stdexcept>
#include <string>

#include "tools/benchmarks/factor_benchmark_solvers.hpp"

namespace frond {
namespace {

/// Values of MUMPS's `job`.
enum class Job : MUMPS_INT { initialize = -1, finish = -2, analyze = 1, factorize = 2, solve = 3 };

constexpr MUMPS_INT kWorldCommunicator = -987654;  // from MUMPS's manual

MUMPS_INT mumps_symmetry(Method method) {
  switch (method) {
    case Method::cholesky:
      return 1;
    case Method::lu:
      return 0;
    default:
      return 2;
  }
}

class MumpsContender final : public Contender {
 public:
  explicit MumpsContender(const Problem& problem) : values_(problem.matrix.values) {
    mumps_.sym = mumps_symmetry(problem.method);
    mumps_.par = 1;
    mumps_.comm_fortran = kWorldCommunicator;
    run(Job::initialize);
    set_controls();
    if (problem.symbolic) {  // on the first process
      set_matrix(problem.matrix);
      set_ordering(problem.symbolic->permutation());
    }
    run(Job::analyze);
  }

  ~MumpsContender() override {
    mumps_.job = static_cast<MUMPS_INT>(Job::finish);
    dmumps_c(&mumps_);
  }

  void factorize() override { run(Job::factorize); }

  std::vector<double> solve(std::span<const double> b) override {
    std::vector<double> x(b.begin(), b.end());
    mumps_.rhs = x.data();
    run(Job::solve);
    return x;
  }

 private:
  /// Controls are counted from 1, as in MUMPS's manual.
  void set_control(int number, MUMPS_INT value) { mumps_.icntl[number - 1] = value; }

  void set_controls() {
    for (const int stream : {1, 2, 3}) set_control(stream, -1);
    set_control(4, 0);     // no output
    set_control(6, 0);     // no column permutation: it would change the order of elimination
    set_control(7, 1);     // order of elimination as given
    set_control(8, 0);     // no scaling: its time would count as factorization
    set_control(12, 1);    // LDLT: no compressed ordering
    set_control(14, 100);  // as much workspace again as predicted
    set_control(16, 1);    // threads
    set_control(28, 1);    // sequential analysis
  }

  void set_matrix(const SparseMatrix<double>& matrix) {
    rows_.reserve(matrix.row_indices.size());
    cols_.reserve(matrix.row_indices.size());
    for (Index j = 0; j < matrix.num_cols; ++j) {
      for (Count k = matrix.column_offsets[j]; k < matrix.column_offsets[j + 1]; ++k) {
        rows_.push_back(matrix.row_indices[static_cast<std::size_t>(k)] + 1);
        cols_.push_back(j + 1);
      }
    }
    mumps_.n = matrix.num_rows;
    mumps_.nnz = matrix.num_entries();
    mumps_.irn = rows_.data();
    mumps_.jcn = cols_.data();
    mumps_.a = values_.data();
  }

  void set_ordering(const Permutation& permutation) {
    for (const Index position : permutation.inverse_perm) positions_.push_back(position + 1);
    mumps_.perm_in = positions_.data();
  }

  void run(Job job) {
    mumps_.job = static_cast<MUMPS_INT>(job);
    dmumps_c(&mumps_);
    if (mumps_.infog[0] < 0) {
      throw std::runtime_error("MUMPS, job " + std::to_string(mumps_.job) + ": INFOG(1) = " + std::to_string(mumps_.infog[0]) +
                               ", INFOG(2) = " + std::to_string(mumps_.infog[1]));
    }
  }

  DMUMPS_STRUC_C mumps_ = {};
  std::vector<double> values_;
  std::vector<MUMPS_INT> rows_;
  std::vector<MUMPS_INT> cols_;
  std::vector<MUMPS_INT> positions_;  // of each variable in the order of elimination, from 1
};

}  // namespace

std::unique_ptr<Contender> make_mumps(const Problem& problem) { return std::make_unique<MumpsContender>(problem); }

}  // namespace frond
