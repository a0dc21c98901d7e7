// SPDX-License-Identifier: BSD-3-Clause
// Converts C arrays to calls of Frond.
#include "interfaces/c/solver_of.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "factorization/factorize.hpp"
#include "frond/error.hpp"
#include "frond/solve.hpp"
#include "interfaces/c/arguments.hpp"
#include "matrices/position.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/course/system_course.hpp"
#include "solver/numerics/problem/finite.hpp"
#include "solver/numerics/problem/system_matrix.hpp"

namespace frond {
namespace {

void expect_distinct(const std::vector<Index>& variables, Index order, const char* name) {
  std::vector<char> is_there(at(order), 0);
  for (std::size_t k = 0; k < variables.size(); ++k) {
    if (std::exchange(is_there[at(variables[k])], 1) != 0) {
      throw UsageError(fmt::format("{}[{}] is a variable that came before: each may come once", name, k));
    }
  }
}

}  // namespace

template <Scalar S>
SolverOf<S>::SolverOf(Place place) : SolverBase(std::move(place)) {
  settings_.options().factorization.memory = make_region_pool();  // successive factorizations need about the same amount
}

template <Scalar S>
void SolverOf<S>::set_option(const char* name, const char* value) {
  std::string common_name;
  std::string common_value;
  team().agree_on_leader([&] {
    common_name = required_text(name, "name");
    common_value = required_text(value, "value");
  });
  share_list(team(), common_name);
  share_list(team(), common_value);
  team().agree([&] { settings_.set(common_name, common_value); });
  if (factorization_) {
    factorization_->set_solve_options(settings_.options().refinement, settings_.options().error_bounds);
  }
}

template <Scalar S>
void SolverOf<S>::set_pattern(const std::function<InputPattern()>& make, const void* values) {
  InputPattern pattern;
  bool has_values = false;
  team().agree_on_leader([&] {
    pattern = make();
    has_values = values != nullptr || pattern.num_given() == 0;
  });
  share_value(team(), has_values);
  const Count num_mine = pattern.num_given();
  take_pattern(std::move(pattern), num_mine, has_values, {static_cast<const S*>(values), at(has_values ? num_mine : 0)});
}

template <Scalar S>
void SolverOf<S>::set_triplets(const std::function<TripletPattern()>& make, const void* values) {
  enum : std::int64_t { none = 0, pattern_alone = 1, with_values = 2 };
  TripletPattern mine;
  team().agree([&] { mine = make(); });
  const Count num_mine = mine.num_entries();
  const std::vector<Count> given = team().of_all(num_mine == 0 ? none : values == nullptr ? pattern_alone : with_values);
  const auto without = std::find(given.begin(), given.end(), pattern_alone);
  const auto with = std::find(given.begin(), given.end(), with_values);
  const bool has_values = without == given.end();
  if (!has_values && with != given.end()) {
    throw UsageError(fmt::format("rank {} gives values and rank {} a pattern alone: all that have entries are to do the same",
                                 with - given.begin(), without - given.begin()));
  }
  const TripletPattern all = together(std::move(mine));
  InputPattern pattern;
  team().agree_on_leader([&] { pattern = InputPattern::of(all, settings_.base()); });
  take_pattern(std::move(pattern), num_mine, has_values, {static_cast<const S*>(values), at(has_values ? num_mine : 0)});
}

template <Scalar S>
TripletPattern SolverOf<S>::together(TripletPattern mine) const {
  if (team().size() == 1) {
    return mine;
  }
  TripletPattern all{mine.order, mine.symmetry};
  share_value(team(), all.order);
  share_value(team(), all.symmetry);
  team().agree([&] {
    if (mine.order != all.order) {
      throw UsageError(fmt::format("the matrix has order {} here, but {} on rank 0", mine.order, all.order));
    }
    if (mine.symmetry != all.symmetry) {
      throw UsageError("the symmetry of the matrix is not that of rank 0");
    }
  });
  all.rows = gather_list<Index>(team(), mine.rows);
  all.cols = gather_list<Index>(team(), mine.cols);
  return all;
}

template <Scalar S>
std::vector<S> SolverOf<S>::together(std::span<const S> mine) const {
  team().agree([&] {
    const auto wrong = std::find_if(mine.begin(), mine.end(), [](S value) { return !is_finite(value); });
    if (wrong != mine.end()) {
      throw UsageError(fmt::format("values[{}] is not a finite number", wrong - mine.begin()));
    }
  });
  return gather_list<S>(team(), mine);
}

// `pattern` is known on the leader.
template <Scalar S>
void SolverOf<S>::take_pattern(InputPattern pattern, Count num_mine, bool has_values, std::span<const S> values) {
  Index order = pattern.order();
  share_value(team(), order);
  std::shared_ptr<const InputPattern> next;
  team().agree([&] { next = std::make_shared<const InputPattern>(leads() ? std::move(pattern) : InputPattern::elsewhere(order)); });
  std::shared_ptr<const std::vector<S>> all_values = has_values ? arranged(*next, values) : nullptr;
  if (pattern_ && order != pattern_->order()) {  // discards settings for another order
    order_.clear();
    schur_variables_.clear();
    row_scales_.clear();
    col_scales_.clear();
  }
  pattern_ = std::move(next);
  num_mine_ = num_mine;
  values_ = std::move(all_values);
  forget_analysis();
}

// On the leader, returns the values of all in the order of the stored entries; null elsewhere.
template <Scalar S>
std::shared_ptr<const std::vector<S>> SolverOf<S>::arranged(const InputPattern& pattern, std::span<const S> mine) const {
  std::shared_ptr<const std::vector<S>> result;
  const bool is_alone = team().size() == 1;
  const std::vector<S> all = is_alone ? std::vector<S>() : together(mine);
  team().agree([&] {
    result = std::make_shared<const std::vector<S>>(leads() ? pattern.template arrange<S>(is_alone ? mine : std::span<const S>(all))
                                                            : std::vector<S>());
  });
  return result;
}

// The caller's values for the existing pattern, as arranged() returns them.
template <Scalar S>
std::shared_ptr<const std::vector<S>> SolverOf<S>::other_values(std::int64_t num_entries, const void* values) const {
  static_cast<void>(pattern());
  team().agree([&] {
    if (num_mine_ == 0 && !leads()) {
      return;
    }
    if (num_entries != num_mine_) {
      throw UsageError(fmt::format("there are {} values, but the pattern was given with {} entries", num_entries, num_mine_));
    }
    require(values, num_entries > 0, "the array values");
  });
  return arranged(pattern(), {static_cast<const S*>(values), at(num_mine_)});
}

template <Scalar S>
void SolverOf<S>::set_values(std::int64_t num_entries, const void* values) {
  values_ = other_values(num_entries, values);
  forget_factors();
}

template <Scalar S>
void SolverOf<S>::set_order(const std::int32_t* order) {
  std::vector<Index> next;
  team().agree_on_leader([&] {
    if (order != nullptr) {
      next = variables(order, this->order(), "order");
      expect_distinct(next, this->order(), "order");
    }
  });
  order_ = std::move(next);
  forget_analysis();
}

template <Scalar S>
void SolverOf<S>::set_scales(const void* rows, const void* cols) {
  using R = RealOf<S>;
  const auto copy = [this](const void* given, const char* name) {
    const auto* scales = static_cast<const R*>(given);
    const R* wrong = std::find_if(scales, scales + order(), [](R scale) { return !(scale > 0) || std::isinf(scale); });
    if (wrong != scales + order()) {
      throw UsageError(fmt::format("the scale {}[{}] is {}: scales are positive numbers", name, wrong - scales, *wrong));
    }
    return std::vector<double>(scales, scales + order());
  };
  std::vector<double> next_rows;
  std::vector<double> next_cols;
  team().agree_on_leader([&] {
    if ((rows == nullptr) != (cols == nullptr) && (rows == nullptr || pattern().view().symmetry == Symmetry::general)) {
      throw UsageError("of a general matrix both rows and columns have scales, or neither");
    }
    if (rows != nullptr) {
      next_rows = copy(rows, "rows");
      next_cols = copy(cols == nullptr ? rows : cols, "cols");
      if (pattern().is_transposed()) {  // arrays of A^T, as it is stored
        std::swap(next_rows, next_cols);
      }
    }
  });
  row_scales_ = std::move(next_rows);
  col_scales_ = std::move(next_cols);
  forget_analysis();
}

template <Scalar S>
void SolverOf<S>::set_schur_variables(std::int32_t count, const std::int32_t* given) {
  std::vector<Index> next;
  team().agree_on_leader([&] {
    require(given, count > 0, "the array variables");
    next = variables(given, count, "variables");
    expect_distinct(next, order(), "variables");
  });
  schur_variables_ = std::move(next);
  forget_analysis();
}

template <Scalar S>
void SolverOf<S>::analyze() {
  forget_analysis();
  if (values_) {
    static_cast<void>(analysis_for(system()));
    return;
  }
  static_cast<void>(pattern());
  analysis_ = analyze_pattern<S>(leads() ? pattern().view() : PatternView{}, solver_options(), place());
  settings_.has_new_analysis_options = false;
}

template <Scalar S>
void SolverOf<S>::factorize() {
  const SystemMatrix<S> matrix = system();
  const Analysis analysis = analysis_with_options(matrix);
  forget_factors();  // so that two sets are never in memory at once
  keep(Factorization<S>(analysis, matrix));
  const Analysis serving = factorization_->analysis();  // differs if these values have another symmetry
  if (serving.symmetry() != analysis.symmetry()) {
    analysis_ = serving;
  }
  takes_values_ = true;
}

template <Scalar S>
void SolverOf<S>::refactorize(std::int64_t num_entries, const void* values) {
  std::shared_ptr<const std::vector<S>> next = other_values(num_entries, values);
  if (is_factorized() && takes_values_) {
    refactorize(std::move(next));
    return;
  }
  team().agree_on_leader([&] { check_system(system_with(next)); });
  next.swap(values_);
  try {
    factorize();
  } catch (...) {
    values_ = std::move(next);  // those of before
    throw;
  }
}

// Along the factors that there are.
template <Scalar S>
void SolverOf<S>::refactorize(std::shared_ptr<const std::vector<S>> next) {
  try {
    factorization_->refactorize(*next);
  } catch (const UsageError&) {
    throw;  // nothing has changed
  } catch (...) {
    forget_factors();
    throw;
  }
  values_ = std::move(next);
  if (const Analysis serving = factorization_->analysis(); analysis_ && serving.symmetry() != analysis_->symmetry()) {
    analysis_ = serving;
  }
}

template <Scalar S>
void SolverOf<S>::resume() {
  if (settings_.options().checkpoint.directory.empty()) {
    throw UsageError("there is no checkpoint to go on with: name its directory by the option checkpoint first");
  }
  forget_factors();  // they may use the checkpoint
  keep(Factorization<S>::resume(system(), solver_options(), place()));
}

template <Scalar S>
void SolverOf<S>::load(const char* path) {
  std::string common;
  team().agree([&] { common = leads() ? required_text(path, "path") : ""; });
  keep(Factorization<S>::load(common, system(), solver_options(), place()));
}

template <Scalar S>
void SolverOf<S>::load(std::span<const std::byte> bytes) {
  keep(Factorization<S>::load_from_memory(bytes, system(), solver_options(), place()));
}

template <Scalar S>
SolveReport SolverOf<S>::solve_once(std::int32_t count, const void* b, std::int64_t ldb, void* x, std::int64_t ldx) {
  const GivenSides<S> given(
      team(), [&] { return led_view(b, ldb, order(), count, "b"); }, [&] { return view(x, ldx, order(), count, "x"); });
  const SystemMatrix<S> matrix = system();
  const Analysis analysis = analysis_with_options(matrix);
  forget_factors();
  OnceReport report = frond::solve_once<S>(analysis, matrix, given.b(), given.x());
  once_ = std::move(report.system);
  return std::move(report.solve);
}

template <Scalar S>
bool SolverOf<S>::is_factorized() const {
  return factorization_ && !settings_.has_new_options && !settings_.has_new_analysis_options;
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

// SystemMatrix<S>() on processes other than the leader.
template <Scalar S>
SystemMatrix<S> SolverOf<S>::system() const {
  static_cast<void>(pattern());
  if (!values_) {
    throw UsageError("the matrix has a pattern, but no values: call frond_set_values() first");
  }
  SystemMatrix<S> matrix;
  team().agree_on_leader([&] { matrix = system_with(values_); });
  return matrix;
}

// The result keeps the arrays alive.
template <Scalar S>
SystemMatrix<S> SolverOf<S>::system_with(std::shared_ptr<const std::vector<S>> values) const {
  SystemMatrix<S> matrix({pattern().view(), *values}, pattern().is_transposed());
  using Arrays = std::pair<std::shared_ptr<const InputPattern>, std::shared_ptr<const std::vector<S>>>;
  matrix.converted_arrays = std::make_shared<const Arrays>(pattern_, std::move(values));
  return matrix;
}

template <Scalar S>
SolverOptions SolverOf<S>::solver_options() const {
  SolverOptions options = settings_.options();
  if (!order_.empty()) {
    options.analysis.ordering.kind = OrderingKind::given;
    options.analysis.ordering.perm = order_;
  }
  options.analysis.schur_variables = schur_variables_;
  if (!row_scales_.empty()) {
    options.scaling = ScalingKind::given;
    options.row_scales = row_scales_;
    options.col_scales = col_scales_;
  }
  return options;
}

// Returns the existing analysis, unless its options have changed.
template <Scalar S>
const Analysis& SolverOf<S>::analysis_for(const SystemMatrix<S>& matrix) {
  if (!analysis_ || settings_.has_new_analysis_options) {
    forget_analysis();
    analysis_ = frond::analyze(matrix, solver_options(), place());
    settings_.has_new_analysis_options = false;
  }
  return *analysis_;
}

template <Scalar S>
Analysis SolverOf<S>::analysis_with_options(const SystemMatrix<S>& matrix) {
  Analysis analysis = analysis_for(matrix);
  team().agree([&] { analysis = analysis.with_options(solver_options()); });
  return analysis;
}

template <Scalar S>
std::vector<Index> SolverOf<S>::variables(const std::int32_t* given, std::int32_t count, const char* name) const {
  if (count < 0) {
    throw UsageError(fmt::format("the number of {} is {}", name, count));
  }
  require(given, count > 0, name);
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
DenseView<const S> SolverOf<S>::view(const void* data, std::int64_t ld, Index num_rows, std::int32_t count,
                                     const char* name) const {
  if (data == nullptr && !leads()) {
    return {};
  }
  if (count < 0) {
    throw UsageError(fmt::format("the number of columns of {} is {}", name, count));
  }
  require(data, num_rows > 0 && count > 0, name);
  if (count <= 1) {
    ld = std::max(num_rows, Index{1});  // a single column needs none
  }
  if (ld < std::max(num_rows, Index{1}) || ld > std::numeric_limits<Index>::max()) {
    throw UsageError(fmt::format("the columns of {} have {} rows, but they are {} apart: give at least {} and at most {}", name,
                                 num_rows, ld, std::max(num_rows, Index{1}), std::numeric_limits<Index>::max()));
  }
  constexpr std::int64_t kMostEntries = std::numeric_limits<std::int64_t>::max() / std::int64_t{sizeof(S)};
  if (count > 1 && ld > kMostEntries / count) {
    throw UsageError(fmt::format("{} has {} columns that are {} apart: no array has so many entries", name, count, ld));
  }
  return {static_cast<const S*>(data), num_rows, count, static_cast<Index>(ld)};
}

template <Scalar S>
DenseView<const S> SolverOf<S>::led_view(const void* data, std::int64_t ld, Index num_rows, std::int32_t count,
                                         const char* name) const {
  return leads() ? view(data, ld, num_rows, count, name) : DenseView<const S>{};
}

template <Scalar S>
DenseView<S> SolverOf<S>::view(void* data, std::int64_t ld, Index num_rows, std::int32_t count, const char* name) const {
  const DenseView<const S> as_constant = view(static_cast<const void*>(data), ld, num_rows, count, name);
  return {static_cast<S*>(data), as_constant.rows, as_constant.cols, as_constant.ld};
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
  takes_values_ = false;
  settings_.has_new_options = false;
  settings_.has_new_analysis_options = false;  // loaded factors have their own analysis
}

AnySolver make_solver(int scalar, const Place& place) {
  return make_for_scalar(scalar, [&place](auto zero) { return std::make_unique<SolverOf<decltype(zero)>>(place); });
}

FROND_INSTANTIATE_CLASS(SolverOf)

}  // namespace frond
