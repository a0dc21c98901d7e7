// SPDX-License-Identifier: BSD-3-Clause
// Prints facts about a run for people.
#include "tools/program/records/run_record.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>
#include <span>
#include <vector>

#include "matrices/counted.hpp"
#include "matrices/symmetry.hpp"
#include "solver/numerics/problem/known_inertia.hpp"
#include "solver/numerics/problem/rank_proof.hpp"
#include "solver/options/byte_size.hpp"
#include "tools/program/arguments/ordering_file.hpp"
#include "tools/program/process/stopwatch.hpp"
#include "tools/program/records/run_words.hpp"

namespace frond {
namespace {

void print_checkpoint(std::FILE* stream, const CheckpointReport& checkpoint) {
  if (checkpoint.directory.empty()) {
    return;
  }
  if (checkpoint.is_in_memory) {
    fmt::print(stream, "copies         {} of what was finished, at most {} at a time\n", format_byte_size(checkpoint.bytes_written),
               format_byte_size(checkpoint.most_bytes));
  } else {
    fmt::print(stream, "checkpoint     {}: {}, {} written, waited for the disk: {:.3f} s; remove it when you have the answer\n",
               checkpoint.directory,
               checkpoint.num_fronts_found > 0 ? counted(checkpoint.num_fronts_found, "front") + " found" : "new",
               format_byte_size(checkpoint.bytes_written), checkpoint.seconds_waited);
  }
  if (!checkpoint.error.empty()) {
    fmt::print(stream, "note           the {} not kept up: {}; the list before that is good\n",
               checkpoint.is_in_memory ? "copies were" : "checkpoint was", checkpoint.error);
  }
  if (!checkpoint.left_behind.empty()) {
    fmt::print(stream, "note           {} has fronts of another factorization ({}), with which these options do not go on\n",
               checkpoint.directory, checkpoint.left_behind);
  }
}

void print_factor_file(std::FILE* stream, const char* label, const FactorFileFacts& facts) {
  if (!facts.file.empty()) {
    fmt::print(stream, "{:<15}{}, {} in {:.3f} s\n", label, facts.file, format_byte_size(facts.num_bytes), facts.seconds);
  }
}

const char* describe(MatchingKind matching) {
  switch (matching) {
    case MatchingKind::pairs:
      return " of pairs that pivot together";
    case MatchingKind::rows:
      return " after a matching of rows";
    default:
      return "";
  }
}

}  // namespace

template <Scalar S>
MatrixFacts matrix_facts(const std::string& file, const SparseMatrix<S>& matrix) {
  MatrixFacts facts;
  facts.file = file;
  facts.order = matrix.num_rows;
  facts.num_stored_entries = matrix.num_entries();
  facts.symmetry = matrix.symmetry;
  facts.is_complex = kIsComplex<S>;
  facts.is_single = std::is_same_v<RealOf<S>, float>;
  Count num_diagonal = 0;
  for (Index j = 0; j < matrix.num_cols; ++j) {
    const auto begin = matrix.row_indices.begin() + matrix.column_offsets[j];
    const auto end = matrix.row_indices.begin() + matrix.column_offsets[static_cast<std::size_t>(j) + 1];
    num_diagonal += std::binary_search(begin, end, j) ? 1 : 0;
  }
  facts.num_entries = matrix.symmetry == Symmetry::general ? matrix.num_entries() : 2 * matrix.num_entries() - num_diagonal;
  return facts;
}

AnalysisFacts analysis_facts(const Symbolic& symbolic, Method method, Count scalar_bytes, int num_threads, KeptFactors kept) {
  const AssemblyTree& tree = symbolic.tree();
  AnalysisFacts facts;
  static_cast<AnalysisFigures&>(facts) = analysis_figures(symbolic, method);
  facts.num_threads = num_threads;
  facts.ordering = symbolic.ordering();
  facts.largest_block = symbolic.blocks().largest_block;
  facts.num_levels = symbolic.blocks().num_levels;
  facts.num_roots = static_cast<Index>(tree.roots().size());
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    facts.tree_height = std::max(facts.tree_height, tree.depth(node) + 1);
  }
  facts.memory = estimate_memory(symbolic, method, scalar_bytes, num_threads, kept);
  facts.symbolic_bytes = symbolic.memory_bytes();
  return facts;
}

