// SPDX-License-Identifier: BSD-3-Clause
// Holds the table of model problems and selects among them.
#include "matrices/generate.hpp"

#include <fmt/core.h>

#include <array>
#include <string>
#include <type_traits>

#include "frond/error.hpp"
#include "matrices/model_problems.hpp"

namespace frond {

namespace {

/// Calls a generator with the size, with what else it takes, and with the seed if it takes one.
template <auto Make, auto... Choices>
AnyMatrix made(Index n, std::uint64_t seed) {
  if constexpr (std::is_invocable_v<decltype(Make), Index, decltype(Choices)..., std::uint64_t>) {
    return Make(n, Choices..., seed);
  } else {
    return Make(n, Choices...);
  }
}

constexpr std::array<ModelProblemInfo, 24> kModelProblems = {{
    {ModelProblem::laplacian2d5, "laplacian2d5", "2D Laplacian, 5 points, N x N grid (symmetric positive definite)", 1000, 1, 46340,
     made<make_laplacian2d, false>},
    {ModelProblem::laplacian2d9, "laplacian2d9", "2D Laplacian, 9 points, N x N grid (symmetric positive definite)", 1000, 1, 46340,
     made<make_laplacian2d, true>},
    {ModelProblem::laplacian3d7, "laplacian3d7", "3D Laplacian, 7 points, N^3 grid (symmetric positive definite)", 60, 1, 1290,
     made<make_laplacian3d, false>},
    {ModelProblem::laplacian3d27, "laplacian3d27", "3D Laplacian, 27 points, N^3 grid (symmetric positive definite)", 50, 1, 1290,
     made<make_laplacian3d, true>},
    {ModelProblem::elasticity3d, "elasticity3d", "3D linear elasticity, hexahedra on N^3 nodes (symmetric positive definite)", 32,
     2, 894, made<make_elasticity3d>},
    {ModelProblem::convection3d, "convection3d", "3D upwind convection-diffusion, N^3 grid (unsymmetric)", 50, 1, 1290,
     made<make_convection3d>},
    {ModelProblem::kkt3d, "kkt3d", "saddle point of three 3D Laplacians and a divergence, N^3 grid (symmetric indefinite)", 28, 1,
     812, made<make_kkt3d>},
    {ModelProblem::helmholtz3d, "helmholtz3d", "3D Helmholtz with absorbing layers, N^3 grid (complex symmetric)", 45, 1, 1290,
     made<make_helmholtz3d>},
    {ModelProblem::circuit, "circuit", "random power-law circuit of N nodes with dense rows and voltage sources (unsymmetric)",
     300000, 2, 2147483647, made<make_circuit>},
    {ModelProblem::ultrasound3, "ultrasound3", "3D waves with flow, triquadratic elements, N^3 elements (unsymmetric)", 28, 1, 644,
     made<make_ultrasound>},
    {ModelProblem::ultrasound80, "ultrasound80", "as ultrasound3 on a finer grid (unsymmetric)", 40, 1, 644, made<make_ultrasound>},
    {ModelProblem::conv3d64, "conv3d64", "3D convection-diffusion with grad-div on a staggered grid of N^3 cells (unsymmetric)", 65,
     2, 894, made<make_conv3d64>},
    {ModelProblem::nodal, "nodal", "random circuit in modified nodal analysis, order N (unsymmetric)", 5000, 1, 100000000,
     made<make_nodal_equations>},
    {ModelProblem::feeder, "feeder", "power flow in a radial grid of N buses (unsymmetric, random)", 1000, 2, 100000000,
     made<make_power_flow, false>},
    {ModelProblem::powergrid, "powergrid", "power flow in a meshed grid of N buses (unsymmetric, random)", 1000, 2, 100000000,
     made<make_power_flow, true>},
    {ModelProblem::basis_network, "basis_network", "basis of a network with losses, N rows (unsymmetric, random)", 1000, 2,
     100000000, made<make_basis, BasisKind::network>},
    {ModelProblem::basis_stairs, "basis_stairs", "basis of a linear program over many periods, N rows (unsymmetric, random)", 1000,
     2, 100000000, made<make_basis, BasisKind::staircase>},
    {ModelProblem::basis_sparse, "basis_sparse", "basis of a sparse linear program, N rows (unsymmetric, random)", 1000, 2,
     100000000, made<make_basis, BasisKind::sparse>},
    {ModelProblem::triangle3, "triangle3", "permuted triangle of order N, 3 entries a row (unsymmetric, random)", 1000, 1,
     100000000, made<make_triangle, 3>},
    {ModelProblem::triangle10, "triangle10", "permuted triangle of order N, 10 entries a row (unsymmetric, random)", 1000, 1,
     100000000, made<make_triangle, 10>},
    {ModelProblem::bidiagonal, "bidiagonal", "permuted bidiagonal matrix of order N (unsymmetric, random)", 1000, 1, 100000000,
     made<make_chain, false>},
    {ModelProblem::tridiagonal, "tridiagonal", "permuted tridiagonal matrix of order N (unsymmetric, random)", 1000, 1, 100000000,
     made<make_chain, true>},
    {ModelProblem::arrow, "arrow", "diagonal, first row and first column of order N (unsymmetric, random)", 1000, 1, 100000000,
     made<make_arrow>},
    {ModelProblem::random, "random", "random positions, order N, 4 entries a row (unsymmetric)", 1000, 1, 100000000,
     made<make_random>},
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
  return info.make(n, seed);
}

}  // namespace frond
