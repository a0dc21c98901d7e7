// SPDX-License-Identifier: BSD-3-Clause
// Holds the table of model problems and selects among them.
#include "matrices/generate.hpp"

#include <fmt/core.h>

#include <array>
#include <string>

#include "frond/error.hpp"
#include "matrices/model_problems.hpp"

namespace frond {

namespace {

constexpr std::array<ModelProblemInfo, 12> kModelProblems = {{
    {ModelProblem::laplacian2d5, "laplacian2d5", "2D Laplacian, 5 points, N x N grid (symmetric positive definite)", 1000, 1,
     46340},
    {ModelProblem::laplacian2d9, "laplacian2d9", "2D Laplacian, 9 points, N x N grid (symmetric positive definite)", 1000, 1,
     46340},
    {ModelProblem::laplacian3d7, "laplacian3d7", "3D Laplacian, 7 points, N^3 grid (symmetric positive definite)", 60, 1, 1290},
    {ModelProblem::laplacian3d27, "laplacian3d27", "3D Laplacian, 27 points, N^3 grid (symmetric positive definite)", 50, 1, 1290},
    {ModelProblem::elasticity3d, "elasticity3d", "3D linear elasticity, hexahedra on N^3 nodes (symmetric positive definite)", 32,
     2, 894},
    {ModelProblem::convection3d, "convection3d", "3D upwind convection-diffusion, N^3 grid (unsymmetric)", 50, 1, 1290},
    {ModelProblem::kkt3d, "kkt3d", "saddle point of three 3D Laplacians and a divergence, N^3 grid (symmetric indefinite)", 28, 1,
     812},
    {ModelProblem::helmholtz3d, "helmholtz3d", "3D Helmholtz with absorbing layers, N^3 grid (complex symmetric)", 45, 1, 1290},
    {ModelProblem::circuit, "circuit", "random power-law circuit of N nodes with dense rows and voltage sources (unsymmetric)",
     300000, 2, 2147483647},
    {ModelProblem::ultrasound3, "ultrasound3", "3D waves with flow, triquadratic elements, N^3 elements (unsymmetric)", 28, 1, 644},
    {ModelProblem::ultrasound80, "ultrasound80", "as ultrasound3 on a finer grid (unsymmetric)", 40, 1, 644},
    {ModelProblem::conv3d64, "conv3d64", "3D convection-diffusion with grad-div on a staggered grid of N^3 cells (unsymmetric)", 65,
     2, 894},
}};

}  // namespace

std::span<const ModelProblemInfo> model_problems() { return kModelProblems; }

const ModelProblemInfo& model_problem_info(ModelProblem kind) { return kModelProblems.at(static_cast<std::size_t>(kind)); }

ModelProblem parse_model_problem(std::string_view name) {
  std::string names;
  for (const ModelProblemInfo& info : kModelProblems) {
    if (info.name == name) {
      return info.kind;
    }
    names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
  }
  throw UsageError(fmt::format("there is no model problem '{}'; choose one of {}", name, names));
}

AnyMatrix generate(ModelProblem kind, Index n, std::uint64_t seed) {
  const ModelProblemInfo& info = model_problem_info(kind);
  if (n < info.smallest_size || n > info.largest_size) {
    throw UsageError(
        fmt::format("the size of {} is {}; it must lie between {} and {}", info.name, n, info.smallest_size, info.largest_size));
  }
  switch (kind) {
    case ModelProblem::laplacian2d5:
      return make_laplacian2d(n, false);
    case ModelProblem::laplacian2d9:
      return make_laplacian2d(n, true);
    case ModelProblem::laplacian3d7:
      return make_laplacian3d(n, false);
    case ModelProblem::laplacian3d27:
      return make_laplacian3d(n, true);
    case ModelProblem::elasticity3d:
      return make_elasticity3d(n);
    case ModelProblem::convection3d:
      return make_convection3d(n);
    case ModelProblem::kkt3d:
      return make_kkt3d(n);
    case ModelProblem::helmholtz3d:
      return make_helmholtz3d(n);
    case ModelProblem::circuit:
      return make_circuit(n, seed);
    case ModelProblem::ultrasound3:
    case ModelProblem::ultrasound80:
      return make_ultrasound(n);
    case ModelProblem::conv3d64:
      return make_conv3d64(n);
  }
  throw InternalError("a model problem has no generator");
}

}  // namespace frond
