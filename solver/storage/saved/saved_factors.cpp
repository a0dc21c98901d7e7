// SPDX-License-Identifier: BSD-3-Clause
// Implements what one process saves and loads, and what is refused.
#include "solver/storage/saved/saved_factors.hpp"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "frond/error.hpp"
#include "matrices/symmetry.hpp"
#include "solver/numerics/problem/found_symmetry.hpp"
#include "solver/storage/saved/check_saved.hpp"

namespace frond {
namespace {

constexpr const char* kOtherMatrix = "load them with the matrix that was factorized, or factorize this one";

}  // namespace

void refuse_to_save_nothing(const FactorizationReport& report) {
  throw UsageError(
      fmt::format("there are no factors to save: the matrix {}", report.status == FactorizationStatus::not_positive_definite
                                                                     ? "is not positive definite, and Cholesky was asked for"
                                                                     : "is singular, and memory did not suffice for its fronts"));
}

void write_system(SavedFileWriter& file, SavedSystem system, SavedSymbolic symbolic) {
  file.section(SavedSection::system, system);
  file.section(SavedSection::symbolic, symbolic);
}

SavedSystem read_system(SavedFileReader& file) {
  SavedSystem system;
  file.section(SavedSection::system, system);
  return system;
}

SavedSymbolic read_symbolic(SavedFileReader& file) {
  SavedSymbolic symbolic;
  file.section(SavedSection::symbolic, symbolic);
  return symbolic;
}

template <Scalar F>
void write_factors(SavedFileWriter& file, const Factors<F>& factors) {
  const AssemblyTree& tree = factors.symbolic().tree();
  FrontTable<F> table;
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    table.append(factors.front(node), factors.method());
  }
  file.section(SavedSection::fronts, table);
  const std::vector<SavedFront> fronts = front_sizes(table, tree);
  write_entries<F>(file, fronts, factors.method(), [&](std::span<const FrontPiece> batch, std::span<F> entries) {
    F* to = entries.data();
    for (const FrontPiece& piece : batch) {
      copy_piece(factors.front(piece.node), factors.method(), piece, to);
      to += num_entries(piece, fronts[piece.node], factors.method());
    }
  });
}

template <Scalar F>
FrontTable<F> read_table(SavedFileReader& file, const AssemblyTree& tree, Method method) {
  FrontTable<F> table;
  file.section(SavedSection::fronts, table);
  try {
    check_table(table, tree, method);
  } catch (const InternalError& error) {
    file.refuse_damage(fmt::format("is damaged: {}", error.what()));
  }
  return table;
}

std::shared_ptr<const Symbolic> saved_analysis(const std::string& path, const SavedSystem& system, SavedSymbolic parts) {
  try {
    std::shared_ptr<const Symbolic> symbolic = joined(std::move(parts));
    check_system(system, symbolic->order(), symbolic->symmetry());
    return symbolic;
  } catch (const InternalError& error) {
    refuse_damaged_file(path, fmt::format("is damaged: {}", error.what()));
  }
}

template <class R>
Scaling<R> read_scaling(SavedFileReader& file, Index order) {
  Scaling<R> scaling;
  file.section(SavedSection::scaling, scaling);
  try {
    check_scaling(scaling, order);
  } catch (const InternalError& error) {
    file.refuse_damage(fmt::format("is damaged: {}", error.what()));
  }
  return scaling;
}

template <Scalar F>
WholeFronts<F>::WholeFronts(const FrontTable<F>& table, std::span<const SavedFront> fronts, const AssemblyTree& tree, Method method,
                            std::shared_ptr<RegionPool> regions, MemoryMeter& meter)
    : saved_(fronts),
      method_(method),
      storage_(std::make_shared<FactorStorage>(tree, method, static_cast<Count>(sizeof(F)), std::move(regions))) {
  fronts_.reserve(saved_.size());
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const SavedFront& one = saved_[node];
    fronts_.push_back(storage_->place<F>(tree, node, one.num_fully_summed - tree.num_fully_summed(node), method, meter));
    fill_lists(table, one, method, fronts_.back());
  }
}

template <Scalar F>
void WholeFronts<F>::write(std::span<const FrontPiece> batch, std::span<const F> entries) {
  const F* from = entries.data();
  for (const FrontPiece& piece : batch) {
    const auto at = static_cast<std::size_t>(piece.node);
    copy_piece(fronts_[at], method_, piece, from);
    from += num_entries(piece, saved_[at], method_);
  }
}

