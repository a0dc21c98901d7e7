// SPDX-License-Identifier: BSD-3-Clause
// The linear systems of a benchmark: suites, model problems by kind and size, files, and folders of files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "matrices/generate.hpp"

namespace frond {

struct ModelSize {
  ModelProblem kind;
  Index n = 1;
};

struct BenchProblem {
  std::string name;  ///< as shown to people
  std::string file;  ///< empty for a model problem that is not written yet
  std::optional<ModelSize> model = {};
};

/// Splits words such as "laplacian3d7", "60", "A.mtx", "model" into problems: "small" and "model" are suites of model problems,
/// "real" stands for the files of `matrix_dir`, and a folder for its matrix files, sorted by name. Throws UsageError for any other
/// word.
[[nodiscard]] std::vector<BenchProblem> parse_bench_problems(const std::vector<std::string>& words, const std::string& matrix_dir);

/// The names of the classes of small and thin systems: circuits, power flow, bases of linear programs, triangles, small ones.
inline const std::vector<std::string> kBenchClasses = {"circuits", "power", "bases", "triangles", "small"};

/// Returns the problems of a class, twenty and more.
[[nodiscard]] std::vector<BenchProblem> problems_of_class(std::string_view name);

}  // namespace frond
