// SPDX-License-Identifier: BSD-3-Clause
// Model problems with known order and entry count: Laplacians, elasticity, convection-diffusion, saddle point, Helmholtz, circuit,
// and the test matrices of the load-exchange literature; and random small or thin ones: circuits, power flow, bases of linear
// programs, triangles and chains.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "frond/files.hpp"

namespace frond {

enum class ModelProblem {
  laplacian2d5,
  laplacian2d9,
  laplacian3d7,
  laplacian3d27,
  elasticity3d,
  convection3d,
  kkt3d,
  helmholtz3d,
  circuit,
  ultrasound3,
  ultrasound80,
  conv3d64,
  nodal,
  feeder,
  powergrid,
  basis_network,
  basis_stairs,
  basis_sparse,
  triangle3,
  triangle10,
  bidiagonal,
  tridiagonal,
  arrow,
  random
};

struct ModelProblemInfo {
  ModelProblem kind;
  std::string_view name;
  std::string_view description;  ///< one line for help texts; says what the size N counts
  Index default_size;
  Index smallest_size;
  Index largest_size;                              ///< keeps the order of the matrix below 2^31
  AnyMatrix (*make)(Index n, std::uint64_t seed);  ///< for sizes that have been checked
};

/// All model problems, in the order of the enumeration.
[[nodiscard]] std::span<const ModelProblemInfo> model_problems();

[[nodiscard]] const ModelProblemInfo& model_problem_info(ModelProblem kind);

/// Returns the model problem of this name; throws a UsageError that lists the valid names.
[[nodiscard]] ModelProblem parse_model_problem(std::string_view name);

/// Returns the matrix of size n (see ModelProblemInfo::description); `circuit`, and the kinds from `nodal` on, are random and use
/// `seed`. Symmetric kinds hold their lower triangle. Throws a UsageError if n is out of range.
[[nodiscard]] AnyMatrix generate(ModelProblem kind, Index n, std::uint64_t seed);

}  // namespace frond