template <Scalar F>
Factors<F> WholeFronts<F>::take(std::shared_ptr<const Symbolic> symbolic, std::vector<RealOf<F>> row_scaling,
                                std::vector<RealOf<F>> col_scaling) {
  return {std::move(symbolic), method_, std::move(fronts_), std::move(storage_), std::move(row_scaling), std::move(col_scaling)};
}

template <Scalar F>
Factors<F> read_factors(SavedFileReader& file, std::shared_ptr<const Symbolic> symbolic, Method method,
                        std::vector<RealOf<F>> row_scaling, std::vector<RealOf<F>> col_scaling,
                        const FactorizationOptions& options) {
  const AssemblyTree& tree = symbolic->tree();
  const FrontTable<F> table = read_table<F>(file, tree, method);
  const std::vector<SavedFront> saved = front_sizes(table, tree);
  begin_entries(file, saved, method, sizeof(F));
  const MemoryLimit limit = memory_limit(options, number_of_threads(options.num_threads));
  MemoryMeter meter(limit.bytes, limit.whose());
  WholeFronts<F> fronts(table, saved, tree, method, options.memory ? options.memory : std::make_shared<RegionPool>(0), meter);
  read_entries<F>(file, saved, method,
                  [&](std::span<const FrontPiece> batch, std::span<const F> entries) { fronts.write(batch, entries); });
  return fronts.take(std::move(symbolic), std::move(row_scaling), std::move(col_scaling));
}

template <Scalar S>
void check_saved_system(const std::string& path, const SavedSystem& system, const std::optional<Method>& method) {
  if (system.scalar != kSavedScalar<S>) {
    throw UsageError(fmt::format("{}: holds factors of a matrix of {}, but one of {} is given; {}", path, to_string(system.scalar),
                                 to_string(kSavedScalar<S>), kOtherMatrix));
  }
  if (method && *method != system.report.method) {
    throw UsageError(fmt::format("{}: holds factors by {}, but {} is asked for; leave the method to Frond, or factorize the matrix",
                                 path, to_string(system.report.method), to_string(*method)));
  }
}

template <Scalar S>
AnalysedMatrix<S> check_saved_matrix(const std::string& path, const SavedSystem& system, const Symbolic& symbolic,
                                     SystemMatrix<S>& matrix) {
  check_system(matrix);
  std::optional<AnalysedMatrix<S>> analysed;
  try {
    matrix = with_symmetry(matrix, system.symmetry);
    if (matrix.stored.pattern.symmetry != system.symmetry) {
      throw UsageError(fmt::format("it is {}, this one {}", to_string(system.symmetry), to_string(matrix.stored.pattern.symmetry)));
    }
    analysed.emplace(symbolic, matrix, system.report.method);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: holds factors of another matrix: {}; {}", path, error.what(), kOtherMatrix));
  }
  if (analysed->view().pattern.num_entries() != symbolic.num_entries()) {
    refuse_damaged_file(path, "is damaged: its analysis is not that of the pattern that it names");
  }
  if (values_hash<S>(analysed->view().values) != system.values_hash) {
    throw UsageError(
        fmt::format("{}: holds factors of another matrix: the pattern fits, but the values differ; {}", path, kOtherMatrix));
  }
  return std::move(*analysed);
}

template Scaling<float> read_scaling(SavedFileReader&, Index);
template Scaling<double> read_scaling(SavedFileReader&, Index);
#define FROND_INSTANTIATE(S)                                                                                                \
  template void write_factors(SavedFileWriter&, const Factors<S>&);                                                         \
  template class WholeFronts<S>;                                                                                            \
  template FrontTable<S> read_table(SavedFileReader&, const AssemblyTree&, Method);                                         \
  template void check_saved_system<S>(const std::string&, const SavedSystem&, const std::optional<Method>&);                \
  template AnalysedMatrix<S> check_saved_matrix(const std::string&, const SavedSystem&, const Symbolic&, SystemMatrix<S>&); \
  template Factors<S> read_factors(SavedFileReader&, std::shared_ptr<const Symbolic>, Method, std::vector<RealOf<S>>,       \
                                   std::vector<RealOf<S>>, const FactorizationOptions&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
