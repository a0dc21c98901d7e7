// SPDX-License-Identifier: BSD-3-Clause
// Writes the factors of one process to a file and reads them back.
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

/// Allocates all fronts of a table, whose lists are filled in, and whose entries arrive batch by batch.
template <Scalar F>
class WholeFronts {
 public:
  /// Throws MemoryError. `fronts` are the sizes of the table's fronts.
  WholeFronts(const FrontTable<F>& table, std::span<const SavedFront> fronts, const AssemblyTree& tree, Method method,
              std::shared_ptr<RegionPool> regions, MemoryMeter& meter);

  /// Takes the entries of some pieces, one piece after the other.
  void write(std::span<const FrontPiece> batch, std::span<const F> entries);

  /// Returns the factors, once all entries have been written; this object is then empty.
  [[nodiscard]] Factors<F> take(std::shared_ptr<const Symbolic> symbolic, std::vector<RealOf<F>> row_scaling,
                                std::vector<RealOf<F>> col_scaling);

 private:
  std::span<const SavedFront> saved_;
  Method method_;
  std::shared_ptr<FactorStorage> storage_;
  std::vector<FrontFactor<F>> fronts_;
};

/// Reads the factors. Throws InputError, and MemoryError if memory or its limit in `options` does not suffice.
template <Scalar F>
[[nodiscard]] Factors<F> read_factors(SavedFileReader& file, std::shared_ptr<const Symbolic> symbolic, Method method,
                                      std::vector<RealOf<F>> row_scaling, std::vector<RealOf<F>> col_scaling,
                                      const FactorizationOptions& options);

/// Reads the table of a file, and checks it against the analysis. Throws InputError.
template <Scalar F>
[[nodiscard]] FrontTable<F> read_table(SavedFileReader& file, const AssemblyTree& tree, Method method);

/// Makes the analysis of a file from its parts. Throws InputError, naming `path`, unless they fit each other and the system.
[[nodiscard]] std::shared_ptr<const Symbolic> saved_analysis(const std::string& path, const SavedSystem& system,
                                                             SavedSymbolic parts);

/// Reads the scaling of a file, and checks that it is for matrices of that order. Throws InputError.
template <class R>
[[nodiscard]] Scaling<R> read_scaling(SavedFileReader& file, Index order);

/// Read and write the first two sections.
[[nodiscard]] SavedSystem read_system(SavedFileReader& file);
[[nodiscard]] SavedSymbolic read_symbolic(SavedFileReader& file);
void write_system(SavedFileWriter& file, SavedSystem system, SavedSymbolic symbolic);

/// Throws UsageError, naming the file, unless it holds factors for matrices of S and by the requested `method`, if any.
template <Scalar S>
void check_saved_system(const std::string& path, const SavedSystem& system, const std::optional<Method>& method);

/// Returns the matrix in the form of the saved analysis. A general matrix becomes its triangle if that was factorized. Throws
/// UsageError, naming the file, unless it is the matrix that was factorized.
template <Scalar S>
[[nodiscard]] AnalysedMatrix<S> check_saved_matrix(const std::string& path, const SavedSystem& system, const Symbolic& symbolic,
                                                   SystemMatrix<S>& matrix);

/// Throws UsageError: there is nothing to save.
[[noreturn]] void refuse_to_save_nothing(const FactorizationReport& report);

}  // namespace frond
