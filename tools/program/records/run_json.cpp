// SPDX-License-Identifier: BSD-3-Clause
// Writes facts about a run for programs; docs/json.md describes the keys.
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "matrices/symmetry.hpp"
#include "solver/numerics/problem/known_inertia.hpp"
#include "tools/program/arguments/ordering_file.hpp"
#include "tools/program/records/run_record.hpp"
#include "tools/program/records/run_words.hpp"

namespace frond {
namespace {

using Json = nlohmann::ordered_json;

Json seconds_of(const FactorFileFacts& facts) { return facts.file.empty() ? Json() : Json(facts.seconds); }

Json matrix_json(const MatrixFacts& matrix) {
  return {{"matrix", matrix.file},
          {"n", matrix.order},
          {"nnz", matrix.num_entries},
          {"stored_entries", matrix.num_stored_entries},
          {"symmetry", to_string(matrix.symmetry)},
          {"symmetry_detected", matrix.has_detected_symmetry},
          {"field", matrix.is_complex ? "complex" : "real"},
          {"read_seconds", matrix.read_seconds}};
}

Json analysis_object(const MatrixFacts& matrix, const AnalysisFacts& analysis) {
  Json json = matrix_json(matrix);
  json.update({{"method", to_string(analysis.method)},
               {"ordering", to_string(analysis.ordering.kind)},
               {"matching", to_string(analysis.ordering.matching)},
               {"structural_rank", analysis.structural_rank},
               {"blocks", analysis.num_blocks > 0 ? Json(analysis.num_blocks) : Json(nullptr)},
               {"largest_block", analysis.num_blocks > 0 ? Json(analysis.largest_block) : Json(nullptr)},
               {"block_levels", analysis.num_levels},
               {"threads", analysis.num_threads},
               {"ranks", 1},
               {"ordering_seconds", analysis.ordering.ordering_seconds},
               {"analysis_seconds", analysis.seconds},
               {"fronts", analysis.num_fronts},
               {"roots", analysis.num_roots},
               {"tree_height", analysis.tree_height},
               {"largest_front", analysis.estimate.max_front_order},
               {"elimination_flops", analysis.estimate.elimination_flops},
               {"predicted_factor_flops", analysis.estimate.front_flops},
               {"predicted_factor_entries", analysis.estimate.factor_entries},
               {"exact_factor_entries", analysis.estimate.exact_factor_entries},
               {"predicted_factor_bytes", analysis.memory.factor_bytes},
               {"predicted_active_bytes", analysis.memory.active_bytes},
               {"predicted_peak_bytes", analysis.memory.peak_bytes()},
               {"upper_bound_bytes", analysis.memory.upper_bound_bytes},
               {"memory_limit_bytes", analysis.memory_limit.bytes},
               {"memory_limit_reason", reason_of(analysis.memory_limit)},
               {"analysis_bytes", analysis.symbolic_bytes}});
  return json;
}

// JSON has no infinity and no NaN: they become null.
Json number_or_null(double number) { return std::isfinite(number) ? Json(number) : Json(nullptr); }

Json determinant_json(const SystemReport& report) {
  if (!has_determinant(report)) {
    return nullptr;
  }
  const Determinant& determinant = report.factorization.determinant;
  return {{"real", determinant.mantissa.real()}, {"imaginary", determinant.mantissa.imag()}, {"exponent", determinant.exponent}};
}

}  // namespace

std::string analysis_json(const MatrixFacts& matrix, const AnalysisFacts& analysis, const MappingFacts& mapping) {
  Json json = analysis_object(matrix, analysis);
  json.update(mapping_json(mapping));
  return json.dump(2) + '\n';
}

namespace {

Json inertia_json(const RunRecord& record) {
  if (!has_inertia(record)) {
    return nullptr;
  }
  const Inertia& inertia = record.factorization.report.factorization.inertia;
  return {{"positive", inertia.positive}, {"negative", inertia.negative}, {"zero", inertia.zero}};
}

Json answers_json(const RunRecord& record) {
  const AnswerFacts& answers = record.answers;
  const SolveReport& solve = record.solve.report;
  const std::optional<Index> dimension = answers.null_space_dimension;
  const bool may_be_consistent = solve.verdict == Verdict::singular && !solve.columns.empty();
  return {{"consistent_right_hand_sides", may_be_consistent ? Json(solve.num_met()) : Json(nullptr)},
          {"consistency", may_be_consistent ? Json(to_string(solve.consistency())) : Json(nullptr)},
          {"consistency_error", may_be_consistent ? number_or_null(solve.worst().consistency_error) : Json(nullptr)},
          {"null_space_dimension", dimension ? Json(*dimension) : Json(nullptr)},
          {"null_space_backward_error", dimension ? number_or_null(answers.null_space_error) : Json(nullptr)},
          {"inverse_entries", answers.has_inverse ? Json(answers.num_inverse_entries) : Json(nullptr)},
          {"inverse_backward_error", answers.num_inverse_entries > 0 ? number_or_null(answers.inverse_error) : Json(nullptr)}};
}

Json levels_json(const std::vector<LevelCounts>& levels) {
  Json json = Json::array();
  for (const LevelCounts& level : levels) {
    json.push_back({{"fronts", level.num_fronts},
                    {"largest_front", level.max_front_order},
                    {"flops", level.flops},
                    {"delayed_pivots", level.num_delayed_pivots},
                    {"two_by_two_pivots", level.num_two_by_two},
                    {"null_pivots", level.num_null_pivots},
                    {"perturbed_pivots", level.num_perturbed_pivots}});
  }
  return json;
}

// Keys that only a solve has.
constexpr const char* kSolveKeys[] = {"solve_seconds",
                                      "load_factors_seconds",
                                      "save_factors_seconds",
                                      "nrhs",
                                      "refinement_steps",
                                      "krylov_steps",
                                      "backward_error",
                                      "componentwise_backward_error",
                                      "missed_equations",
                                      "negligible_equations",
                                      "negligible_size",
                                      "condition_number",
                                      "componentwise_condition_number",
                                      "forward_error_bound",
                                      "error_bound_seconds",
                                      "forward_error",
                                      "consistent_right_hand_sides",
                                      "consistency",
                                      "consistency_error",
                                      "null_space_dimension",
                                      "null_space_backward_error",
                                      "inverse_entries",
                                      "inverse_backward_error",
                                      "expansion_backward_error"};

Json checkpoint_json(const CheckpointReport& checkpoint) {
  if (checkpoint.directory.empty()) {
    return nullptr;
  }
  return {{"directory", checkpoint.directory},
          {"in_memory", checkpoint.is_in_memory},
          {"most_bytes", checkpoint.is_in_memory ? Json(checkpoint.most_bytes) : Json(nullptr)},
          {"fronts_found", checkpoint.num_fronts_found},
          {"flops_found", checkpoint.flops_found},
          {"fronts_lost", checkpoint.num_fronts_lost},
          {"bytes_written", checkpoint.bytes_written},
          {"lists", checkpoint.num_lists},
          {"blocks_left_out", checkpoint.num_blocks_left_out},
          {"seconds_waited", checkpoint.seconds_waited},
          {"error", checkpoint.error},
          {"left_behind", checkpoint.left_behind}};
}

}  // namespace

std::string solve_json(const RunRecord& record) {
  const FactorizationReport& factorization = record.factorization.report.factorization;
  const ColumnReport errors = record.solve.report.worst();
  const bool has_solution = !record.solve.report.columns.empty();
  const std::vector<Index> null_pivots = counted_from_1(record.solve.report.null_pivots);
  Json json = analysis_object(record.matrix, record.analysis);
  json["analysis_of"] = record.analysis.file.empty() ? Json(nullptr) : Json(record.analysis.file);
  json["method"] = to_string(record.factorization.report.method);
  json.update(distribution_json(record.distribution));
  json.update({{"factor_seconds", record.factorization.seconds},
               {"solve_seconds", record.solve.seconds},
               {"load_factors_seconds", seconds_of(record.loaded)},
               {"save_factors_seconds", seconds_of(record.saved)},
               {"replication_seconds", record.replication.is_asked ? Json(record.replication.seconds) : Json(nullptr)},
               {"replicated_bytes", record.replication.is_asked ? Json(record.replication.num_bytes) : Json(nullptr)},
               {"checkpoint", checkpoint_json(record.factorization.report.checkpoint)},
               {"survival", survival_json(record.survival)},
               {"factor_flops", factorization.flops},
               {"gflops_per_second", gflops_per_second(record)},
               {"factor_entries", factorization.factor_entries},
               {"factor_bytes", factorization.factor_bytes},
               {"metered_peak_bytes", factorization.peak_bytes},
               {"estimated_peak_bytes", record.factorization.estimated_peak_bytes},
               {"peak_bytes", record.factorization.peak_bytes},
               {"peak_is_of_factorization", record.factorization.peak_is_of_factorization},
               {"delayed_pivots", factorization.num_delayed_pivots},
               {"two_by_two_pivots", factorization.num_two_by_two},
               {"perturbed_pivots", factorization.num_perturbed_pivots},
               {"pivot_growth", factorization.pivot_growth},
               {"smallest_pivot", number_or_null(factorization.smallest_pivot)},
               {"levels", levels_json(factorization.levels)},
               {"determinant", determinant_json(record.factorization.report)},
               {"inertia", inertia_json(record)},
               {"schur_order", record.factorization.schur_order},
               {"expansion_backward_error", number_or_null(record.factorization.expansion_error)},
               {"null_pivots", record.solve.report.num_null_pivots()},
               {"first_null_pivot", null_pivots.empty() ? 0 : null_pivots.front()},
               {"null_pivot_variables", null_pivots},
               {"rank_verdict", to_string(record.factorization.report.rank.status)},
               {"rank_lowest", record.factorization.report.rank.lowest},
               {"rank_highest", record.factorization.report.rank.highest},
               {"rank_proof", number_or_null(record.factorization.report.rank.number)},
               {"rank_proof_rest", number_or_null(record.factorization.report.rank.rest)},
               {"rank_proof_vectors", record.factorization.report.rank.num_vectors},
               {"scaling", to_string(record.factorization.report.scaling)},
               {"equilibration_sweeps", record.factorization.report.equilibration_sweeps},
               {"nrhs", record.solve.num_rhs},
               {"refinement_steps", errors.refinement_steps},
               {"krylov_steps", errors.krylov_steps},
               {"backward_error", has_solution ? number_or_null(errors.normwise_backward_error) : Json(nullptr)},
               {"componentwise_backward_error", has_solution ? number_or_null(errors.componentwise_backward_error) : Json(nullptr)},
               {"missed_equations", has_solution ? Json(errors.num_missed_equations) : Json(nullptr)},
               {"negligible_equations", has_solution ? Json(errors.num_negligible_equations) : Json(nullptr)},
               {"negligible_size", has_solution ? number_or_null(errors.negligible_size) : Json(nullptr)},
               {"condition_number", number_or_null(record.solve.report.condition)},
               {"componentwise_condition_number", number_or_null(errors.componentwise_condition)},
               {"forward_error_bound", number_or_null(errors.forward_error_bound)},
               {"error_bound_seconds", record.solve.report.bound_seconds},
               {"forward_error", number_or_null(record.solve.forward_error)},
               {"precision", precision_word(record)},
               {"notes", all_notes(record)},
               {"verdict", verdict_word(record)},
               {"description", describe(record)}});
  json.update(answers_json(record));
  if (!record.only.empty()) {
    for (const char* key : kSolveKeys) {
      json.erase(key);
    }
  }
  return json.dump(2) + '\n';
}

}  // namespace frond
