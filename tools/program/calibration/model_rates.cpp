// SPDX-License-Identifier: BSD-3-Clause
// Times a factorization, and parts of it separately.
#include <algorithm>
#include <utility>

#include "analysis/graph/permutation.hpp"
#include "analysis/tree/front_cost.hpp"
#include "factorization/factorize.hpp"
#include "factorization/fronts/assemble_entries.hpp"
#include "factorization/fronts/pivot_tolerances.hpp"
#include "factorization/memory/factor_storage.hpp"
#include "factorization/memory/region_pool.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/matrix.hpp"
#include "matrices/generate.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/numerics/scaling/scaling.hpp"
#include "tools/program/calibration/core_rates.hpp"

namespace frond {
namespace {

constexpr double kMoreEffort = 6;  // to resolve small differences of times

template <Scalar S>
SparseMatrix<S> model_matrix(Method method, Index size) {
  const auto real = std::get<SparseMatrix<double>>(generate(ModelProblem::laplacian2d9, size, 1));
  SparseMatrix<S> matrix;
  matrix.num_rows = real.num_rows;
  matrix.num_cols = real.num_cols;
  matrix.symmetry = method == Method::cholesky && kIsComplex<S> ? Symmetry::hermitian : real.symmetry;
  matrix.column_offsets = real.column_offsets;
  matrix.row_indices = real.row_indices;
  matrix.values.resize(real.values.size());
  std::transform(real.values.begin(), real.values.end(), matrix.values.begin(),
                 [](double value) { return static_cast<S>(static_cast<RealOf<S>>(value)); });
  return method == Method::lu ? expand_to_general(matrix.view()) : matrix;
}

/// A model problem ready to be factorized.
template <Scalar S>
class ModelSystem {
 public:
  ModelSystem(Method method, Index size) : method_(method), matrix_(model_matrix<S>(method, size)) {
    SolverOptions options;
    options.method = method;
    options.factorization.num_threads = 1;
    symbolic_ = analyze_system<S>(matrix_, options).symbolic;
    scaling_ = find_scaling(matrix_.view(), scaling_options(options), symbolic_->row_of_column(), symbolic_->blocks());
    rows_ = permuted<RealOf<S>>(scaling_.rows, symbolic_->row_perm());
    cols_ = permuted<RealOf<S>>(scaling_.cols, symbolic_->permutation().perm);
  }

  [[nodiscard]] const AssemblyTree& tree() const { return symbolic_->tree(); }
  [[nodiscard]] double num_entries() const { return static_cast<double>(symbolic_->entries().num_entries()); }

  /// Times a factorization in memory that was used before.
  [[nodiscard]] double factorization_seconds(const CalibrationEffort& effort) const {
    FactorizationOptions options;
    options.num_threads = 1;
    options.memory = std::make_shared<RegionPool>();
    Scaling<RealOf<S>> scaling;
    return median_seconds(
        effort, [&] { scaling = scaling_; },
        [&] {
          const auto result =
              factorize<S>(symbolic_, method_, matrix_.values, std::move(scaling.rows), std::move(scaling.cols), options);
          if (result.report.status != FactorizationStatus::success) {
            throw InternalError("a model problem is singular");
          }
        });
  }

  [[nodiscard]] double tolerances_seconds(const CalibrationEffort& effort) const {
    double sum = 0;
    const double seconds = median_seconds(
        effort, [] {}, [&] { sum += static_cast<double>(pivot_tolerances(*symbolic_, values(), PivotingOptions()).null); });
    return sum > 0 ? seconds : 0;
  }

  /// Times the assembly of the matrix's entries into their fronts, each right after its memory was cleared.
  [[nodiscard]] double entries_seconds(const CalibrationEffort& effort) const {
    const auto regions = std::make_shared<RegionPool>();
    { const FactorStorage makes_pages_used(tree(), method_, sizeof(S), regions); }
    FactorStorage storage(tree(), method_, sizeof(S), regions);
    MemoryMeter meter(0);
    std::vector<S> contribution(static_cast<std::size_t>(most_cb_entries()) + 1);
    const auto visit = [&](bool with_entries) {
      for (NodeId node = 0; node < tree().num_nodes(); ++node) {
        NumericFront<S> front;
        front.factor = storage.template place<S>(tree(), node, 0, method_, meter);
        front.cb_layout = contribution_layout(tree().cb_order(node), method_);
        front.cb = contribution.data();
        if (with_entries) {
          assemble_entries(*symbolic_, method_, values(), node, FrontTarget<S>(method_, front));
        }
      }
    };
    const auto seconds = [&](bool with_entries) {
      return median_seconds(
          effort, [] {}, [&] { visit(with_entries); });
    };
    return std::max(1e-9, seconds(true) - seconds(false));
  }

 private:
  [[nodiscard]] ScaledValues<S> values() const { return {matrix_.values, rows_, cols_}; }

  [[nodiscard]] Count most_cb_entries() const {
    Count most = 0;
    for (NodeId node = 0; node < tree().num_nodes(); ++node) {
      most = std::max(most, contribution_layout(tree().cb_order(node), method_).size());
    }
    return most;
  }

  Method method_;
  SparseMatrix<S> matrix_;
  std::shared_ptr<const Symbolic> symbolic_;
  Scaling<RealOf<S>> scaling_;
  std::vector<RealOf<S>> rows_;  // scalings by new numbers
  std::vector<RealOf<S>> cols_;
};

// Returns the seconds that the kernel rates predict for all fronts.
double kernel_seconds(const AssemblyTree& tree, Method method, const CoreProfile& core) {
  double seconds = 0;
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const FrontCost cost = front_cost(tree, node, method);
    seconds += cost.flops / core.elimination.rate(tree.front_order(node), tree.num_fully_summed(node)) +
               cost.entries / core.assembly.rate(tree.front_order(node));
  }
  return seconds;
}

}  // namespace

template <Scalar S>
void measure_model(Method method, const CalibrationEffort& usual_effort, CoreProfile& core) {
  CalibrationEffort effort = usual_effort;
  effort.least_seconds *= kMoreEffort;
  const ModelSystem<S> system(method, effort.model_size);
  const double entries_seconds = system.entries_seconds(effort);
  const double explained = system.tolerances_seconds(effort) + entries_seconds + kernel_seconds(system.tree(), method, core);
  core.original_entries_per_second = system.num_entries() / entries_seconds;
  core.seconds_per_front =
      std::max(0.0, system.factorization_seconds(effort) - explained) / static_cast<double>(system.tree().num_nodes());
}

template void measure_model<float>(Method, const CalibrationEffort&, CoreProfile&);
template void measure_model<double>(Method, const CalibrationEffort&, CoreProfile&);
template void measure_model<std::complex<float>>(Method, const CalibrationEffort&, CoreProfile&);
template void measure_model<std::complex<double>>(Method, const CalibrationEffort&, CoreProfile&);

}  // namespace frond
