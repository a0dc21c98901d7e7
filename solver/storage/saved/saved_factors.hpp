// SPDX-License-Identifier: BSD-3-Clause
// Factors of one process to a file and back.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "factorization/factorize.hpp"
#include "factorization/factors.hpp"
#include "factorization/memory/factor_storage.hpp"
#include "factorization/memory/memory_meter.hpp"
#include "solver/numerics/problem/analysed_matrix.hpp"
#include "solver/storage/saved/saved_file.hpp"
#include "solver/storage/saved/saved_fronts.hpp"
#include "solver/storage/saved/saved_system.hpp"

namespace frond {

/// Writes table and entries.
template <Scalar F>
void write_factors(SavedFileWriter& file, const Factors<F>& factors);

/// Memory for all fronts of a table, whose lists are filled in, and whose entries come batch by batch.
template <Scalar F>
class WholeFronts {
 public:
  /// Throws MemoryError. `fronts` are the sizes of the table's.
  WholeFronts(const FrontTable<F>& table, std::span<const SavedFront> fronts, const AssemblyTree& tree, Method method,
              std::shared_ptr<RegionPool> regions, MemoryMeter& meter);

  /// Takes the entries of some pieces, one piece after the other.
  void write(std::span<const FrontPiece> batch, std::span<const F> entries);

  /// The factors, once all entries are there; this object is empty then.
  [[nodiscard]] Factors<F> take(std::shared_ptr<const Symbolic> symbolic, std::vector<RealOf<F>> row_scaling,
                                std::vector<RealOf<F>> col_scaling);

 private:
  std::span<const SavedFront> saved_;
  Method method_;
  std::shared_ptr<FactorStorage> storage_;
  std::vector<FrontFactor<F>> fronts_;
};

/// Reads them. Throws InputError, and MemoryError where memory or its limit in `options` does not suffice.
template <Scalar F>
[[nodiscard]] Factors<F> read_factors(SavedFileReader& file, std::shared_ptr<const Symbolic> symbolic, Method method,
                                      std::vector<RealOf<F>> row_scaling, std::vector<RealOf<F>> col_scaling,
                                      const FactorizationOptions& options);

/// The table of a file, when it fits the analysis. Throws InputError.
template <Scalar F>
[[nodiscard]] FrontTable<F> read_table(SavedFileReader& file, const AssemblyTree& tree, Method method);

/// The analysis of a file, made of its parts. Throws InputError, naming `path`, unless they fit each other, and the system them.
[[nodiscard]] std::shared_ptr<const Symbolic> saved_analysis(const std::string& path, const SavedSystem& system,
                                                             SavedSymbolic parts);

/// The scaling of a file, when it is one of matrices of that order. Throws InputError.
template <class R>
[[nodiscard]] Scaling<R> read_scaling(SavedFileReader& file, Index order);

/// Reads the first two sections and writes them.
[[nodiscard]] SavedSystem read_system(SavedFileReader& file);
[[nodiscard]] SavedSymbolic read_symbolic(SavedFileReader& file);
void write_system(SavedFileWriter& file, SavedSystem system, SavedSymbolic symbolic);

/// Throws UsageError, naming the file, unless it holds factors for matrices of S and by `method`, if one is asked for.
template <Scalar S>
void check_saved_system(const std::string& path, const SavedSystem& system, const std::optional<Method>& method);

/// The matrix as the saved analysis has it. A general one becomes its triangle where such a one was factorized. Throws UsageError,
/// naming the file, unless it is the matrix that was factorized.
template <Scalar S>
[[nodiscard]] AnalysedMatrix<S> check_saved_matrix(const std::string& path, const SavedSystem& system, const Symbolic& symbolic,
                                                   SystemMatrix<S>& matrix);

/// Throws UsageError: there is nothing to save.
[[noreturn]] void refuse_to_save_nothing(const FactorizationReport& report);

}  // namespace frond
