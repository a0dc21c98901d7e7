// SPDX-License-Identifier: BSD-3-Clause
// The results of `frond analyze` and `frond solve`, and their output: a summary for people, JSON for programs.
#pragma once

#include <cstdio>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "factorization/memory/memory_limit.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/tables/figures.hpp"
#include "tools/program/arguments/shared_arguments.hpp"
#include "tools/program/records/distribution_record.hpp"
#include "tools/program/records/mapping_record.hpp"
#include "tools/program/records/survival_facts.hpp"

namespace frond {

struct MatrixFacts {
  std::string file;
  Index order = 0;
  Count num_entries = 0;         ///< of the whole matrix
  Count num_stored_entries = 0;  ///< of the file: one triangle unless general
  Symmetry symmetry = Symmetry::general;
  bool has_detected_symmetry = false;  ///< detected from the values: the file declares it general
  bool is_complex = false;
  bool is_single = false;  ///< the matrix was rounded to single precision, as are all results
  double read_seconds = 0;
};

struct AnalysisFacts : AnalysisFigures {
  std::string file;  ///< of the analysed matrix, if it is not the factorized one
  int num_threads = 0;
  OrderingReport ordering;
  Index largest_block = 0;  ///< order of the largest
  Index num_levels = 1;     ///< factorized separately
  Index num_roots = 0;
  Index tree_height = 0;  ///< fronts on the longest path
  MemoryEstimate memory;
  MemoryLimit memory_limit;  ///< of the factorization, after the analysis
  Count symbolic_bytes = 0;
};

struct FactorizationFacts {
  SystemReport report;
  Index schur_order = 0;                                              ///< variables kept for a Schur complement
  double expansion_error = std::numeric_limits<double>::quiet_NaN();  ///< of `--expand`; NaN: not requested
  bool lacks_asked_complement = false;                                ///< it was to be written to a file
  double seconds = 0;
  Count estimated_peak_bytes = 0;        ///< resident before + estimate for the factorization
  Count peak_bytes = 0;                  ///< peak resident memory during the factorization
  bool peak_is_of_factorization = true;  ///< false: the system could not reset the peak; it may be older
};

/// A file of saved factors.
struct FactorFileFacts {
  std::string file;  ///< empty: none
  double seconds = 0;
  Count num_bytes = 0;
};

/// Copies of all factors for every process.
struct ReplicationFacts {
  bool is_asked = false;
  double seconds = 0;
  Count num_bytes = 0;  ///< per process, in addition to its own part
};

struct SolveFacts {
  SolveReport report;
  Index num_rhs = 0;
  double seconds = 0;
  double forward_error = std::numeric_limits<double>::quiet_NaN();  ///< largest over the columns; NaN if x is unknown
};

/// What `frond solve` reports about requested results other than solutions.
struct AnswerFacts {
  std::optional<Index> null_space_dimension;
  double null_space_error = 0;
  Count num_inverse_entries = 0;
  double inverse_error = 0;
  bool has_inverse = false;        ///< entries were requested
  bool is_inverse_good = true;     ///< all requested entries are verified
  std::vector<std::string> lines;  ///< for people
};

struct RunRecord {
  MatrixFacts matrix;
  std::vector<std::string> input_notes;  ///< losses of matrix and right-hand sides on reading
  AnalysisFacts analysis;
  DistributionFacts distribution;
  FactorizationFacts factorization;
  FactorFileFacts loaded;  ///< the source of the factors; analysis and factorization took no time then
  FactorFileFacts saved;
  ReplicationFacts replication;
  OnlyArgument only;  ///< not empty: nothing was solved, and solve.report covers the pivots alone
  SolveFacts solve;
  AnswerFacts answers;
  SurvivalFacts survival;
};

template <Scalar S>
[[nodiscard]] MatrixFacts matrix_facts(const std::string& file, const SparseMatrix<S>& matrix);
[[nodiscard]] AnalysisFacts analysis_facts(const Symbolic& symbolic, Method method, Count scalar_bytes, int num_threads,
                                           KeptFactors kept = KeptFactors::all);

/// Prints lines for people: matrix, ordering, tree and prediction.
void print_analysis(std::FILE* stream, const MatrixFacts& matrix, const AnalysisFacts& analysis);
/// Prints lines for people: what was used, how long it took, and the verdict.
void print_outcome(std::FILE* stream, const RunRecord& record);

/// Takes the rank from a second factorization, if single precision was not enough for a solve.
void heed_second_factors(RunRecord& record);

/// Puts the rank, and with it the verdict, in doubt, with a note, if right-hand sides that were made as A x turn out inconsistent:
/// they have solutions.
void heed_made_sides(RunRecord& record);

/// True if there are factors to save. If not, a note says so: the verdict on the matrix is worth more than an error.
[[nodiscard]] bool has_factors_to_save(RunRecord& record);

/// Calls transfer(), which reads or writes the file, and returns its time and size.
[[nodiscard]] FactorFileFacts timed_transfer(const std::string& file, const std::function<void()>& transfer);

/// Notes that the Schur complement does not exist that was to be written to these files, if they have names.
void note_absent_complement(const std::vector<std::string>& files, RunRecord& record);

/// Prints a table for people: the levels of the tree.
void print_levels(std::FILE* stream, const FactorizationReport& factorization);

[[nodiscard]] std::string analysis_json(const MatrixFacts& matrix, const AnalysisFacts& analysis, const MappingFacts& mapping);
[[nodiscard]] std::string solve_json(const RunRecord& record);

}  // namespace frond