void print_analysis(std::FILE* stream, const MatrixFacts& matrix, const AnalysisFacts& analysis) {
  fmt::print(stream, "matrix         {}: order {}, {}, {} {}{}\n", matrix.file, matrix.order, counted_entries(matrix.num_entries),
             matrix.is_complex ? "complex" : "real", to_string(matrix.symmetry),
             matrix.has_detected_symmetry ? " by its values, though stored as general" : "");
  if (!analysis.file.empty()) {
    fmt::print(stream, "analysis       of {}\n", analysis.file);
  }
  if (analysis.structural_rank < matrix.order) {
    fmt::print(stream, "structure      rank {} of {}: the matrix is singular whatever its values are\n", analysis.structural_rank,
               matrix.order);
  }
  if (analysis.num_levels > 1) {
    fmt::print(stream, "blocks         {} on the diagonal of the block triangular form, the largest of order {}, in {}\n",
               analysis.num_blocks, analysis.largest_block, counted(analysis.num_levels, "level"));
  }
  fmt::print(stream, "ordering       {}{}: {:.2e} flops and {:.2e} entries of the factors ({})\n",
             to_string(analysis.ordering.kind), describe(analysis.ordering.matching), analysis.estimate.elimination_flops,
             static_cast<double>(analysis.estimate.exact_factor_entries), to_string(analysis.method));
  fmt::print(stream, "tree           {}, {} on the longest path, largest of order {}\n", counted(analysis.num_fronts, "front"),
             analysis.tree_height, analysis.estimate.max_front_order);
  fmt::print(stream, "prediction     {:.2e} flops, factors {}, at the peak {}, never above {} (threads: {})\n",
             analysis.estimate.front_flops, format_byte_size(analysis.memory.factor_bytes),
             format_byte_size(analysis.memory.peak_bytes()), format_byte_size(analysis.memory.upper_bound_bytes),
             analysis.num_threads);
  const Count limit = analysis.memory_limit.bytes;
  fmt::print(stream, "memory limit   {}: {}\n", limit > kNoMemoryIsLeft ? format_byte_size(limit) : "nothing is left",
             reason_of(analysis.memory_limit));
}

namespace {

std::string null_pivots_text(const std::vector<Index>& null_pivots) {
  constexpr std::size_t kMostTold = 10;
  const std::vector<Index> variables = counted_from_1(null_pivots);
  const std::span<const Index> told = std::span(variables).first(std::min(variables.size(), kMostTold));
  return fmt::format("of variables {}{}", fmt::join(told, ", "),
                     told.size() < variables.size() ? fmt::format(" and {} more, see --json", variables.size() - told.size()) : "");
}

// Returns how the rank is known; empty if no pivot cast doubt on it.
std::string proof_text(const RankProof& rank, Index order, bool is_single) {
  const std::string of_order = fmt::format("{} of {}", rank.highest, order);
  const std::string vectors = fmt::format(
      "{}{} every equation to {:.1e} of its terms", rank.is_sample ? "a sample of " : "",
      rank.num_vectors == 1 ? "1 null vector meets" : fmt::format("{} null vectors meet", rank.num_vectors), rank.number);
  switch (rank.status) {
    case RankVerdict::presumed:
      return {};
    case RankVerdict::nonsingular:
      return fmt::format("{}, proved: changes of {:.1e} of every entry are {:.1e} of what could make it singular", of_order,
                         is_single ? kSingularTolerance<float> : kSingularTolerance<double>, rank.number);
    case RankVerdict::singular:
      return fmt::format("{}, proved: {}, and the rest is at {:.1e} of being singular", of_order, vectors, rank.rest);
    case RankVerdict::structural:
      return fmt::format("{}, proved: some rows have entries in fewer columns than there are rows", of_order);
    case RankVerdict::in_doubt:
      return "in doubt: " + describe_bounds(rank, order);
  }
  return {};
}

}  // namespace

