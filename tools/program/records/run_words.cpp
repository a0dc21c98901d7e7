// SPDX-License-Identifier: BSD-3-Clause
// Formats words and numbers of reports.
#include "tools/program/records/run_words.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <complex>

#include "solver/numerics/problem/known_inertia.hpp"

namespace frond {
namespace {

// Returns the flops performed, in real arithmetic: a complex multiplication and addition together count 8, a real pair counts 2.
double real_flops(const RunRecord& record) {
  const SystemReport& report = record.factorization.report;
  return (report.factorization.flops - report.checkpoint.flops_found) * (record.matrix.is_complex ? 4 : 1);
}

std::string rank_text(const RunRecord& record) {
  const Index order = record.matrix.order - record.factorization.schur_order;
  return fmt::format("rank {} of {}", record.factorization.report.rank.highest, order);
}

std::string determinant_text(const RunRecord& record) {
  return has_determinant(record.factorization.report)
             ? "determinant " + format_determinant(record.factorization.report.factorization.determinant, record.matrix.is_complex)
             : "no determinant: it cannot be distinguished from 0";
}

std::string inertia_text(const RunRecord& record) {
  if (!has_inertia(record)) {
    return "no inertia: LDLT and Cholesky give it, of real symmetric and Hermitian matrices";
  }
  const Inertia& inertia = record.factorization.report.factorization.inertia;
  return fmt::format("inertia: {} positive, {} negative, {} zero", inertia.positive, inertia.negative, inertia.zero);
}

}  // namespace

double gflops_per_second(const RunRecord& record) {
  return record.factorization.seconds > 0 ? real_flops(record) / record.factorization.seconds * 1e-9 : 0;
}

std::string reason_of(const MemoryLimit& limit) { return limit.reason.empty() ? "--memory-limit" : limit.reason; }

std::string format_determinant(const Determinant& determinant, bool is_complex) {
  const std::complex<double> mantissa = determinant.mantissa;
  return is_complex ? fmt::format("({:.6g} {:+.6g} i) * 2^{}", mantissa.real(), mantissa.imag(), determinant.exponent)
                    : fmt::format("{:.6g} * 2^{}", mantissa.real(), determinant.exponent);
}

bool has_inertia(const RunRecord& record) { return has_inertia(record.factorization.report, record.matrix.is_complex); }

std::vector<Index> counted_from_1(std::vector<Index> variables) {
  std::for_each(variables.begin(), variables.end(), [](Index& variable) { ++variable; });
  return variables;
}

std::string describe(const RunRecord& record) {
  const SolveReport& report = record.solve.report;
  if (record.only.empty() || report.verdict == Verdict::not_positive_definite) {
    return report.describe();
  }
  const bool is_known = report.verdict != Verdict::singular && report.verdict != Verdict::rank_in_doubt;
  const bool is_proved = report.rank.is_certain();
  const std::string separator = is_proved ? "; " : "; as far as pivots say, ";
  std::string text = is_known ? "not singular" : report.describe();
  for (const std::string& wanted : record.only) {
    if (wanted == "inertia") {
      text += separator + inertia_text(record);
    } else if (wanted == "determinant") {
      text += separator + determinant_text(record);
    } else if (is_proved) {
      text += separator + rank_text(record);
    }
  }
  return text;
}

std::vector<std::string> all_notes(const RunRecord& record) {
  std::vector<std::string> notes = record.input_notes;
  for (const auto* further : {&record.factorization.report.notes, &record.solve.report.notes}) {
    notes.insert(notes.end(), further->begin(), further->end());
  }
  return notes;
}

const char* precision_word(const RunRecord& record) {
  return record.matrix.is_single ? "single" : record.factorization.report.is_mixed ? "mixed" : "full";
}

std::string verdict_word(const RunRecord& record) {
  const Verdict verdict = record.solve.report.verdict;
  return !record.only.empty() && verdict == Verdict::solved ? "not_singular" : to_string(verdict);
}

}  // namespace frond
