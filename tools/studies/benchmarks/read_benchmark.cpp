// SPDX-License-Identifier: BSD-3-Clause
// Measures how fast matrix files are read, in megabytes per second on one core.
//
// frond_read_benchmark [FILE...]: reads uncompressed files; without any it writes model problems to the temporary folder, reads
// them, and removes them.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "frond/files.hpp"
#include "matrices/generate.hpp"

namespace {

using namespace frond;

constexpr int kRepetitions = 5;

double seconds_to_read(const std::string& path) {
  const auto start = std::chrono::steady_clock::now();
  const AnyMatrix matrix = read_matrix(path);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Prints the best of several runs: what the reader achieves when nothing else disturbs it.
void measure(const std::string& name, const std::string& path) {
  double best = std::numeric_limits<double>::max();
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    best = std::min(best, seconds_to_read(path));
  }
  const double megabytes = static_cast<double>(std::filesystem::file_size(path)) * 1e-6;
  std::printf("%-40s %8.1f MB %8.4f s %8.0f MB/s\n", name.c_str(), megabytes, best, megabytes / best);
}

void measure_model_problem(ModelProblem kind, Index n) {
  const std::string name = std::string(model_problem_info(kind).name) + " " + std::to_string(n);
  const std::string path = (std::filesystem::temp_directory_path() / "frond_read_benchmark.mtx").string();
  write_matrix(path, generate(kind, n, 1));
  measure(name, path);
  std::filesystem::remove(path);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> files(argv + 1, argv + argc);
    for (const std::string& file : files) {
      measure(file, file);
    }
    if (files.empty()) {
      measure_model_problem(ModelProblem::laplacian3d7, 100);
      measure_model_problem(ModelProblem::elasticity3d, 30);
      measure_model_problem(ModelProblem::convection3d, 80);
      measure_model_problem(ModelProblem::helmholtz3d, 80);
      measure_model_problem(ModelProblem::circuit, 1000000);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
