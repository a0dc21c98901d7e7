// SPDX-License-Identifier: BSD-3-Clause
// From arrays of C to calls of Frond.
#include "interfaces/c/solver_of.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <limits>
#include <utility>

#include "factorization/factorize.hpp"
#include "frond/error.hpp"
#include "frond/solve.hpp"
#include "interfaces/c/arguments.hpp"
#include "solver/course/analyze_system.hpp"

namespace frond {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

FactorPart part_of(int part) {
  switch (part) {
    case FROND_LOWER:
      return FactorPart::lower;
    case FROND_DIAGONAL:
      return FactorPart::diagonal;
    case FROND_UPPER:
      return FactorPart::upper;
  }
  throw UsageError(fmt::format("{} is no part: give FROND_LOWER, FROND_DIAGONAL or FROND_UPPER", part));
}

template <class From, class To>
void copy_if_wanted(const std::vector<From>& from, To* to, To shift) {
  if (to != nullptr) {
    std::transform(from.begin(), from.end(), to, [shift](From value) { return static_cast<To>(value + shift); });
  }
}

// Ones where there are none.
template <class R>
void copy_scales(const std::vector<R>& scales, Index order, void* to) {
  if (to != nullptr && scales.empty()) {
    std::fill_n(static_cast<R*>(to), order, R(1));
  } else {
    copy_if_wanted(scales, static_cast<R*>(to), R(0));
  }
}

}  // namespace

template <Scalar S>
SolverOf<S>::SolverOf() {
  settings_.options().factorization.memory = make_region_pool();  // factorizations that follow one another need about as much
}

template <Scalar S>
void SolverOf<S>::set_option(std::string_view name, std::string_view value) {
  settings_.set(name, value);
  if (factorization_) {
    factorization_->set_solve_options(settings_.options().refinement, settings_.options().error_bounds);
  }
}

template <Scalar S>
void SolverOf<S>::set_pattern(InputPattern pattern, const void* values) {
  auto next = std::make_shared<const InputPattern>(std::move(pattern));
  std::shared_ptr<const std::vector<S>> arranged;
  if (values != nullptr || next->num_given() == 0) {
    arranged =
        std::make_shared<const std::vector<S>>(next->template arrange<S>({static_cast<const S*>(values), at(next->num_given())}));
  }
  if (pattern_ && next->order() != pattern_->order()) {  // what was set for another order
    order_.clear();
    schur_variables_.clear();
    scales_.reset();
  }
  pattern_ = std::move(next);
  values_ = std::move(arranged);
  forget_analysis();
}

template <Scalar S>
void SolverOf<S>::set_values(std::int64_t num_entries, const void* values) {
  if (num_entries != pattern().num_given()) {
    throw UsageError(
        fmt::format("there are {} values, but the pattern was given with {} entries", num_entries, pattern().num_given()));
  }
  require(values, num_entries > 0, "the array values");
  values_ = std::make_shared<const std::vector<S>>(pattern().template arrange<S>({static_cast<const S*>(values), at(num_entries)}));
  forget_factors();
}

template <Scalar S>
void SolverOf<S>::set_order(const std::int32_t* order) {
  order_ = order == nullptr ? std::vector<Index>() : variables(order, this->order(), "order");
  forget_analysis();
}

template <Scalar S>
void SolverOf<S>::set_scales(const void* rows, const void* cols) {
  using R = RealOf<S>;
  const auto copy = [this](const void* given) {
    const auto* scales = static_cast<const R*>(given);
    return std::vector<double>(scales, scales + order());
  };
  if ((rows == nullptr) != (cols == nullptr) && (rows == nullptr || pattern().view().symmetry == Symmetry::general)) {
    throw UsageError("of a general matrix both rows and columns have scales, or neither");
  }
  scales_.reset();
  if (rows != nullptr) {
    GivenScales scales{copy(rows), copy(cols == nullptr ? rows : cols)};
    if (pattern().is_transposed()) {  // of A^T, as it is stored
      std::swap(scales.rows, scales.cols);
    }
    scales_ = std::make_shared<const GivenScales>(std::move(scales));
  }
  forget_analysis();
}

template <Scalar S>
void SolverOf<S>::set_schur_variables(std::int32_t count, const std::int32_t* given) {
  if (count < 0) {
    throw UsageError(fmt::format("the number of variables is {}", count));
  }
  require(given, count > 0, "the array variables");
  schur_variables_ = variables(given, count, "variables");
  forget_analysis();
}

