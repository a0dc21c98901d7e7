// SPDX-License-Identifier: BSD-3-Clause
// Writes facts about a run for programs; docs/json.md describes the keys.
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
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

// Keys that no row of the table of figures has, in lists by the name of the row that they come before. JSON has no infinity and no
// NaN, for which dump() writes null.
Json matrix_keys(const MatrixFacts& matrix, const AnalysisFacts& analysis) {
  const bool has_blocks = analysis.num_blocks > 0;
  return {
      {"n", {{"matrix", matrix.file}}},
      {"method",
       {{"nnz", matrix.num_entries},
        {"stored_entries", matrix.num_stored_entries},
        {"symmetry", to_string(matrix.symmetry)},
        {"symmetry_detected", matrix.has_detected_symmetry},
        {"field", matrix.is_complex ? "complex" : "real"},
        {"read_seconds", matrix.read_seconds}}},
      {"structural_rank", {{"ordering", to_string(analysis.ordering.kind)}, {"matching", to_string(analysis.ordering.matching)}}},
      {"analysis_seconds",
       {{"blocks", has_blocks ? Json(analysis.num_blocks) : Json()},
        {"largest_block", has_blocks ? Json(analysis.largest_block) : Json()},
        {"block_levels", analysis.num_levels},
        {"threads", analysis.num_threads},
        {"ranks", 1},
        {"ordering_seconds", analysis.ordering.ordering_seconds}}},
      {"largest_front", {{"roots", analysis.num_roots}, {"tree_height", analysis.tree_height}}},
      {"predicted_factor_flops", {{"elimination_flops", analysis.estimate.elimination_flops}}},
      {"predicted_factor_bytes", {{"exact_factor_entries", analysis.estimate.exact_factor_entries}}},
      {"predicted_peak_bytes", {{"predicted_active_bytes", analysis.memory.active_bytes}}},
      {"factor_flops",
       {{"upper_bound_bytes", analysis.memory.upper_bound_bytes},
        {"memory_limit_bytes", analysis.memory_limit.bytes},
        {"memory_limit_reason", reason_of(analysis.memory_limit)},
        {"analysis_bytes", analysis.symbolic_bytes}}}};
}

FigureSources sources_of(const AnalysisFacts& analysis) {
  FigureSources sources;
  sources.analysis = analysis;
  sources.memory = [&] { return analysis.memory; };
  return sources;
}

// Returns the figures of phases up to `last`, with `keys` between them.
Json figures_json(const FigureSources& sources, Phase last, const Json& keys) {
  Json json;
  for (const FigureRow& row : figure_rows()) {
    if (keys.contains(row.name)) {
      json.update(keys[row.name]);
    }
    if (row.is_in_json && row.phase <= last) {
      const std::optional<Figure> known = row.find(sources);
      json[row.name] = known ? std::visit([](const auto& value) { return Json(value); }, *known) : Json();
    }
  }
  return json;
}

Json determinant_json(const SystemReport& report) {
  if (!has_determinant(report)) {
    return nullptr;
  }
  const Determinant& determinant = report.factorization.determinant;
  return {{"real", determinant.mantissa.real()}, {"imaginary", determinant.mantissa.imag()}, {"exponent", determinant.exponent}};
}

}  // namespace