void print_outcome(std::FILE* stream, const RunRecord& record) {
  const FactorizationReport& factorization = record.factorization.report.factorization;
  const bool is_single = record.matrix.is_single || record.factorization.report.is_mixed;
  fmt::print(stream,
             "factors        {}{}: {:.2e} flops, {:.2e} entries, {} kept; delayed pivots: {}, two-by-two: {}{}, growth: {:.1e}\n",
             to_string(record.factorization.report.method), is_single ? " in single precision" : "", factorization.flops,
             static_cast<double>(factorization.factor_entries), format_byte_size(factorization.factor_bytes),
             factorization.num_delayed_pivots, factorization.num_two_by_two,
             factorization.num_perturbed_pivots > 0 ? fmt::format(", perturbed: {}", factorization.num_perturbed_pivots) : "",
             factorization.pivot_growth);
  if (record.factorization.schur_order > 0) {
    fmt::print(
        stream,
        "Schur          complement of order {}; determinant, inertia and rank are those of the block of all other variables\n",
        record.factorization.schur_order);
  }
  if (!std::isnan(record.factorization.expansion_error)) {
    fmt::print(stream, "expansion      backward error {:.1e} in the equations of the variables that were not kept\n",
               record.factorization.expansion_error);
  }
  if (has_determinant(record.factorization.report)) {
    fmt::print(stream, "determinant    {}\n", format_determinant(factorization.determinant, record.matrix.is_complex));
  }
  if (has_inertia(record)) {
    fmt::print(stream, "inertia        positive {}, negative {}, zero {}\n", factorization.inertia.positive,
               factorization.inertia.negative, factorization.inertia.zero);
  }
  if (!record.solve.report.null_pivots.empty() && factorization.status == FactorizationStatus::singular) {
    fmt::print(stream, "null pivots    {}\n", null_pivots_text(record.solve.report.null_pivots));
  }
  if (const std::string proof = proof_text(record.factorization.report.rank, record.matrix.order - record.factorization.schur_order,
                                           record.matrix.is_single);
      !proof.empty()) {
    fmt::print(stream, "rank           {}\n", proof);
  }
  fmt::print(stream, "process peak   {}, estimated {}{}\n", format_byte_size(record.factorization.peak_bytes),
             format_byte_size(record.factorization.estimated_peak_bytes),
             record.factorization.peak_is_of_factorization
                 ? ""
                 : " (the peak may be older than the factorization: it could not be reset)");
  fmt::print(stream, "seconds        read {:.3f}, analyze {:.3f}, factorize {:.3f} ({:.1f} GFlop/s)", record.matrix.read_seconds,
             record.analysis.seconds, record.factorization.seconds, gflops_per_second(record));
  if (record.only.empty()) {
    fmt::print(
        stream, ", solve {:.3f} (right-hand sides: {}){}", record.solve.seconds, record.solve.num_rhs,
        record.solve.report.bound_seconds > 0 ? fmt::format(", error bounds {:.3f}", record.solve.report.bound_seconds) : "");
  }
  fmt::print(stream, "\n");
  print_checkpoint(stream, record.factorization.report.checkpoint);
  print_survival(stream, record.survival, record.factorization.report.checkpoint.num_fronts_found, record.analysis.num_fronts);
  print_factor_file(stream, "loaded from", record.loaded);
  if (record.replication.is_asked) {
    fmt::print(stream, "replication    {} of factors for each process in {:.3f} s; right-hand sides were dealt out in blocks\n",
               format_byte_size(record.replication.num_bytes), record.replication.seconds);
  }
  print_factor_file(stream, "saved to", record.saved);
  for (const std::string& note : all_notes(record)) {
    fmt::print(stream, "note           {}\n", note);
  }
  if (std::isfinite(record.solve.forward_error)) {
    fmt::print(stream, "forward error  {:.1e}\n", record.solve.forward_error);
  }
  for (const std::string& line : record.answers.lines) {
    fmt::print(stream, "{}\n", line);
  }
  fmt::print(stream, "verdict        {}\n", describe(record));
}

