// SPDX-License-Identifier: BSD-3-Clause
// Runs SuperLU_DIST (Li, Demmel 2003) with METIS, on a grid of processes; its threads are those of OpenMP.
#include <superlu_ddefs.h>
#include <superlu_zdefs.h>

#include <algorithm>
#include <cmath>

#include "frond/matrix.hpp"
#include "tools/program/bench/adapters/peer.hpp"
#include "tools/studies/adapters/metis_order.hpp"

namespace frond {
namespace {

template <Scalar S>
struct SuperLuOf;
template <>
struct SuperLuOf<double> {
  using Entry = double;
  using Scaling = dScalePermstruct_t;
  using Factors = dLUstruct_t;
  using Solve = dSOLVEstruct_t;
  static constexpr Dtype_t kDtype = SLU_D;
  static auto create_rows(auto... arguments) { return dCreate_CompRowLoc_Matrix_dist(arguments...); }
  static auto init_scaling(auto... arguments) { return dScalePermstructInit(arguments...); }
  static auto free_scaling(auto... arguments) { return dScalePermstructFree(arguments...); }
  static auto init_factors(auto... arguments) { return dLUstructInit(arguments...); }
  static auto free_factors(auto... arguments) { return dLUstructFree(arguments...); }
  static auto destroy_factors(auto... arguments) { return dDestroy_LU(arguments...); }
  static auto finalize_solve(auto... arguments) { return dSolveFinalize(arguments...); }
  static auto run(auto... arguments) { return pdgssvx(arguments...); }
};
template <>
struct SuperLuOf<std::complex<double>> {
  using Entry = doublecomplex;
  using Scaling = zScalePermstruct_t;
  using Factors = zLUstruct_t;
  using Solve = zSOLVEstruct_t;
  static constexpr Dtype_t kDtype = SLU_Z;
  static auto create_rows(auto... arguments) { return zCreate_CompRowLoc_Matrix_dist(arguments...); }
  static auto init_scaling(auto... arguments) { return zScalePermstructInit(arguments...); }
  static auto free_scaling(auto... arguments) { return zScalePermstructFree(arguments...); }
  static auto init_factors(auto... arguments) { return zLUstructInit(arguments...); }
  static auto free_factors(auto... arguments) { return zLUstructFree(arguments...); }
  static auto destroy_factors(auto... arguments) { return zDestroy_LU(arguments...); }
  static auto finalize_solve(auto... arguments) { return zSolveFinalize(arguments...); }
  static auto run(auto... arguments) { return pzgssvx(arguments...); }
};

int num_processes() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

// Returns the squarest grid with at most as many rows as columns, as SuperLU_DIST's manual advises.
int num_grid_rows(int size) {
  int rows = static_cast<int>(std::sqrt(size));
  while (size % rows != 0) {
    --rows;
  }
  return rows;
}

template <Scalar S>
class SuperLuDistSolver final : public PeerSolver<S> {
  using SuperLu = SuperLuOf<S>;
  using Entry = typename SuperLu::Entry;

 public:
  explicit SuperLuDistSolver(const PeerProblem<S>& problem)
      : problem_(problem), n_(problem.matrix.num_rows), size_(num_processes()) {
    for (int rank = 0; rank <= size_; ++rank) {
      first_rows_.push_back(static_cast<int>(Count{n_} * rank / size_));
    }
    take_rows(transpose(problem.matrix.view()));
    superlu_gridinit(MPI_COMM_WORLD, num_grid_rows(size_), size_ / num_grid_rows(size_), &grid_);
    set_default_options_dist(&options_);
    options_.PrintStat = NO;
    options_.RowPerm = NOROWPERM;  // Debian's build lacks MC64, and its other matching fails
    options_.DiagInv = NO;         // would have to be computed together with a solve
    options_.IterRefine = NOREFINE;
    options_.ColPerm = problem.ordering.empty() ? METIS_AT_PLUS_A : MY_PERMC;
    PStatInit(&stat_);
    SuperLu::init_scaling(n_, n_, &scaling_);
    SuperLu::init_factors(n_, &factors_);
    SuperLu::create_rows(&matrix_, n_, n_, offsets_.back(), num_rows_here(), first_row_here(),
                         reinterpret_cast<Entry*>(values_.data()), cols_.data(), offsets_.data(), SLU_NR_loc, SuperLu::kDtype,
                         SLU_GE);
  }

  ~SuperLuDistSolver() override {
    if (options_.SolveInitialized == YES) {
      SuperLu::finalize_solve(&options_, &solve_);
    }
    if (has_factors_) {
      SuperLu::destroy_factors(n_, &grid_, &factors_);
    }
    SuperLu::free_factors(&factors_);
    SuperLu::free_scaling(&scaling_);
    Destroy_SuperMatrix_Store_dist(&matrix_);
    PStatFree(&stat_);
    superlu_gridexit(&grid_);
  }