template <Scalar S>
void SolverOf<S>::analyze() {
  forget_analysis();
  if (values_) {
    static_cast<void>(analysis_for(system()));
    return;
  }
  analysis_ = analyze_pattern<S>(pattern().view(), solver_options());
  analysed_symmetry_ = pattern().view().symmetry;
  settings_.has_new_analysis_options = false;
}

template <Scalar S>
void SolverOf<S>::factorize() {
  const SystemMatrix<S> matrix = system();
  const Analysis analysis = analysis_for(matrix).with_options(solver_options());
  forget_factors();  // two of them need not be in memory at a time
  keep(Factorization<S>(analysis, matrix));
}

template <Scalar S>
void SolverOf<S>::resume() {
  forget_factors();  // whose checkpoint it may be
  keep(Factorization<S>::resume(system(), solver_options()));
}

template <Scalar S>
void SolverOf<S>::load(const std::string& path) {
  keep(Factorization<S>::load(path, system(), solver_options()));
}

template <Scalar S>
void SolverOf<S>::load(std::span<const std::byte> bytes) {
  keep(Factorization<S>::load_from_memory(bytes, system(), solver_options()));
}

template <Scalar S>
SolveReport SolverOf<S>::solve_once(std::int32_t count, ConstColumns b, Columns x) {
  const DenseView<S> to = view(x, order(), count, "x");
  const Sides<S> sides(view(b, order(), count, "b"), to);
  const SystemMatrix<S> matrix = system();
  const Analysis analysis = analysis_for(matrix).with_options(solver_options());
  forget_factors();
  OnceReport report = frond::solve_once<S>(analysis, matrix, sides.view(), to);
  once_ = std::move(report.system);
  return std::move(report.solve);
}

template <Scalar S>
bool SolverOf<S>::is_factorized() const {
  return factorization_ && !settings_.has_new_options && !settings_.has_new_analysis_options;
}

template <Scalar S>
SolveReport SolverOf<S>::solve(int operation, std::int32_t count, ConstColumns b, Columns x) const {
  const DenseView<S> to = view(x, order(), count, "x");
  const Sides<S> sides(view(b, order(), count, "b"), to);
  return factorization_->solve(sides.view(), to, operation_of(operation));
}

template <Scalar S>
SolveReport SolverOf<S>::solve_sparse(int operation, std::int32_t count, const CallerColumns& b, const void* values,
                                      Columns x) const {
  const DenseView<S> to = view(x, order(), count, "x");
  const CompressedIndices columns(count, order(), b.offsets, b.rows, settings_.base());
  require(values, !columns.indices.empty(), "the array values");
  const MatrixView<S> sides{{order(), count, Symmetry::general, columns.offsets, columns.indices},
                            {static_cast<const S*>(values), columns.indices.size()}};
  return factorization_->solve_sparse(sides, to, operation_of(operation));
}

template <Scalar S>
InverseOutcome SolverOf<S>::inverse_diagonal(bool is_refined, void* diagonal) const {
  require(diagonal, order() > 0, "the array diagonal");
  const InverseEntries<S> entries =
      factorization_->inverse_diagonal(is_refined ? InverseAccuracy::refined : InverseAccuracy::direct);
  std::copy(entries.values.begin(), entries.values.end(), static_cast<S*>(diagonal));
  return {entries.verdict, entries.describe()};
}

template <Scalar S>
InverseOutcome SolverOf<S>::inverse_entries(bool is_refined, const CallerColumns& pattern, void* values) const {
  const CompressedIndices columns(order(), order(), pattern.offsets, pattern.rows, settings_.base());
  require(values, !columns.indices.empty(), "the array values");
  const InverseEntries<S> entries =
      factorization_->inverse_entries({order(), order(), Symmetry::general, columns.offsets, columns.indices},
                                      is_refined ? InverseAccuracy::refined : InverseAccuracy::direct);
  std::copy(entries.values.begin(), entries.values.end(), static_cast<S*>(values));
  return {entries.verdict, entries.describe()};
}

template <Scalar S>
Index SolverOf<S>::null_space(int operation, std::int32_t capacity, Columns z) const {
  const NullSpace<S> space = factorization_->null_space(operation_of(operation));
  if (!space.is_known) {
    throw UsageError("the null space is not known: " + space.note);
  }
  const Index wanted = std::min<Index>(capacity, space.dimension());
  if (z.data != nullptr && wanted > 0) {
    const DenseView<S> to = view(z, order(), wanted, "z");
    for (Index j = 0; j < wanted; ++j) {
      std::copy_n(space.basis.column(j).begin(), order(), to.column(j));
    }
  }
  return space.dimension();
}

