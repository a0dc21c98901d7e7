// SPDX-License-Identifier: BSD-3-Clause
// Writes JSON and tab-separated tables.
#include "tools/program/bench/bench_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

namespace frond {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json run_object(const PeerAnswer& run) {
  return {{"analysis_seconds", run.analysis_seconds},
          {"factor_seconds", run.factor_seconds},
          {"solve_seconds", run.solve_seconds},
          {"again_factor_seconds", number_or_null(run.again_factor_seconds)},
          {"again_solve_seconds", number_or_null(run.again_solve_seconds)},
          {"backward_error", run.backward_error},
          {"componentwise_backward_error", number_or_null(run.componentwise_backward_error)},
          {"factor_entries", run.factor_entries},
          {"peak_bytes", run.peak_bytes},
          {"factor_peak_bytes", run.factor_peak_bytes},
          {"estimated_factor_peak_bytes", run.estimated_factor_peak_bytes}};
}

Json medians_object(const BenchResult& result, const BenchEntry& entry) {
  const Medians medians = medians_of(entry);
  return {{"analysis_seconds", number_or_null(medians.analysis)},
          {"first_factor_seconds", number_or_null(medians.first_factor)},
          {"factor_seconds", number_or_null(medians.factor)},
          {"factor_spread", number_or_null(medians.factor_spread)},
          {"solve_seconds", number_or_null(medians.solve)},
          {"total_seconds", number_or_null(medians.total)},
          {"again_seconds", number_or_null(medians.again)},
          {"peak_bytes", number_or_null(medians.peak_bytes)},
          {"peak_to_estimate", number_or_null(medians.peak_to_estimate)},
          {"backward_error", number_or_null(medians.backward_error)},
          {"flops_per_second", number_or_null(flop_rate(result, entry))},
          {"factor_over_best_peer", number_or_null(ratio_to_best_peer(result, entry, &Medians::factor))},
          {"total_over_best_peer", number_or_null(ratio_to_best_peer(result, entry, &Medians::total))},
          {"again_over_best_peer", number_or_null(ratio_to_best_peer(result, entry, &Medians::again))}};
}

Json entry_object(const BenchResult& result, const BenchEntry& entry) {
  Json json = {{"peer", entry.contestant.program.name},
               {"solver", entry.solver},
               {"threads", entry.contestant.num_threads},
               {"ranks", entry.contestant.num_ranks},
               {"blas_folder", entry.contestant.setting.blas_folder},
               {"omp_wait_policy", entry.contestant.setting.waits_actively ? "active" : "passive"},
               {"error", entry.error},
               {"skipped", entry.skipped},
               {"runs", Json::array()}};
  std::transform(entry.runs.begin(), entry.runs.end(), std::back_inserter(json["runs"]), run_object);
  json["medians"] = medians_object(result, entry);
  return json;
}

Json problem_object(const BenchResult& result) {
  Json json = {{"problem", result.problem},
               {"error", result.error},
               {"n", result.order},
               {"nnz", result.num_entries},
               {"field", result.is_complex ? "complex" : "real"},
               {"method", result.method},
               {"flops", result.flops},
               {"entries", Json::array()}};
  for (const BenchEntry& entry : result.entries) {
    json["entries"].push_back(entry_object(result, entry));
  }
  return json;
}

Json mean_object(const MeanRatios& mean) {
  Json json = {{"contestant", mean.contestant}};
  for (std::size_t k = 0; k < kMeanFigures.size(); ++k) {
    json[kMeanFigures[k].first] = number_or_null(mean.ratios[k]);
  }
  return json;
}

// Cleans messages that come from other programs.
std::string without_separators(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

void append_line(const BenchResult& result, const BenchEntry& entry, const std::string& figures, std::string& table) {
  fmt::format_to(std::back_inserter(table), "{}\t{}\t{}\t{}\t{:.6e}\t{}\t{}\t{}\t{}\t{}\t{}\n", without_separators(result.problem),
                 result.order, result.num_entries, result.method, result.flops, entry.contestant.program.name,
                 without_separators(entry.solver), entry.contestant.num_threads, entry.contestant.num_ranks, figures,
                 without_separators(entry.error + entry.skipped));
}

}  // namespace

std::string bench_json(const BenchResults& results) {
  Json json = {{"rounds", results.num_rounds}, {"same_ordering", results.has_same_ordering},
               {"machine", Json::array()},     {"missing_peers", Json::array()},
               {"problems", Json::array()},    {"mean_ratios_to_best_peer", Json::array()}};
  json["again"] = results.num_again;
  for (const MachineSpeed& speed : results.machine) {
    json["machine"].push_back(to_json(speed));
  }
  for (const MissingPeer& peer : results.missing) {
    json["missing_peers"].push_back(peer.name);
  }
  for (const BenchResult& result : results.problems) {
    json["problems"].push_back(problem_object(result));
  }
  for (const MeanRatios& mean : mean_ratios(results)) {
    json["mean_ratios_to_best_peer"].push_back(mean_object(mean));
  }
  return json.dump(2) + '\n';
}

std::string bench_tsv(const BenchResults& results) {
  std::string table =
      "problem\tn\tnnz\tmethod\tflops\tpeer\tsolver\tthreads\tranks\tround\tanalysis_seconds\tfirst_factor_seconds\tfactor_"
      "seconds\t"
      "solve_seconds\tagain_seconds\tpeak_bytes\tbackward_error\tcomplaint\n";
  for (const BenchResult& result : results.problems) {
    for (const BenchEntry& entry : result.entries) {
      int round = 0;
      for (const PeerAnswer& run : entry.runs) {
        append_line(result, entry,
                    fmt::format("{}\t{:.9f}\t{:.9f}\t{:.9f}\t{:.9f}\t{:.9f}\t{}\t{:.3e}", ++round, run.analysis_seconds,
                                run.first_factor_seconds(), run.warm_factor_seconds(), run.solve_seconds.front(),
                                run.again_seconds(), run.peak_bytes, run.backward_error),
                    table);
      }
      if (entry.runs.empty()) {
        append_line(result, entry, "\t\t\t\t\t\t\t", table);
      }
    }
  }
  return table;
}

}  // namespace frond