  void analyze() override {
    if (!problem_.ordering.empty()) {
      const std::vector<Index> places = inverse_of(problem_.ordering);
      std::copy(places.begin(), places.end(), scaling_.perm_c);
    }
  }

  // SuperLU_DIST scales and permutes the matrix in place.
  void discard() override {
    values_ = original_values_;
    cols_ = original_cols_;
  }

  // The first call includes everything that the analysis consists of.
  void factorize() override {
    std::fill_n(stat_.utime, NPHASES, 0.0);
    run("factorization", nullptr, 0);
    has_factors_ = true;
  }

  [[nodiscard]] double analysis_seconds() const override {
    return stat_.utime[ROWPERM] + stat_.utime[COLPERM] + stat_.utime[ETREE] + stat_.utime[SYMBFAC];
  }

  void solve(std::span<const S> b, std::span<S> x) override {
    std::vector<S> part(b.begin() + first_row_here(), b.begin() + first_row_here() + num_rows_here());
    options_.Fact = FACTORED;
    run("solve", reinterpret_cast<Entry*>(part.data()), 1);
    options_.Fact = SamePattern_SameRowPerm;  // for the next factorization
    gather(part, x);
  }

 private:
  [[nodiscard]] int first_row_here() const { return first_rows_[problem_.rank]; }
  [[nodiscard]] int num_rows_here() const { return first_rows_[static_cast<std::size_t>(problem_.rank) + 1] - first_row_here(); }

  // Takes this process's rows of A, which are columns of A^T.
  void take_rows(const SparseMatrix<S>& transposed) {
    const auto offset = transposed.column_offsets.begin() + first_row_here();
    const auto begin = static_cast<std::ptrdiff_t>(*offset);
    const auto end = static_cast<std::ptrdiff_t>(offset[num_rows_here()]);
    std::transform(offset, offset + num_rows_here() + 1, std::back_inserter(offsets_),
                   [begin](Count position) { return static_cast<int_t>(position - begin); });
    original_cols_.assign(transposed.row_indices.begin() + begin, transposed.row_indices.begin() + end);
    original_values_.assign(transposed.values.begin() + begin, transposed.values.begin() + end);
    discard();
  }

  void run(const std::string& phase, Entry* b, int num_columns) {
    double backward_error = 0;
    int info = 0;
    SuperLu::run(&options_, &matrix_, &scaling_, b, num_rows_here(), num_columns, &grid_, &factors_, &solve_, &backward_error,
                 &stat_, &info);
    require_success(info == 0, phase, info);
  }

  void gather(const std::vector<S>& part, std::span<S> x) const {
    constexpr int width = kIsComplex<S> ? 2 : 1;
    std::vector<int> counts;
    std::vector<int> places;
    for (std::size_t rank = 0; rank + 1 < first_rows_.size(); ++rank) {
      counts.push_back(width * (first_rows_[rank + 1] - first_rows_[rank]));
      places.push_back(width * first_rows_[rank]);
    }
    MPI_Gatherv(part.data(), width * num_rows_here(), MPI_DOUBLE, x.data(), counts.data(), places.data(), MPI_DOUBLE, 0,
                MPI_COMM_WORLD);
  }

  const PeerProblem<S>& problem_;
  int_t n_;
  int size_;
  std::vector<int> first_rows_;  // of each process; the last entry is n
  std::vector<int_t> offsets_;
  std::vector<int_t> original_cols_;
  std::vector<S> original_values_;
  std::vector<int_t> cols_;
  std::vector<S> values_;
  gridinfo_t grid_ = {};
  superlu_dist_options_t options_ = {};
  SuperLUStat_t stat_ = {};
  SuperMatrix matrix_ = {};
  typename SuperLu::Scaling scaling_ = {};
  typename SuperLu::Factors factors_ = {};
  typename SuperLu::Solve solve_ = {};
  bool has_factors_ = false;
};

std::string version() {
  return "SuperLU_DIST " + std::to_string(SUPERLU_DIST_MAJOR_VERSION) + "." + std::to_string(SUPERLU_DIST_MINOR_VERSION) + "." +
         std::to_string(SUPERLU_DIST_PATCH_VERSION);
}

}  // namespace
}  // namespace frond

int main(int argc, char** argv) {
  using frond::Method;
  using frond::PeerThreads;
  return frond::run_peer(argc, argv,
                         frond::with_solver<frond::SuperLuDistSolver<double>, frond::SuperLuDistSolver<std::complex<double>>>(
                             {.solver = frond::version(),
                              .real_methods = {Method::lu},
                              .complex_methods = {Method::lu},
                              .threads = PeerThreads::own,
                              .most_ranks = 1 << 20,
                              .refactorizes = false}));
}
