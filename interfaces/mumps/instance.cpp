// SPDX-License-Identifier: BSD-3-Clause
// Analyses and factorizes, and turns every exception into INFO.
#include "interfaces/mumps/instance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <new>
#include <span>
#include <utility>

#include "frond/error.hpp"
#include "interfaces/mumps/failure.hpp"
#include "interfaces/mumps/solve_call.hpp"
#include "interfaces/mumps/statistics.hpp"
#include "matrices/position.hpp"
#include "matrices/steady_clock.hpp"
#include "solver/numerics/problem/finite.hpp"

namespace frond::mumps {
namespace {

constexpr int kAnalysis = 1;
constexpr int kFactorization = 2;
constexpr int kSolve = 3;
constexpr int kFirstTwo = 4;
constexpr int kLastTwo = 5;
constexpr int kAll = 6;

template <Scalar S>
bool are_finite(std::span<const S> values) {
  return std::all_of(values.begin(), values.end(), [](S value) { return is_finite(value); });
}

template <Scalar S>
bool requests_schur(const Structure<S>& structure) {
  return structure.icntl(kSchur) >= 1 && structure.icntl(kSchur) <= 3 && structure.integer(Member::size_schur) != 0;
}

Symmetry symmetry_of(int sym) { return sym == 1 || sym == 2 ? Symmetry::symmetric : Symmetry::general; }

template <Scalar S>
constexpr char letter_of() {
  return sizeof(RealOf<S>) == sizeof(double) ? (kIsComplex<S> ? 'z' : 'd') : (kIsComplex<S> ? 'c' : 's');
}

// Sets INFO(1) and INFO(2), and says why where the caller has a unit for errors: 6 is standard output; others are Fortran's.
template <Scalar S>
void fail(const Structure<S>& structure, const Failure& failure) {
  constexpr int kStandardOutput = 6;
  structure.set_info(1, failure.code());
  structure.set_info(2, failure.detail());
  if (structure.icntl(1) == kStandardOutput && structure.icntl(4) >= 1) {
    std::printf("frond: JOB=%d: %s; INFO(1)=%d, INFO(2)=%d\n", structure.integer(Member::job), failure.what(), failure.code(),
                failure.detail());
    std::fflush(stdout);
  }
}

// The exception that is being handled as a failure.
Failure failure_of_exception(bool has_limit) {
  try {
    throw;
  } catch (const Failure& failure) {
    return failure;
  } catch (const MemoryError& error) {
    return {has_limit ? Code::memory_limit : Code::memory, error.needed_bytes(), error.what()};
  } catch (const std::bad_alloc&) {
    return {Code::memory, 0, "the system refuses memory"};
  } catch (const std::exception& error) {
    return {Code::internal, 0, error.what()};
  }
}

}  // namespace

template <Scalar S>
Instance<S>::Instance(const Structure<S>& structure) : works_(structure.integer(Member::par) != 0) {
  system_.symmetry = symmetry_of(structure.integer(Member::sym));
}

template <Scalar S>
void Instance<S>::call(const Structure<S>& structure) noexcept {
  const std::lock_guard lock(mutex_);
  structure.set_info(1, 0);
  structure.set_info(2, 0);
  system_.arrays.take(structure);
  system_.note = {.kind = letter_of<S>(), .job = structure.integer(Member::job)};
  const double begin = steady_seconds();
  try {
    run(structure);
  } catch (...) {
    fail(structure, failure_of_exception(structure.icntl(23) > 0));
  }
  system_.note.order = system_.order();
  system_.note.num_entries = system_.entries.num_given();
  system_.note.seconds = steady_seconds() - begin;
  system_.note.info = structure.info(1);
  log_call(system_.note);
}

template <Scalar S>
void Instance<S>::run(const Structure<S>& structure) {
  const int job = structure.integer(Member::job);
  if (job < kAnalysis || job > kAll) {
    throw Failure(Code::wrong_job, job, "there is no such JOB");
  }
  if (!works_) {
    throw Failure(Code::process_without_work, 1, "with PAR=0 one process is too few");
  }
  if (job == kAnalysis || job == kFirstTwo || job == kAll) {
    analyze(structure);
  }
  if (job == kFactorization || job == kFirstTwo || job == kLastTwo || job == kAll) {
    factorize(structure);
  }
  if (job == kSolve || job == kLastTwo || job == kAll) {
    SolveCall<S>(structure, system_).run();
  }
}

template <Scalar S>
void Instance<S>::analyze(const Structure<S>& structure) {
  system_.stage = Stage::begun;
  system_.condensed.reset();
  system_.forward.reset();
  system_.row_scales.clear();
  system_.col_scales.clear();
  system_.entries = Entries<S>(structure, system_.symmetry, system_.arrays);
  system_.controls.reset();
  system_.solver = std::make_unique<SolverOf<S>>(Place());
  system_.controls.emplace(*system_.solver);
  system_.controls->set_for_analysis(structure);
  std::span<const S> values;
  bool has_values = system_.entries.has_values(system_.arrays);
  if (has_values) {
    values = system_.entries.values(structure, system_.arrays);
    has_values = are_finite(values);
  }
  system_.solver->set_triplets([&] { return system_.entries.take_pattern(); }, has_values ? values.data() : nullptr);
  set_given_order(structure);
  set_schur_variables(structure);
  system_.solver->analyze();
  const FigureSources sources = system_.solver->figure_sources();
  // As in MUMPS, which looks for the rank where it looks for large pivots.
  const bool looks_for_rank = system_.symmetry == Symmetry::general && structure.icntl(kMatching) != 0;
  if (looks_for_rank && system_.entries.are_assembled() && sources.analysis->structural_rank < system_.order() &&
      !system_.has_schur()) {
    throw Failure(Code::structurally_singular, sources.analysis->structural_rank, "the matrix is structurally singular");
  }
  system_.positions.resize(at(system_.order()));
  for (Index place = 0; place < system_.order(); ++place) {
    system_.positions[at(sources.elimination_order[at(place)])] = place + 1;
  }
  structure.template pointer<int>(Member::sym_perm) = system_.positions.data();
  write_analysis(sources, structure);
  system_.stage = Stage::analysed;
  const bool warns = system_.entries.are_assembled() && (looks_for_rank || system_.symmetry != Symmetry::general);
  if (warns && system_.entries.num_ignored() > 0) {
    structure.set_info(1, static_cast<int>(Code::ignored_entries));
    structure.set_info(2, in_millions(system_.entries.num_ignored()));
  }
}

// PERM_IN has the position of each variable.
template <Scalar S>
void Instance<S>::set_given_order(const Structure<S>& structure) {
  constexpr int kGiven = 1;
  if (structure.icntl(kOrdering) != kGiven) {
    return;
  }
  const int* positions = system_.arrays.template require<int>(Member::perm_in, Pointer::order);
  std::vector<int> variables(at(system_.order()), 0);
  for (Index variable = 0; variable < system_.order(); ++variable) {
    const int position = positions[variable];
    if (position < 1 || position > system_.order() || variables[at(position - 1)] != 0) {
      throw Failure(Code::permutation, variable + 1, "PERM_IN is no permutation");
    }
    variables[at(position - 1)] = variable + 1;
  }
  system_.solver->set_order(variables.data());
}

template <Scalar S>
void Instance<S>::set_schur_variables(const Structure<S>& structure) {
  system_.schur_variables.clear();
  const int kind = structure.icntl(kSchur);
  const int size = structure.integer(Member::size_schur);
  if (!requests_schur(structure)) {
    return;
  }
  if (size < 0 || size >= system_.order()) {
    throw Failure(Code::schur_variables, size, "SIZE_SCHUR must be from 0 to N-1");
  }
  const int* list = system_.arrays.template require<int>(Member::listvar_schur, Pointer::schur_list);
  std::vector<char> is_listed(at(system_.order()), 0);
  for (int k = 0; k < size; ++k) {
    if (list[k] < 1 || list[k] > system_.order() || std::exchange(is_listed[at(list[k] - 1)], 1) != 0) {
      throw Failure(Code::schur_variables, size, "LISTVAR_SCHUR has a variable that does not exist, or is there twice");
    }
  }
  system_.schur_variables.assign(list, list + size);
  system_.solver->set_schur_variables(size, list);
  if (kind > 1) {  // the whole complement is on this process
    structure.integer(Member::schur_mloc) = structure.integer(Member::schur_nloc) = size;
    structure.integer(Member::nprow) = structure.integer(Member::npcol) = 1;
  }
}

template <Scalar S>
void Instance<S>::factorize(const Structure<S>& structure) {
  if (system_.stage == Stage::begun) {
    throw Failure(Code::wrong_job, structure.integer(Member::job), "there is no analysis");
  }
  system_.stage = Stage::analysed;
  system_.condensed.reset();
  system_.forward.reset();
  const std::span<const S> values = system_.entries.values(structure, system_.arrays);
  if (!are_finite(values)) {
    throw Failure(Code::singular, 0, "a value of the matrix is not finite");
  }
  if (structure.icntl(kForward) == 1) {
    system_.forward = SolveCall<S>(structure, system_).right_hand_sides();
  }
  system_.controls->set_for_factorization(structure, values);
  set_given_scales(structure);
  system_.solver->refactorize(static_cast<Count>(values.size()), values.data());
  const SystemReport& report = system_.factorization().report();
  note_null_pivots(structure);
  write_factorization(report, structure);
  system_.note.flops = report.factorization.flops;
  const bool is_singular = report.factorization.status == FactorizationStatus::singular && report.rank.is_certain();
  if (is_singular && (structure.icntl(kNullPivots) != 1 || system_.has_schur())) {
    throw Failure(Code::singular, system_.order() - static_cast<Count>(system_.null_pivots.size()), "the matrix is singular");
  }
  if (system_.has_schur()) {
    write_schur(structure);
  }
  system_.stage = Stage::factorized;
}

template <Scalar S>
void Instance<S>::set_given_scales(const Structure<S>& structure) {
  constexpr int kGiven = -1;
  if (structure.icntl(kScaling) != kGiven) {
    return;
  }
  using R = RealOf<S>;
  const R* rows = system_.arrays.template require<R>(Member::rowsca, Pointer::row_scales);
  const R* cols = system_.arrays.template require<R>(Member::colsca, Pointer::column_scales);
  const auto are_same = [this](const std::vector<R>& before, const R* now) {
    return !before.empty() && std::equal(before.begin(), before.end(), now);
  };
  if (!are_same(system_.row_scales, rows) || !are_same(system_.col_scales, cols)) {
    system_.row_scales.assign(rows, rows + system_.order());
    system_.col_scales.assign(cols, cols + system_.order());
    system_.solver->set_scales(rows, cols);
  }
}

template <Scalar S>
void Instance<S>::note_null_pivots(const Structure<S>& structure) {
  const std::vector<Index>& variables = system_.factorization().report().factorization.null_pivots;
  system_.null_pivots.resize(variables.size());
  std::transform(variables.begin(), variables.end(), system_.null_pivots.begin(), [](Index variable) { return variable + 1; });
  system_.null_pivots.reserve(1);  // so that there is an address
  structure.template pointer<int>(Member::pivnul_list) = system_.null_pivots.data();
}

// By rows where ICNTL(19) is 1, by columns otherwise; of a symmetric matrix the lower triangle, and where it is 3 both.
template <Scalar S>
void Instance<S>::write_schur(const Structure<S>& structure) {
  constexpr int kByRows = 1;
  constexpr int kWhole = 3;
  const auto size = static_cast<Index>(system_.schur_variables.size());
  S* to = system_.arrays.template require<S>(Member::schur, Pointer::schur);
  const bool is_by_rows = structure.icntl(kSchur) == kByRows || structure.integer(Member::schur_mloc) == 0;
  const Index ld = is_by_rows ? size : structure.integer(Member::schur_lld);
  if (ld < size) {
    throw Failure(Code::schur_leading_dimension, ld, "SCHUR_LLD is less than SIZE_SCHUR");
  }
  const bool is_whole = system_.symmetry == Symmetry::general || structure.icntl(kSchur) == kWhole;
  const DenseMatrix<S> complement = system_.factorization().schur_complement();
  for (Index j = 0; j < size; ++j) {
    for (Index i = 0; i < size; ++i) {
      const Count place = is_by_rows ? static_cast<Count>(i) * ld + j : static_cast<Count>(j) * ld + i;
      to[place] = is_whole || i >= j ? complement.column(j)[at(i)] : S(0);
    }
  }
}

FROND_INSTANTIATE_CLASS(Instance)

}  // namespace frond::mumps