template <Scalar S>
void SolverOf<S>::schur_complement(Columns s) const {
  const DenseView<S> to = view(s, schur_order(), schur_order(), "s");
  const DenseMatrix<S> complement = factorization_->schur_complement();
  for (Index j = 0; j < to.cols; ++j) {
    std::copy_n(complement.column(j).begin(), to.rows, to.column(j));
  }
}

template <Scalar S>
void SolverOf<S>::condense(int operation, std::int32_t count, ConstColumns b, Columns condensed) const {
  factorization_->condense(view(b, order(), count, "b"), view(condensed, schur_order(), count, "condensed"),
                           operation_of(operation));
}

template <Scalar S>
void SolverOf<S>::expand(int operation, std::int32_t count, ConstColumns b, ConstColumns x2, Columns x) const {
  const DenseView<S> to = view(x, order(), count, "x");
  const Sides<S> sides(view(b, order(), count, "b"), to);
  factorization_->expand(sides.view(), view(x2, schur_order(), count, "x2"), to, operation_of(operation));
}

template <Scalar S>
void SolverOf<S>::solve_part(int part, int operation, std::int32_t count, Columns x) const {
  factorization_->solve_part(part_of(part), operation_of(operation), view(x, order(), count, "x"));
}

template <Scalar S>
void SolverOf<S>::factor_order(const FactorOrderArrays& arrays) const {
  const FactorOrder<S> order_of_factors = factorization_->factor_order();
  const auto shift = static_cast<std::int32_t>(settings_.base().first);
  copy_if_wanted(order_of_factors.pivots, arrays.pivots, shift);
  copy_if_wanted(order_of_factors.rows, arrays.rows, shift);
  copy_if_wanted(order_of_factors.cols, arrays.cols, shift);
  copy_scales(order_of_factors.row_scaling, order(), arrays.row_scales);
  copy_scales(order_of_factors.col_scaling, order(), arrays.col_scales);
}

template <Scalar S>
void SolverOf<S>::save(const std::string& path) const {
  factorization_->save(path);
}

template <Scalar S>
std::vector<std::byte> SolverOf<S>::save() const {
  return factorization_->save_to_memory();
}

template <Scalar S>
FigureSources SolverOf<S>::figure_sources() const {
  FigureSources sources;
  sources.index_base = settings_.base().first;
  sources.is_complex = kIsComplex<S>;
  if (factorization_ || analysis_) {
    const AnalysisParts parts = factorization_ ? factorization_->analysis().parts() : analysis_->parts();
    const FactorizationOptions& options = settings_.options().factorization;
    sources.analysis = {parts.symbolic, parts.method, static_cast<Count>(sizeof(S)), number_of_threads(options.num_threads),
                        options.kept};
  }
  if (factorization_) {
    sources.factorization = factorization_->report();
  } else {
    sources.factorization = once_;
  }
  return sources;
}

template <Scalar S>
const InputPattern& SolverOf<S>::pattern() const {
  if (!pattern_) {
    throw UsageError("there is no matrix: call frond_set_columns(), frond_set_rows() or frond_set_triplets() first");
  }
  return *pattern_;
}

template <Scalar S>
Index SolverOf<S>::schur_order() const {
  if (schur_variables_.empty()) {
    throw UsageError("there is no Schur complement: name its variables by frond_set_schur_variables()");
  }
  return static_cast<Index>(schur_variables_.size());
}

template <Scalar S>
SystemMatrix<S> SolverOf<S>::system() const {
  static_cast<void>(pattern());
  if (!values_) {
    throw UsageError("the matrix has a pattern, but no values: call frond_set_values() first");
  }
  return system_with(values_);
}

// Arrays live as long as what is made with them.
template <Scalar S>
SystemMatrix<S> SolverOf<S>::system_with(std::shared_ptr<const std::vector<S>> values) const {
  SystemMatrix<S> matrix({pattern().view(), *values}, pattern().is_transposed());
  using Arrays = std::pair<std::shared_ptr<const InputPattern>, std::shared_ptr<const std::vector<S>>>;
  matrix.converted_arrays = std::make_shared<const Arrays>(pattern_, std::move(values));
  if (settings_.detects_symmetry() && matrix.stored.pattern.symmetry == Symmetry::general) {
    const Symmetry symmetry = find_symmetry(matrix.stored);
    if (symmetry != Symmetry::general) {
      const auto triangle = std::make_shared<const SparseMatrix<S>>(lower_triangle(matrix.stored, symmetry));
      matrix.stored = triangle->view();
      matrix.converted_arrays = triangle;
    }
  }
  return matrix;
}