std::string analysis_json(const MatrixFacts& matrix, const AnalysisFacts& analysis, const MappingFacts& mapping) {
  Json keys = matrix_keys(matrix, analysis);
  keys["factor_flops"].update(mapping_json(mapping));
  return figures_json(sources_of(analysis), Phase::analysis, keys).dump(2) + '\n';
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
  return {{"consistent_right_hand_sides", may_be_consistent ? Json(solve.num_met()) : Json()},
          {"consistency", may_be_consistent ? Json(to_string(solve.consistency())) : Json()},
          {"consistency_error", may_be_consistent ? Json(solve.worst().consistency_error) : Json()},
          {"null_space_dimension", dimension ? Json(*dimension) : Json()},
          {"null_space_backward_error", dimension ? Json(answers.null_space_error) : Json()},
          {"inverse_entries", answers.has_inverse ? Json(answers.num_inverse_entries) : Json()},
          {"inverse_backward_error", answers.num_inverse_entries > 0 ? Json(answers.inverse_error) : Json()}};
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

Json checkpoint_json(const CheckpointReport& checkpoint) {
  if (checkpoint.directory.empty()) {
    return nullptr;
  }
  return {{"directory", checkpoint.directory},
          {"in_memory", checkpoint.is_in_memory},
          {"most_bytes", checkpoint.is_in_memory ? Json(checkpoint.most_bytes) : Json()},
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
  const FactorizationFacts& factorization = record.factorization;
  const SystemReport& report = factorization.report;
  const SolveReport& solve = record.solve.report;
  const std::vector<Index> null_pivots = counted_from_1(solve.null_pivots);
  Json keys = matrix_keys(record.matrix, record.analysis);
  keys["factor_flops"]["analysis_of"] = record.analysis.file.empty() ? Json() : Json(record.analysis.file);
  keys["factor_flops"].update(distribution_json(record.distribution));
  keys["factor_flops"].update({{"factor_seconds", factorization.seconds},
                               {"solve_seconds", record.solve.seconds},
                               {"load_factors_seconds", seconds_of(record.loaded)},
                               {"save_factors_seconds", seconds_of(record.saved)},
                               {"replication_seconds", record.replication.is_asked ? Json(record.replication.seconds) : Json()},
                               {"replicated_bytes", record.replication.is_asked ? Json(record.replication.num_bytes) : Json()},
                               {"checkpoint", checkpoint_json(report.checkpoint)},
                               {"survival", survival_json(record.survival)}});
  keys["factor_entries"]["gflops_per_second"] = gflops_per_second(record);
  keys["delayed_pivots"].update({{"estimated_peak_bytes", factorization.estimated_peak_bytes},
                                 {"peak_bytes", factorization.peak_bytes},
                                 {"peak_is_of_factorization", factorization.peak_is_of_factorization}});
  keys["rank_verdict"].update({{"smallest_pivot", report.factorization.smallest_pivot},
                               {"levels", levels_json(report.factorization.levels)},
                               {"determinant", determinant_json(report)},
                               {"inertia", inertia_json(record)},
                               {"schur_order", factorization.schur_order},
                               {"expansion_backward_error", factorization.expansion_error},
                               {"null_pivots", solve.num_null_pivots()},
                               {"first_null_pivot", null_pivots.empty() ? 0 : null_pivots.front()},
                               {"null_pivot_variables", null_pivots}});
  keys["scaling"].update(
      {{"rank_proof", report.rank.number}, {"rank_proof_rest", report.rank.rest}, {"rank_proof_vectors", report.rank.num_vectors}});
  keys["backward_error"].update({{"equilibration_sweeps", report.equilibration_sweeps},
                                 {"nrhs", record.solve.num_rhs},
                                 {"refinement_steps", solve.worst().refinement_steps},
                                 {"krylov_steps", solve.worst().krylov_steps}});
  keys["verdict"].update({{"error_bound_seconds", solve.bound_seconds},
                          {"forward_error", record.solve.forward_error},
                          {"precision", precision_word(record)},
                          {"notes", all_notes(record)},
                          {"verdict", verdict_word(record)},
                          {"description", describe(record)}});
  FigureSources sources = sources_of(record.analysis);
  sources.factorization = &report;
  sources.solve = &solve;
  Json json = figures_json(sources, record.only.empty() ? Phase::solve : Phase::factorization, keys);
  if (record.only.empty()) {
    json.update(answers_json(record));
  } else {
    for (const char* key : {"solve_seconds", "load_factors_seconds", "save_factors_seconds", "nrhs", "refinement_steps",
                            "krylov_steps", "error_bound_seconds", "forward_error", "expansion_backward_error"}) {
      json.erase(key);
    }
  }
  return json.dump(2) + '\n';
}

}  // namespace frond