void heed_second_factors(RunRecord& record) {
  if (record.factorization.report.is_mixed) {
    record.factorization.report.rank = record.solve.report.rank;
  }
}

void heed_made_sides(RunRecord& record) {
  SolveReport& solve = record.solve.report;
  if (solve.verdict != Verdict::singular || solve.num_met() == static_cast<Index>(solve.columns.size()) ||
      solve.rank.status != RankVerdict::singular || solve.rank.highest != solve.order - solve.num_null_pivots()) {
    return;  // x, which depends on the pivots, shows nothing about a rank that these do not reveal
  }
  solve.verdict = Verdict::rank_in_doubt;
  solve.rank.status = RankVerdict::in_doubt;
  solve.rank.highest = record.analysis.structural_rank;
  record.factorization.report.rank = solve.rank;
  solve.notes.emplace_back(
      "b was made as A x, so there is a solution, but it comes out as inconsistent: the rank counts as in doubt");
}

bool has_factors_to_save(RunRecord& record) {
  if (record.solve.report.columns.empty()) {
    record.factorization.report.notes.emplace_back("there are no factors, and nothing was saved");
    return false;
  }
  return true;
}

FactorFileFacts timed_transfer(const std::string& file, const std::function<void()>& transfer) {
  const Stopwatch watch;
  transfer();
  FactorFileFacts facts{file, watch.seconds()};
  std::error_code error;
  const auto num_bytes = std::filesystem::file_size(file, error);
  facts.num_bytes = error ? 0 : static_cast<Count>(num_bytes);  // a device has no size
  return facts;
}

void note_absent_complement(const std::vector<std::string>& files, RunRecord& record) {
  std::vector<std::string> asked;
  std::copy_if(files.begin(), files.end(), std::back_inserter(asked), [](const std::string& file) { return !file.empty(); });
  if (!asked.empty()) {
    const bool has_factors = record.factorization.report.factorization.factor_entries > 0;
    const bool is_indefinite = record.factorization.report.factorization.status == FactorizationStatus::not_positive_definite;
    record.factorization.lacks_asked_complement = true;
    record.input_notes.push_back(fmt::format("not written: {}; of the variables that --schur does not keep, {}",
                                             fmt::join(asked, ", "),
                                             is_indefinite ? "the block is not positive definite: leave the method to Frond"
                                             : has_factors ? "the block is singular"
                                                           : "there are no factors"));
  }
}

void print_levels(std::FILE* stream, const FactorizationReport& factorization) {
  fmt::print(stream, "levels         {:>5} {:>9} {:>9} {:>10} {:>9} {:>10} {:>6} {:>9}\n", "depth", "fronts", "largest", "flops",
             "delayed", "two-by-two", "null", "perturbed");
  for (std::size_t depth = 0; depth < factorization.levels.size(); ++depth) {
    const LevelCounts& level = factorization.levels[depth];
    fmt::print(stream, "               {:>5} {:>9} {:>9} {:>10.2e} {:>9} {:>10} {:>6} {:>9}\n", depth, level.num_fronts,
               level.max_front_order, level.flops, level.num_delayed_pivots, level.num_two_by_two, level.num_null_pivots,
               level.num_perturbed_pivots);
  }
}

template MatrixFacts matrix_facts(const std::string&, const SparseMatrix<float>&);
template MatrixFacts matrix_facts(const std::string&, const SparseMatrix<double>&);
template MatrixFacts matrix_facts(const std::string&, const SparseMatrix<std::complex<float>>&);
template MatrixFacts matrix_facts(const std::string&, const SparseMatrix<std::complex<double>>&);

}  // namespace frond
