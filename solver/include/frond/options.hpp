// SPDX-License-Identifier: BSD-3-Clause
// Everything a caller may choose about solving a linear system.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <frond/analysis_options.hpp>
#include <frond/factorization_options.hpp>
#include <frond/load_options.hpp>
#include <frond/observer.hpp>
#include <frond/types.hpp>

namespace frond {

enum class ScalingKind {  ///< how row and column scales are found before the factorization
  automatic,              ///< chosen for the matrix, see find_scaling()
  none,                   ///< the matrix as it is
  equilibrate,            ///< the largest magnitude of each row and column near 1 (Ruiz 2001)
  matching,  ///< from the matching with the largest product: its entries near 1, none much larger (Duff & Koster 2001; for
             ///< symmetric matrices Duff & Pralet 2005)
  given      ///< by SolverOptions::row_scales and col_scales
};

[[nodiscard]] FROND_API std::string to_string(ScalingKind kind);  ///< as on the command line

struct RefinementOptions {    ///< how solutions are improved until they are accurate
  int max_steps = 10;         ///< corrections per right-hand side; 0: none, but errors are still computed
  int max_krylov_steps = 60;  ///< of GMRES per right-hand side, where corrections stall above 1e-14 (in double precision); 0: none
  double target = 0;          ///< componentwise backward error at which a right-hand side is done, at most 45 rounding units (1e-14
                              ///< in double precision); not above 0: 10 rounding units
  /// Whether each x is measured, refined and judged. If not, it is what one sweep through the factors gives (Verdict::unmeasured),
  /// unless error bounds are asked for, entries have grown (beyond eps^(-1/3)), or the factors are singular, or not those of the
  /// matrix: of enlarged pivots or in lower precision. Where a rank is in doubt, and no null vector is found, no other factors are
  /// made to prove it.
  bool measures = true;
};

/// Solutions whose error is bounded. Each takes about five extra solves, and so does the condition number, which is reported with
/// the bounds.
enum class ErrorBounds { never, first_column, all_columns };

/// Options for several ranks that solve together.
struct RankOptions {
  LoadMechanism load_exchange = LoadMechanism::partial_snapshot;  ///< rank 0's counts
  Schedule schedule = Schedule::flops;                            ///< rank 0's counts
  WorkSharing sharing = WorkSharing::ring;                        ///< rank 0's counts; if all factors are kept
  ChunkKind chunks = ChunkKind::fac;                              ///< of WorkSharing::pool; rank 0's counts
  bool use_load_thread = true;  ///< of this rank: for load messages, if MPI allows it; else they are served between jobs
  int load_period_us = 50;      ///< of this rank: microseconds between two polls of that thread while messages arrive
  double watchdog_seconds = 0;  ///< of this rank: report what it waits for when idle for this long; 0: never
  bool may_leave = false;       ///< rank 0's counts: whether Observer::ranks_to_leave() is asked
};

/// Where a factorization stores finished fronts, so that another process can continue from there: Factorization::resume(). Fronts
/// are written while others are computed, each once, by two threads that compute nothing.
struct CheckpointOptions {
  std::string directory = {};  ///< empty: no checkpoint. The directory must not exist yet, or be empty
  double every_seconds = 600;  ///< between two lists of what is stored; blocks that no list needs any more are then removed
  /// Over several ranks: the directory is in memory of their machine. Its contents count against memory limits, which must cover
  /// both the predicted contents and the factorization; writing stops when the contents exceed the prediction.
  bool is_in_memory = false;
};

/// Over several ranks, rank 0's options count, except for those that each rank sets for itself: factorization.num_threads (0: the
/// cores of its machine divided among its ranks), factorization.memory_limit (of this rank; 0: a share of what its machine and its
/// control groups have left, by the predicted needs of its ranks), memory, log and observer.
/// analysis.mapping.num_ranks is set to the number of ranks; an empty analysis.mapping.grid_ranks becomes as many ranks of each
/// machine as it has cores; if MPI does not allow threads to call it, no root is put on a grid.
struct SolverOptions {
  AnalysisOptions analysis{};  ///< order, fronts, and the variables of a Schur complement
  /// Whether a general matrix whose values are exactly Hermitian, symmetric or skew-symmetric is treated as such, which is checked
  /// for every set of values; not if `method` is LU or its given scales differ.
  bool detect_symmetry = true;
  std::optional<Method> method{};  ///< empty: LU for general and skew-symmetric matrices; otherwise Cholesky if the whole diagonal
                                   ///< is positive, with a fall-back to LDLT (LDLH), and LDLT (LDLH) if it is not
  ScalingKind scaling = ScalingKind::automatic;  ///< of rows and columns, before the factorization
  /// For ScalingKind::given: scales of the rows and columns of A as it is stored, of A^T where SystemMatrix::transposed says so:
  /// positive, as many as its order, and rounded to powers of 2. Those of columns count for general matrices only, else they may be
  /// empty.
  std::vector<double> row_scales{};
  std::vector<double> col_scales{};  ///< see above
  /// Factors in single precision for a matrix in double precision: half the memory, about half the time; refinement makes up for
  /// it. If it cannot, the matrix is factorized in full precision, with a note. For double and complex double only.
  bool mixed_precision = false;
  FactorizationOptions factorization{};           ///< pivoting, threads (for solves too), memory limit
  RefinementOptions refinement{};                 ///< of solutions
  ErrorBounds error_bounds = ErrorBounds::never;  ///< see ColumnReport::forward_error_bound
  std::shared_ptr<Observer> observer{};           ///< lives as long as anything made with these options; empty: there is none
  RankOptions ranks{};                            ///< for several processes
  CheckpointOptions checkpoint{};                 ///< where all factors are kept, and no Schur complement
};

}  // namespace frond