template <Scalar S>
SolverOptions SolverOf<S>::solver_options() const {
  SolverOptions options = settings_.watched_options();
  if (!order_.empty()) {
    options.analysis.ordering.kind = OrderingKind::given;
    options.analysis.ordering.perm = order_;
  }
  options.analysis.schur_variables = schur_variables_;
  if (scales_) {
    options.scaling.kind = ScalingKind::given;
    options.scaling.given = scales_;
  }
  return options;
}

// The one that there is, unless it is of another symmetry or of other options.
template <Scalar S>
const Analysis& SolverOf<S>::analysis_for(const SystemMatrix<S>& matrix) {
  const Symmetry symmetry = matrix.stored.pattern.symmetry;
  if (!analysis_ || settings_.has_new_analysis_options || symmetry != analysed_symmetry_) {
    forget_analysis();
    analysis_ = frond::analyze(matrix, solver_options());
    analysed_symmetry_ = symmetry;
    settings_.has_new_analysis_options = false;
  }
  return *analysis_;
}

template <Scalar S>
std::vector<Index> SolverOf<S>::variables(const std::int32_t* given, Index count, const char* name) const {
  const std::int64_t base = settings_.base().first;
  std::vector<Index> result(at(count));
  for (Index k = 0; k < count; ++k) {
    const std::int64_t variable = given[k] - base;
    if (variable < 0 || variable >= order()) {
      throw UsageError(fmt::format("{}[{}] is {}, but variables are {} to {}; see the option index-base", name, k, given[k], base,
                                   order() - 1 + base));
    }
    result[at(k)] = static_cast<Index>(variable);
  }
  return result;
}

template <Scalar S>
DenseView<const S> SolverOf<S>::view(ConstColumns columns, Index num_rows, std::int32_t count, const char* name) const {
  if (count < 0) {
    throw UsageError(fmt::format("the number of columns of {} is {}", name, count));
  }
  require(columns.data, num_rows > 0 && count > 0, name);
  const std::int64_t ld = count > 1 ? columns.ld : std::max(num_rows, Index{1});  // one column needs none
  if (ld < std::max(num_rows, Index{1}) || ld > std::numeric_limits<Index>::max()) {
    throw UsageError(fmt::format("the columns of {} have {} rows, but they are {} apart: give at least {} and at most {}", name,
                                 num_rows, ld, std::max(num_rows, Index{1}), std::numeric_limits<Index>::max()));
  }
  return {static_cast<const S*>(columns.data), num_rows, count, static_cast<Index>(ld)};
}

template <Scalar S>
DenseView<S> SolverOf<S>::view(Columns columns, Index num_rows, std::int32_t count, const char* name) const {
  const DenseView<const S> as_constant = view(ConstColumns{columns.data, columns.ld}, num_rows, count, name);
  return {static_cast<S*>(columns.data), as_constant.rows, as_constant.cols, as_constant.ld};
}

template <Scalar S>
void SolverOf<S>::forget_analysis() {
  forget_factors();
  analysis_.reset();
}

template <Scalar S>
void SolverOf<S>::forget_factors() {
  factorization_.reset();
  once_.reset();
}

template <Scalar S>
void SolverOf<S>::keep(Factorization<S> factorization) {
  once_.reset();
  factorization_.emplace(std::move(factorization));
  settings_.has_new_options = false;
  settings_.has_new_analysis_options = false;  // factors that were loaded have an analysis of their own
}

std::unique_ptr<AnySolver> make_solver(int scalar) {
  switch (scalar) {
    case FROND_FLOAT:
      return std::make_unique<SolverOf<float>>();
    case FROND_DOUBLE:
      return std::make_unique<SolverOf<double>>();
    case FROND_COMPLEX_FLOAT:
      return std::make_unique<SolverOf<std::complex<float>>>();
    case FROND_COMPLEX_DOUBLE:
      return std::make_unique<SolverOf<std::complex<double>>>();
  }
  throw UsageError(
      fmt::format("{} is no kind of numbers: give FROND_FLOAT, FROND_DOUBLE, FROND_COMPLEX_FLOAT or FROND_COMPLEX_DOUBLE", scalar));
}

template class SolverOf<float>;
template class SolverOf<double>;
template class SolverOf<std::complex<float>>;
template class SolverOf<std::complex<double>>;

}  // namespace frond
