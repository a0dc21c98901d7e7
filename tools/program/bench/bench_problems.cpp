// SPDX-License-Identifier: BSD-3-Clause
// Defines the suites, and parses words that name problems.
#include "tools/program/bench/bench_problems.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>

#include "frond/error.hpp"
#include "tools/program/arguments/file_arguments.hpp"

namespace frond {
namespace {

namespace fs = std::filesystem;

// Every class of matrices, in sizes that together take about a minute.
constexpr std::array<ModelSize, 7> kSmallSuite = {{{ModelProblem::laplacian3d7, 30},
                                                   {ModelProblem::laplacian3d27, 24},
                                                   {ModelProblem::elasticity3d, 14},
                                                   {ModelProblem::convection3d, 24},
                                                   {ModelProblem::kkt3d, 12},
                                                   {ModelProblem::helmholtz3d, 20},
                                                   {ModelProblem::laplacian2d9, 300}}};

// The same classes in the sizes reported in docs/performance.md.
constexpr std::array<ModelSize, 10> kModelSuite = {{{ModelProblem::laplacian3d7, 60},
                                                    {ModelProblem::laplacian3d27, 50},
                                                    {ModelProblem::elasticity3d, 32},
                                                    {ModelProblem::convection3d, 50},
                                                    {ModelProblem::kkt3d, 28},
                                                    {ModelProblem::helmholtz3d, 45},
                                                    {ModelProblem::ultrasound3, 28},
                                                    {ModelProblem::laplacian2d9, 1000},
                                                    {ModelProblem::circuit, 300000},
                                                    {ModelProblem::laplacian3d7, 80}}};

/// A kind of model problems in the sizes in which it belongs to a class.
struct ClassPart {
  std::string_view name;  ///< of the class
  ModelProblem kind;
  std::vector<Index> sizes;
};

// Small and thin systems, by which solvers for circuits, simplex methods and the like are judged.
const std::vector<ClassPart> kClassParts = {
    {"circuits", ModelProblem::nodal, {50,   70,   100,  140,  200,  280,  400,  560,  700,  900,
                                       1000, 1300, 1600, 2000, 2500, 3000, 3500, 4000, 4500, 5000}},
    {"power", ModelProblem::feeder, {10, 30, 60, 100, 150, 300, 450, 1000, 2000, 5000}},
    {"power", ModelProblem::powergrid, {14, 30, 57, 118, 300, 500, 1000, 1354, 2000, 3000}},
    {"bases", ModelProblem::basis_network, {50, 100, 200, 400, 800, 1600, 3200}},
    {"bases", ModelProblem::basis_stairs, {50, 100, 200, 400, 800, 1600, 3200}},
    {"bases", ModelProblem::basis_sparse, {50, 100, 200, 400, 800, 1600, 3200}},
    {"triangles", ModelProblem::triangle3, {100, 300, 1000, 3000, 10000}},
    {"triangles", ModelProblem::triangle10, {100, 300, 1000, 3000, 10000}},
    {"triangles", ModelProblem::bidiagonal, {100, 300, 1000, 3000, 10000}},
    {"triangles", ModelProblem::tridiagonal, {100, 300, 1000, 3000, 10000}},
    {"triangles", ModelProblem::arrow, {100, 300, 1000, 3000, 10000}},
    {"small", ModelProblem::tridiagonal, {10, 20, 50, 100, 200, 500, 1000}},
    {"small", ModelProblem::laplacian2d5, {3, 4, 7, 10, 14, 22, 32}},
    {"small", ModelProblem::random, {10, 20, 50, 100, 200, 500, 1000}}};

constexpr std::array<const char*, 9> kMatrixExtensions = {".mtx", ".mm", ".rb", ".rua", ".rsa", ".cua", ".csa", ".rza", ".pua"};

BenchProblem model_problem(const ModelSize& model) {
  return {fmt::format("{} {}", model_problem_info(model.kind).name, model.n), "", model};
}

BenchProblem matrix_file(const fs::path& path) { return {path.filename().string(), path.string()}; }

bool is_matrix_file(fs::path path) {
  if (path.extension() == ".gz") {
    path.replace_extension();
  }
  return std::find(kMatrixExtensions.begin(), kMatrixExtensions.end(), path.extension().string()) != kMatrixExtensions.end();
}

std::optional<ModelProblem> kind_of(const std::string& word) {
  for (const ModelProblemInfo& info : model_problems()) {
    if (info.name == word) {
      return info.kind;
    }
  }
  return std::nullopt;
}

Index parse_size(const std::string& kind, const std::string& word) {
  Index size = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), size);
  if (error != std::errc() || end != word.data() + word.size()) {
    throw UsageError(fmt::format("the model problem {} must be followed by its size, a whole number, not by '{}'", kind, word));
  }
  return size;
}

void append_suite(std::span<const ModelSize> suite, std::vector<BenchProblem>& problems) {
  std::transform(suite.begin(), suite.end(), std::back_inserter(problems), model_problem);
}

void append_folder(const std::string& folder, std::vector<BenchProblem>& problems) {
  const std::vector<fs::path> files = files_in(folder, is_matrix_file);
  if (files.empty()) {
    throw UsageError(fmt::format("{}: there is no matrix file in this folder", folder));
  }
  std::transform(files.begin(), files.end(), std::back_inserter(problems), matrix_file);
}

}  // namespace

std::vector<BenchProblem> problems_of_class(std::string_view name) {
  std::vector<BenchProblem> problems;
  for (const ClassPart& part : kClassParts) {
    for (std::size_t k = 0; part.name == name && k < part.sizes.size(); ++k) {
      problems.push_back(model_problem({part.kind, part.sizes[k]}));
    }
  }
  return problems;
}

std::vector<BenchProblem> parse_bench_problems(const std::vector<std::string>& words, const std::string& matrix_dir) {
  std::vector<BenchProblem> problems;
  std::error_code unknown;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string& word = words[k];
    if (word == "small" || word == "model") {
      append_suite(word == "small" ? std::span<const ModelSize>(kSmallSuite) : std::span<const ModelSize>(kModelSuite), problems);
    } else if (word == "real") {
      if (!fs::is_directory(matrix_dir, unknown)) {
        throw UsageError("the suite 'real' is the files of a folder: name it by --matrix-dir");
      }
      append_folder(matrix_dir, problems);
    } else if (const std::optional<ModelProblem> kind = kind_of(word)) {
      problems.push_back(model_problem({*kind, parse_size(word, k + 1 < words.size() ? words[k + 1] : "")}));
      ++k;
    } else if (fs::is_directory(word, unknown)) {
      append_folder(word, problems);
    } else if (fs::is_regular_file(word, unknown)) {
      problems.push_back(matrix_file(word));
    } else {
      throw UsageError(fmt::format("'{}' is neither a suite (small, model, real) nor a model problem, a file or a folder", word));
    }
  }
  return problems;
}

}  // namespace frond
