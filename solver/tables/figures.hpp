// SPDX-License-Identifier: BSD-3-Clause
// Lists the figures of an analysis, a factorization and a solve: for `frond solve --json`, and by name for the C interface.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analysis/symbolic.hpp"
#include "factorization/ghosts/memory_estimate.hpp"
#include "frond/report.hpp"
#include "frond/types.hpp"

namespace frond {

struct AnalysisFigures {
  Index order = 0;
  Method method = Method::lu;
  Index structural_rank = 0;
  Index num_blocks = 0;  ///< of the block triangular form; 0: it was not computed
  Index num_fronts = 0;
  FactorizationEstimate estimate;
  double seconds = 0;  ///< wall clock of the whole phase
};

[[nodiscard]] AnalysisFigures analysis_figures(const Symbolic& symbolic, Method method);

/// What figures are taken from; unknown parts are empty.
struct FigureSources {
  std::optional<AnalysisFigures> analysis;
  std::function<MemoryEstimate()> memory;  ///< of the analysis; takes time
  std::span<const Index> elimination_order;
  const SystemReport* factorization = nullptr;
  const SolveReport* solve = nullptr;
  bool is_complex = false;
  Index index_base = 0;  ///< of indices in figures
};

using Figure = std::variant<double, std::int64_t, std::string, std::vector<std::int64_t>, std::vector<double>>;

/// The phase that makes a figure known.
enum class Phase { analysis, factorization, solve };

struct FigureRow {
  const char* name;
  const char* type;  ///< "real", "integer", "text", "integers" or "reals"
  const char* meaning;
  Phase phase;
  bool is_in_json;                                      ///< false: JSON leaves it out, or has something else by this name
  std::optional<Figure> (*find)(const FigureSources&);  ///< returns nothing if it is not known
};

/// In the order of the JSON.
[[nodiscard]] std::span<const FigureRow> figure_rows();
/// Null if there is no such figure.
[[nodiscard]] const FigureRow* figure_row(std::string_view name);

/// Throws UsageError if there is no such figure, or it is not known yet, and says what makes it known.
[[nodiscard]] Figure figure(const FigureSources& sources, std::string_view name);

}  // namespace frond
