// SPDX-License-Identifier: BSD-3-Clause
// The linear systems of a benchmark: suites, model problems by kind and size, files, and folders of files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "matrices/generate.hpp"

namespace frond {

struct ModelSize {
  ModelProblem kind;
  Index n = 1;
};

struct BenchProblem {
  std::string name;  ///< as people are told it
  std::string file;  ///< empty for a model problem, which has yet to be written
  std::optional<ModelSize> model = {};
};

/// Splits words such as "laplacian3d7", "60", "A.mtx", "model" into problems: "small" and "model" are suites of model problems,
/// "real" the files of `matrix_dir`, a folder stands for the matrix files in it, in the order of their names. Throws UsageError for
/// words that are none of these.
[[nodiscard]] std::vector<BenchProblem> parse_bench_problems(const std::vector<std::string>& words, const std::string& matrix_dir);

}  // namespace frond
