// SPDX-License-Identifier: BSD-3-Clause
// Analyses and factorizes, and turns every exception into INFO.
#include "interfaces/mumps/instance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <new>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

#include "frond/error.hpp"
#include "interfaces/mumps/control_numbers.hpp"
#include "interfaces/mumps/failure.hpp"
#include "interfaces/mumps/jobs.hpp"
#include "interfaces/mumps/processes.hpp"
#include "interfaces/mumps/solve_call.hpp"
#include "interfaces/mumps/statistics.hpp"
#include "matrices/position.hpp"
#include "matrices/steady_clock.hpp"
#include "solver/numerics/problem/finite.hpp"

namespace frond::mumps {
namespace {

constexpr int kByRows = 1;  // a Schur complement
constexpr int kWhole = 3;   // one with both triangles

template <Scalar S>
bool are_finite(std::span<const S> values) {
  return std::isfinite(largest_magnitude(values));
}

template <Scalar S>
constexpr char letter_of() {
  return sizeof(RealOf<S>) == sizeof(double) ? (kIsComplex<S> ? 'z' : 'd') : (kIsComplex<S> ? 'c' : 's');
}

// Counts those of `size` rows or columns that the row or column `position` of a grid gets, dealt out in blocks.
int num_dealt(Count size, Count block_size, Count position, Count num_positions) {
  Count count = 0;
  for (Count begin = position * block_size; begin < size; begin += num_positions * block_size) {
    count += std::min(block_size, size - begin);
  }
  return static_cast<int>(count);
}

// Sets INFO(1) and INFO(2), and says why where the caller has a unit for errors: 6 is standard output; others are Fortran's.
template <Scalar S>
void fail(const Structure<S>& structure, int code, int detail, const char* text) {
  constexpr int kStandardOutput = 6;
  structure.set_info(1, code);
  structure.set_info(2, detail);
  const bool is_reported_elsewhere = code == static_cast<int>(Code::elsewhere);
  if (!is_reported_elsewhere && structure.icntl(kErrorUnit) == kStandardOutput && structure.icntl(kPrintLevel) >= 1) {
    std::printf("frond: JOB=%d: %s; INFO(1)=%d, INFO(2)=%d\n", structure.integer(Member::job), text, code, detail);
    std::fflush(stdout);
  }
}

template <Scalar S>
void fail(const Structure<S>& structure, Code code, Count detail, const char* text) {
  fail(structure, static_cast<int>(code), in_millions(detail), text);
}

// For the exception that is being handled. Takes no memory, which may be what is missing.
template <Scalar S>
void fail_by_exception(const Structure<S>& structure) {
  try {
    throw;
  } catch (const Failure& failure) {
    fail(structure, failure.code(), failure.detail(), failure.what());
  } catch (const MemoryError& error) {
    const Code code = structure.icntl(kMemoryLimit) > 0 ? Code::memory_limit : Code::memory;
    fail(structure, code, error.needed_bytes(), error.what());
  } catch (const std::bad_alloc&) {
    fail(structure, Code::memory, 0, "the system refuses memory");
  } catch (const std::length_error&) {
    fail(structure, Code::memory, 0, "no memory is large enough");
  } catch (const std::exception& error) {
    fail(structure, Code::internal, 0, error.what());
  } catch (...) {
    fail(structure, Code::internal, 0, "an exception of an unknown kind");
  }
}

}  // namespace

// A first process that does not work, by PAR=0, works where there are others.
template <Scalar S>
Instance<S>::Instance(const Structure<S>& structure) {
  system_.place = place_of(structure.integer(Member::comm_fortran));
  system_.sym = structure.integer(Member::sym);
  works_ = structure.integer(Member::par) != 0 || system_.place.num_ranks() > 1;
}

template <Scalar S>
void Instance<S>::call(const Structure<S>& structure) noexcept {
  const std::lock_guard lock(mutex_);
  const Team& team = system_.team();
  if (team.size() == 1) {
    return attempt(structure);
  }
  try {
    SharedStructure<S> shared(structure, team);
    attempt(shared.structure());
    shared.give_results(team);
  } catch (...) {
    fail_by_exception(structure);
  }
}

template <Scalar S>
void Instance<S>::attempt(const Structure<S>& structure) noexcept {
  system_.arrays.take(structure);
  system_.note = {.kind = letter_of<S>(), .job = structure.integer(Member::job)};
  const double begin = steady_seconds();
  try {
    run(structure);
  } catch (...) {
    fail_by_exception(structure);
  }
  if (!system_.leads()) {
    return;
  }
  system_.note.order = system_.order();
  system_.note.num_entries = system_.num_entries;
  system_.note.seconds = steady_seconds() - begin;
  system_.note.info = structure.info(1);
  log_call(system_.note);
}

template <Scalar S>
void Instance<S>::run(const Structure<S>& structure) {
  const int job = structure.integer(Member::job);
  if ((job < kAnalysis || job > kAll) && job != kDistribution) {
    throw Failure(Code::wrong_job, job, "there is no such JOB");
  }
  if (!works_) {
    throw Failure(Code::process_without_work, 1, "with PAR=0 one process is too few");
  }
  if (analyses(job)) {
    analyze(structure);
  }
  if (factorizes(job)) {
    factorize(structure);
  }
  if (job == kDistribution) {
    SolveCall<S>(structure, system_).distribute();
  }
  if (solves(job)) {
    SolveCall<S>(structure, system_).run();
  }
}

template <Scalar S>
void Instance<S>::analyze(const Structure<S>& structure) {
  begin_system(structure);
  const std::span<const S> values = values_for_analysis(structure);
  const std::vector<Count> num_given = system_.team().of_all(system_.entries.num_given());
  system_.num_entries = std::accumulate(num_given.begin(), num_given.end(), Count{0});
  system_.solver->set_triplets([&] { return system_.entries.take_pattern(); }, values.data());
  set_given_order(structure);
  set_schur_variables(structure);
  system_.solver->analyze();
  const FigureSources sources = system_.solver->figure_sources();
  // As in MUMPS, which looks for the rank where it looks for large pivots.
  const bool looks_for_rank = system_.is_general() && structure.icntl(kMatching) != 0;
  Index rank = sources.analysis->structural_rank;
  share_value(system_.team(), rank);
  if (looks_for_rank && system_.entries.are_assembled() && rank < system_.order() && !system_.has_schur()) {
    throw Failure(Code::structurally_singular, rank, "the matrix is structurally singular");
  }
  together(system_.team(), [&] {
    note_positions(sources.elimination_order, structure);
    note_mapping(structure);
    write_analysis(sources, structure);
  });
  system_.stage = Stage::analysed;
  const bool warns = system_.entries.are_assembled() && (looks_for_rank || !system_.is_general());
  if (warns && system_.entries.num_ignored() > 0) {
    structure.set_info(1, static_cast<int>(Code::ignored_entries));
    structure.set_info(2, in_millions(system_.entries.num_ignored()));
  }
}

// Forgets the system before, and takes what the analysis decides for all later jobs.
template <Scalar S>
void Instance<S>::begin_system(const Structure<S>& structure) {
  System<S> next;
  next.place = system_.place;
  next.sym = system_.sym;
  next.arrays = system_.arrays;
  next.note = system_.note;
  system_ = std::move(next);
  for (const Member own : {Member::sym_perm, Member::pivnul_list, Member::mapping}) {
    structure.template pointer<int>(own) = nullptr;
  }
  together(system_.team(), [&] {
    system_.entries = Entries<S>(structure, system_.symmetry(), system_.arrays, system_.leads());
    system_.solver = std::make_unique<SolverOf<S>>(system_.place);
  });
  system_.controls.emplace(*system_.solver, system_.sym);
  system_.controls->set_for_analysis(structure);
  system_.discards_factors = structure.icntl(kDiscard) == 1;
  system_.forward_width = structure.icntl(kForward) == 1 ? structure.integer(Member::nrhs) : 0;
}

// Returns what may be read, or an empty span without an address: the factorization may come with values of its own, and MUMPS
// leaves those of JOB=1 alone where it looks for no large pivots.
template <Scalar S>
std::span<const S> Instance<S>::values_for_analysis(const Structure<S>& structure) {
  const bool reads =
      structure.integer(Member::job) != kAnalysis || ((system_.sym != 1 || kIsComplex<S>)&&structure.icntl(kMatching) != 0);
  std::span<const S> values;
  bool are_there = false;
  together(system_.team(), [&] {
    if (reads && system_.entries.are_valued(structure)) {
      values = system_.entries.values(structure, system_.arrays);
      are_there = are_finite(values);
    }
  });
  const std::vector<Count> are_there_on_all = system_.team().of_all(are_there ? 1 : 0);
  const bool all = std::find(are_there_on_all.begin(), are_there_on_all.end(), 0) == are_there_on_all.end();
  return all ? values : std::span<const S>();
}

// Where ICNTL(18)=1 asks which process is to have which entries, the first one is to have all, but any others will do.
template <Scalar S>
void Instance<S>::note_mapping(const Structure<S>& structure) {
  constexpr int kByMapping = 1;
  if (system_.entries.are_dealt_out_later() && structure.icntl(kDistributedEntries) == kByMapping && system_.leads()) {
    system_.mapping.assign(at(system_.entries.num_given()), 0);
    structure.template pointer<int>(Member::mapping) = system_.mapping.data();
  }
}

// SYM_PERM has the position of each variable.
template <Scalar S>
void Instance<S>::note_positions(std::span<const Index> elimination_order, const Structure<S>& structure) {
  system_.positions.resize(elimination_order.size());
  for (Index place = 0; place < system_.order(); ++place) {
    system_.positions[at(elimination_order[at(place)])] = place + 1;
  }
  structure.template pointer<int>(Member::sym_perm) = system_.positions.data();
}

// PERM_IN has the position of each variable.
template <Scalar S>
void Instance<S>::set_given_order(const Structure<S>& structure) {
  constexpr int kGiven = 1;
  if (structure.icntl(kOrdering) != kGiven) {
    return;
  }
  std::vector<int> variables;
  together_on_first(system_.team(), [&] {
    const int* positions = system_.arrays.template require<int>(Member::perm_in, Pointer::order);
    variables.resize(at(system_.order()), 0);
    for (Index variable = 0; variable < system_.order(); ++variable) {
      const int position = positions[variable];
      if (position < 1 || position > system_.order() || variables[at(position - 1)] != 0) {
        throw Failure(Code::permutation, variable + 1, "PERM_IN is no permutation");
      }
      variables[at(position - 1)] = variable + 1;
    }
  });
  system_.solver->set_order(variables.data());
}

template <Scalar S>
void Instance<S>::set_schur_variables(const Structure<S>& structure) {
  const int kind = structure.icntl(kSchur);
  const int size = structure.integer(Member::size_schur);
  if (kind < kByRows || kind > kWhole || size == 0) {
    return;
  }
  if (size < 0 || size >= system_.order()) {
    throw Failure(Code::schur_variables, size, "SIZE_SCHUR must be from 0 to N-1");
  }
  together_on_first(system_.team(), [&] {
    const int* list = system_.arrays.template require<int>(Member::listvar_schur, Pointer::schur_list);
    std::vector<char> is_listed(at(system_.order()), 0);
    for (int k = 0; k < size; ++k) {
      if (list[k] < 1 || list[k] > system_.order() || std::exchange(is_listed[at(list[k] - 1)], 1) != 0) {
        throw Failure(Code::schur_variables, size, "LISTVAR_SCHUR has a variable that does not exist, or is there twice");
      }
    }
    system_.schur_variables.assign(list, list + size);
  });
  share_list(system_.team(), system_.schur_variables);
  system_.schur_kind = kind;
  system_.solver->set_schur_variables(size, system_.schur_variables.data());
  if (kind != kByRows) {
    set_schur_grid(structure);
  }
}

// The grid that the caller asks for, if there are so many processes, or the first process alone.
template <Scalar S>
void Instance<S>::set_schur_grid(const Structure<S>& structure) {
  const int num_rows = structure.integer(Member::nprow);
  const int num_cols = structure.integer(Member::npcol);
  const int block_size = structure.integer(Member::mblock);
  const bool is_given = num_rows > 0 && num_cols > 0 && static_cast<Count>(num_rows) * num_cols <= system_.place.num_ranks() &&
                        block_size > 0 && block_size == structure.integer(Member::nblock);
  const int size = structure.integer(Member::size_schur);
  SchurGrid& grid = system_.schur_grid;
  grid = is_given ? SchurGrid{block_size, num_rows, num_cols} : SchurGrid{std::max(size, 1), 1, 1};
  structure.integer(Member::nprow) = grid.num_rows;
  structure.integer(Member::npcol) = grid.num_cols;
  const Rank rank = system_.place.rank();
  const bool is_in_grid = rank < grid.num_rows * grid.num_cols;
  structure.integer(Member::schur_mloc) = is_in_grid ? num_dealt(size, grid.block_size, rank / grid.num_cols, grid.num_rows) : 0;
  structure.integer(Member::schur_nloc) = is_in_grid ? num_dealt(size, grid.block_size, rank % grid.num_cols, grid.num_cols) : 0;
}

template <Scalar S>
void Instance<S>::factorize(const Structure<S>& structure) {
  if (system_.stage == Stage::begun) {
    throw Failure(Code::wrong_job, structure.integer(Member::job), "there is no analysis");
  }
  system_.stage = Stage::analysed;
  system_.condensed.reset();
  system_.forward.reset();
  const std::span<const S> values = values_for_factorization(structure);
  if (system_.forward_width != 0) {
    system_.forward = SolveCall<S>(structure, system_).forward_sides();
  }
  system_.finds_null_pivots = structure.icntl(kNullPivots) == 1;
  system_.controls->set_for_factorization(structure, values);
  set_given_scales(structure);
  system_.solver->refactorize(static_cast<Count>(values.size()), values.data());
  const SystemReport& report = system_.factorization().report();
  together(system_.team(), [&] { note_null_pivots(structure); });
  write_factorization(report, system_.order(), !system_.is_general() && !kIsComplex<S>, structure);
  if (system_.place.num_ranks() > 1) {
    together(system_.team(), [&] { structure.info(23) = static_cast<int>(system_.factorization().own_rows().size()); });
  }
  system_.note.flops = report.factorization.flops;
  const bool is_singular = report.factorization.status == FactorizationStatus::singular && report.rank.is_certain();
  if (is_singular && (!system_.finds_null_pivots || system_.has_schur())) {
    const auto num_left = static_cast<Count>(system_.null_pivots.size() + system_.schur_variables.size());
    throw Failure(Code::singular, system_.order() - num_left, "the matrix is singular");
  }
  if (system_.has_schur()) {
    write_schur(structure);
  }
  system_.stage = Stage::factorized;
}

// Entries that come only now are analysed again, with their values.
template <Scalar S>
std::span<const S> Instance<S>::values_for_factorization(const Structure<S>& structure) {
  const bool are_new = system_.entries.are_dealt_out_later();
  std::span<const S> values;
  together(system_.team(), [&] {
    if (are_new) {
      system_.own_entries = Entries<S>::of_factorization(structure, system_.symmetry(), system_.arrays);
    }
    Entries<S>& given = are_new ? *system_.own_entries : system_.entries;
    values = given.values(structure, system_.arrays);
    if (!are_finite(values)) {
      throw Failure(Code::singular, 0, "a value of the matrix is not finite");
    }
  });
  if (are_new) {
    system_.solver->set_triplets([&] { return system_.own_entries->take_pattern(); }, values.data());
  }
  return values;
}

// New scales of the caller, or none after some, make the solver analyse again.
template <Scalar S>
void Instance<S>::set_given_scales(const Structure<S>& structure) {
  constexpr int kGiven = -1;
  using R = RealOf<S>;
  std::vector<R> rows;
  std::vector<R> cols;
  together_on_first(system_.team(), [&] {
    if (structure.icntl(kScaling) != kGiven) {
      return;
    }
    const auto copy = [this](Member member, Pointer number) {
      const R* scales = system_.arrays.template require<R>(member, number);
      if (!std::all_of(scales, scales + system_.order(), [](R scale) { return scale > 0 && std::isfinite(scale); })) {
        throw Failure(Code::singular, 0, "a given scale is not a positive number");
      }
      return std::vector<R>(scales, scales + system_.order());
    };
    rows = copy(Member::rowsca, Pointer::row_scales);
    cols = copy(Member::colsca, Pointer::column_scales);
  });
  bool are_new = rows != system_.row_scales || cols != system_.col_scales;
  share_value(system_.team(), are_new);
  if (are_new) {
    system_.solver->set_scales(rows.empty() ? nullptr : rows.data(), cols.empty() ? nullptr : cols.data());
    system_.row_scales = std::move(rows);
    system_.col_scales = std::move(cols);
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
  if (system_.schur_grid.num_rows * system_.schur_grid.num_cols > 1) {
    return write_schur_part(structure);
  }
  const auto size = static_cast<Index>(system_.schur_variables.size());
  const bool is_by_rows = system_.schur_kind == kByRows;
  S* to = nullptr;
  Index ld = size;
  together_on_first(system_.team(), [&] {
    to = system_.arrays.template require<S>(Member::schur, Pointer::schur);
    ld = is_by_rows ? size : structure.integer(Member::schur_lld);
    if (ld < size) {
      throw Failure(Code::schur_leading_dimension, ld, "SCHUR_LLD is less than SIZE_SCHUR");
    }
  });
  const bool is_whole = system_.is_general() || system_.schur_kind == kWhole;
  const DenseMatrix<S> complement = system_.factorization().schur_complement();
  for (Index j = 0; j < size && to != nullptr; ++j) {
    for (Index i = 0; i < size; ++i) {
      const Count place = is_by_rows ? static_cast<Count>(i) * ld + j : static_cast<Count>(j) * ld + i;
      to[place] = is_whole || i >= j ? complement.column(j)[at(i)] : S(0);
    }
  }
}

// The blocks of this process, both triangles.
template <Scalar S>
void Instance<S>::write_schur_part(const Structure<S>& structure) {
  const SchurPart<S> part = system_.factorization().schur_part(system_.schur_grid);
  together(system_.team(), [&] {
    if (part.num_rows == 0 || part.num_cols == 0) {
      return;
    }
    S* to = system_.arrays.template require<S>(Member::schur, Pointer::schur);
    const Index ld = structure.integer(Member::schur_lld);
    if (ld < part.num_rows) {
      throw Failure(Code::schur_leading_dimension, ld, "SCHUR_LLD is less than SCHUR_MLOC");
    }
    for (Index j = 0; j < part.num_cols; ++j) {
      std::copy_n(part.entries.data() + static_cast<Count>(j) * part.num_rows, part.num_rows, to + static_cast<Count>(j) * ld);
    }
  });
}

FROND_INSTANTIATE_CLASS(Instance)

}  // namespace frond::mumps
