// SPDX-License-Identifier: BSD-3-Clause
// Constructs integer matrices with known properties.
#include "tests/support/matrices/known_matrices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "tests/dense/dense_algebra.hpp"
#include "tests/support/matrices/draw.hpp"

namespace frond::testing {
namespace {

using Entry = Eigen::Triplet<std::int64_t>;

ExactMatrix from_entries(Index rows, Index cols, const std::vector<Entry>& entries) {
  ExactMatrix matrix(rows, cols);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

// D of a congruence, block by block, with its known properties.
struct BlockDiagonalMatrix {
  std::vector<Entry> entries;
  Inertia inertia;
  Determinant determinant;
};

struct DrawnBlock {
  std::int64_t d11, d21, d22;  // 1x1: d11 alone
  Inertia inertia;
};

constexpr DrawnBlock kRegularPairs[] = {{0, 1, 0, {1, 1, 0}}, {0, 3, 0, {1, 1, 0}},   {1, 2, 1, {1, 1, 0}},
                                        {2, 1, 2, {2, 0, 0}}, {-2, 1, -3, {0, 2, 0}}, {0, 2, 1, {1, 1, 0}}};
constexpr DrawnBlock kSingularPairs[] = {{1, 1, 1, {1, 0, 1}}, {-4, 2, -1, {0, 1, 1}}, {0, 0, 0, {0, 0, 2}}, {0, 0, 3, {1, 0, 1}}};

// Draws a symmetric D in pairs of variables: 2x2 blocks and pairs of 1x1 blocks.
BlockDiagonalMatrix draw_symmetric_diagonal(Index order, Index zero_period, Draw& draw) {
  BlockDiagonalMatrix result;
  for (Index k = 0; k < order; k += 2) {
    const bool is_singular = zero_period > 0 && draw.below(zero_period) == 0;
    DrawnBlock block = is_singular ? kSingularPairs[draw.below(4)] : kRegularPairs[draw.below(6)];
    if (!is_singular && draw.below(2) == 0) {
      block = {draw.sign() * draw.between(1, 3), 0, draw.sign() * draw.between(1, 3), {}};
      block.inertia.positive = (block.d11 > 0 ? 1 : 0) + (block.d22 > 0 ? 1 : 0);
      block.inertia.negative = 2 - block.inertia.positive;
    }
    result.entries.emplace_back(k, k, block.d11);
    result.entries.emplace_back(k + 1, k, block.d21);
    result.entries.emplace_back(k, k + 1, block.d21);
    result.entries.emplace_back(k + 1, k + 1, block.d22);
    result.inertia.positive += block.inertia.positive;
    result.inertia.negative += block.inertia.negative;
    result.inertia.zero += block.inertia.zero;
    result.determinant *= Determinant(static_cast<double>(block.d11 * block.d22 - block.d21 * block.d21));
  }
  return result;
}

// Draws a skew-symmetric D: pairs [0, -k; k, 0].
BlockDiagonalMatrix draw_skew_diagonal(Index order, Index zero_period, Draw& draw) {
  BlockDiagonalMatrix result;
  for (Index k = 0; k < order; k += 2) {
    const bool is_singular = zero_period > 0 && draw.below(zero_period) == 0;
    const std::int64_t value = is_singular ? 0 : draw.sign() * draw.between(1, 3);
    result.entries.emplace_back(k + 1, k, value);
    result.entries.emplace_back(k, k + 1, -value);
    result.inertia.zero += is_singular ? 2 : 0;
    result.determinant *= Determinant(static_cast<double>(value * value));
  }
  return result;
}

// Draws a unit lower triangle: variables of a binary tree's nodes, children before parents, coupled with those of ancestors.
ExactMatrix draw_tree_factor(Index levels, Index node_size, Draw& draw) {
  const Index num_nodes = (Index{1} << levels) - 1;
  const Index order = num_nodes * node_size;
  std::vector<Entry> entries;
  for (Index node = 0; node < num_nodes;
       ++node) {  // in a heap the parent of node k > 0 is (k - 1) / 2; the heap is stored backwards
    for (Index k = 0; k < node_size; ++k) {
      const Index column = (num_nodes - 1 - node) * node_size + k;
      entries.emplace_back(column, column, 1);
      for (Index ancestor = node; ancestor > 0;) {
        ancestor = (ancestor - 1) / 2;
        if (draw.below(3) < 2) {
          const Index row = (num_nodes - 1 - ancestor) * node_size + draw.below(node_size);
          entries.emplace_back(row, column, draw.sign() * (draw.below(4) == 0 ? 2 : 1));
        }
      }
    }
  }
  return from_entries(order, order, entries);
}

// ||A||_1 ||A^-1||_1
double one_norm_condition(const ExactMatrix& matrix) {
  const Eigen::MatrixXd dense = Eigen::MatrixXd(matrix.cast<double>());
  const auto one_norm = [](const Eigen::MatrixXd& a) { return a.cwiseAbs().colwise().sum().maxCoeff(); };
  return dense.rows() == 0 ? 1 : one_norm(dense) * one_norm(test::inverse(dense));
}

ExactMatrix block_matrix(const ExactMatrix& a11, const ExactMatrix& a12, const ExactMatrix& a21, const ExactMatrix& a22) {
  std::vector<Entry> entries;
  const auto append = [&](const ExactMatrix& block, Eigen::Index row, Eigen::Index col) {
    for (Eigen::Index j = 0; j < block.outerSize(); ++j) {
      for (ExactMatrix::InnerIterator entry(block, j); entry; ++entry) {
        entries.emplace_back(static_cast<Index>(row + entry.row()), static_cast<Index>(col + entry.col()), entry.value());
      }
    }
  };
  append(a11, 0, 0);
  append(a12, 0, a11.cols());
  append(a21, a11.rows(), 0);
  append(a22, a11.rows(), a11.cols());
  return from_entries(static_cast<Index>(a11.rows() + a21.rows()), static_cast<Index>(a11.cols() + a12.cols()), entries);
}

// Draws the edges of a random connected graph: a tree of small depth, and some additional edges.
std::vector<std::pair<Index, Index>> draw_graph(Index num_vertices, Draw& draw) {
  std::map<std::pair<Index, Index>, bool> edges;
  for (Index v = 1; v < num_vertices; ++v) {
    edges[{draw.below(v), v}] = true;
  }
  for (Index k = 0; k < num_vertices; ++k) {
    const Index v = draw.below(num_vertices);
    const Index w = std::min(v + 1 + draw.below(5), num_vertices - 1);
    if (v < w) {
      edges[{v, w}] = true;
    }
  }
  std::vector<std::pair<Index, Index>> list;
  list.reserve(edges.size());
  for (const auto& edge : edges) {
    list.push_back(edge.first);
  }
  return list;
}

}  // namespace

KnownMatrix tree_product(Symmetry symmetry, Index levels, Index node_size, Index zero_period, std::uint64_t seed) {
  Draw draw(seed);
  const ExactMatrix l = draw_tree_factor(levels, node_size, draw);
  const auto order = static_cast<Index>(l.rows());
  const BlockDiagonalMatrix d = symmetry == Symmetry::skew_symmetric ? draw_skew_diagonal(order, zero_period, draw)
                                                                     : draw_symmetric_diagonal(order, zero_period, draw);
  const ExactMatrix u = symmetry == Symmetry::general ? ExactMatrix(draw_tree_factor(levels, node_size, draw).transpose())
                                                      : ExactMatrix(l.transpose());
  KnownMatrix known{"tree product", symmetry, l * from_entries(order, order, d.entries) * u};
  known.matrix.prune(std::int64_t{0});
  known.inertia = d.inertia;
  known.rank = order - static_cast<Index>(d.inertia.zero);
  if (known.rank == order) {
    known.determinant = d.determinant;
    known.condition = one_norm_condition(known.matrix);
  }
  return known;
}

KnownMatrix bordered_by_copies(const KnownMatrix& a, Index num_copies, std::uint64_t seed) {
  Draw draw(seed);
  const auto draw_copies = [&] {
    std::vector<Entry> entries;
    for (Index j = 0; j < num_copies; ++j) {
      const Index first = draw.below(a.order());
      entries.emplace_back(first, j, draw.sign());
      entries.emplace_back((first + 1 + draw.below(a.order() - 1)) % a.order(), j, draw.sign());
    }
    return from_entries(a.order(), num_copies, entries);
  };
  const ExactMatrix x = draw_copies();
  const ExactMatrix y = a.symmetry == Symmetry::general ? ExactMatrix(draw_copies().transpose()) : ExactMatrix(x.transpose());
  KnownMatrix known{"copies in a border of " + a.name, a.symmetry,
                    block_matrix(a.matrix, a.matrix * x, y * a.matrix, y * a.matrix * x)};
  known.rank = a.rank;
  known.inertia = a.inertia;
  known.inertia.zero += num_copies;
  return known;
}

KnownMatrix shifted_grid(Index nx, Index ny, std::int64_t shift) {
  KnownMatrix known{"shifted grid", Symmetry::symmetric, {}};
  std::vector<Entry> entries;
  Determinant determinant;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0;
  const auto cosine = [](Index k, Index n) { return std::cos(std::numbers::pi_v<long double> * k / (n + 1)); };
  for (Index i = 0; i < nx; ++i) {
    for (Index j = 0; j < ny; ++j) {
      const Index v = i * ny + j;
      entries.emplace_back(v, v, shift);
      if (j + 1 < ny) {
        entries.emplace_back(v, v + 1, -1);
        entries.emplace_back(v + 1, v, -1);
      }
      if (i + 1 < nx) {
        entries.emplace_back(v, v + ny, -1);
        entries.emplace_back(v + ny, v, -1);
      }
      const auto eigenvalue = static_cast<double>(static_cast<long double>(shift) - 2 * cosine(i + 1, nx) - 2 * cosine(j + 1, ny));
      if (std::abs(eigenvalue) < 1e-16) {
        ++known.inertia.zero;
        continue;
      }
      if (std::abs(eigenvalue) < 1e-6) {
        throw std::logic_error("the sign of an eigenvalue is not known for sure");
      }
      ++(eigenvalue > 0 ? known.inertia.positive : known.inertia.negative);
      determinant *= Determinant(eigenvalue);
      smallest = std::min(smallest, std::abs(eigenvalue));
      largest = std::max(largest, std::abs(eigenvalue));
    }
  }
  known.matrix = from_entries(nx * ny, nx * ny, entries);
  known.matrix.prune(std::int64_t{0});
  known.rank = nx * ny - static_cast<Index>(known.inertia.zero);
  if (known.inertia.zero == 0) {
    known.determinant = determinant;
    known.condition = largest / smallest;
  }
  return known;
}

KnownMatrix graph_laplacian(Index num_vertices, Index num_components, std::uint64_t seed) {
  Draw draw(seed);
  std::vector<Entry> entries;
  for (Index component = 0; component < num_components; ++component) {
    const Index first = component * num_vertices;
    for (const auto& [v, w] : draw_graph(num_vertices, draw)) {
      const std::int64_t weight = draw.between(1, 4);
      entries.emplace_back(first + v, first + v, weight);
      entries.emplace_back(first + w, first + w, weight);
      entries.emplace_back(first + v, first + w, -weight);
      entries.emplace_back(first + w, first + v, -weight);
    }
  }
  const Index order = num_vertices * num_components;
  KnownMatrix known{"graph Laplacian", Symmetry::symmetric, from_entries(order, order, entries)};
  known.rank = order - num_components;
  known.inertia = {known.rank, 0, num_components};
  return known;
}

KnownMatrix directed_laplacian(Index num_vertices, std::uint64_t seed) {
  Draw draw(seed);
  std::vector<Entry> entries;
  const auto add_arc = [&](Index v, Index w) {
    const std::int64_t weight = draw.between(1, 3);
    entries.emplace_back(v, v, weight);
    entries.emplace_back(v, w, -weight);
  };
  for (Index v = 0; v < num_vertices; ++v) {
    add_arc(v, (v + 1) % num_vertices);
    if (const Index w = draw.below(num_vertices); w != v) {
      add_arc(v, w);
    }
  }
  KnownMatrix known{"directed Laplacian", Symmetry::general, from_entries(num_vertices, num_vertices, entries)};
  known.rank = num_vertices - 1;
  return known;
}

KnownMatrix saddle_point(Index num_vertices, Index num_components, Index num_grounded, bool is_regularized, std::uint64_t seed) {
  Draw draw(seed);
  std::vector<Entry> incidences;
  Index num_edges = 0;
  Index num_rows = 0;
  for (Index component = 0; component < num_components; ++component) {
    const Index dropped = component < num_grounded ? 1 : 0;  // vertices: the first of the component
    for (const auto& [v, w] : draw_graph(num_vertices, draw)) {
      if (v >= dropped) {
        incidences.emplace_back(num_rows + v - dropped, num_edges, 1);
      }
      if (w >= dropped) {
        incidences.emplace_back(num_rows + w - dropped, num_edges, -1);
      }
      ++num_edges;
    }
    num_rows += num_vertices - dropped;
  }
  std::vector<Entry> h;
  for (Index e = 0; e < num_edges; ++e) {
    h.emplace_back(e, e, draw.between(3, 5));
    if (e + 1 < num_edges) {
      h.emplace_back(e, e + 1, -1);
      h.emplace_back(e + 1, e, -1);
    }
  }
  std::vector<Entry> c;
  for (Index v = 0; v < num_rows && is_regularized; ++v) {
    c.emplace_back(v, v, -draw.between(1, 3));
  }
  const ExactMatrix b = from_entries(num_rows, num_edges, incidences);
  KnownMatrix known{"saddle point", Symmetry::symmetric,
                    block_matrix(from_entries(num_edges, num_edges, h), b.transpose(), b, from_entries(num_rows, num_rows, c))};
  const Index num_zero = is_regularized ? 0 : num_components - num_grounded;
  known.rank = num_edges + num_rows - num_zero;
  known.inertia = {num_edges, num_rows - num_zero, num_zero};
  return known;
}

KnownMatrix arrowhead(Index order, int corner, std::uint64_t seed) {
  Draw draw(seed);
  std::vector<Entry> entries;
  std::int64_t subtracted = 0;
  Inertia inertia;
  Determinant determinant(corner);
  const Index last = order - 1;
  for (Index k = 0; k < last; ++k) {
    const std::int64_t d = draw.sign() * draw.between(1, 3);
    const std::int64_t t = draw.between(-2, 2);
    entries.emplace_back(k, k, d);
    entries.emplace_back(last, k, d * t);
    entries.emplace_back(k, last, d * t);
    subtracted += d * t * t;
    ++(d > 0 ? inertia.positive : inertia.negative);
    determinant *= Determinant(static_cast<double>(d));
  }
  entries.emplace_back(last, last, subtracted + corner);
  ++(corner > 0 ? inertia.positive : corner < 0 ? inertia.negative : inertia.zero);
  KnownMatrix known{"arrowhead", Symmetry::symmetric, from_entries(order, order, entries)};
  known.matrix.prune(std::int64_t{0});
  known.rank = order - static_cast<Index>(inertia.zero);
  known.inertia = inertia;
  if (corner != 0) {
    known.determinant = determinant;
    known.condition = one_norm_condition(known.matrix);
  }
  return known;
}

KnownMatrix low_rank(Index order, Index rank, std::uint64_t seed) {
  Draw draw(seed);
  std::vector<Entry> left;
  std::vector<Entry> right;
  for (Index k = 0; k < order; ++k) {
    if (k < rank) {
      left.emplace_back(k, k, 1);
      right.emplace_back(k, k, 1);
      continue;
    }
    for (Index j = 0; j < rank; ++j) {
      left.emplace_back(k, j, draw.between(-2, 2));
      right.emplace_back(j, k, draw.between(-2, 2));
    }
  }
  KnownMatrix known{"low rank", Symmetry::general, from_entries(order, rank, left) * from_entries(rank, order, right)};
  known.matrix.prune(std::int64_t{0});
  known.rank = rank;
  return known;
}

KnownMatrix dense_block(Block kind, Index size) {
  std::vector<Entry> entries;
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) {
      const std::int64_t value = kind == Block::ones                                   ? 1
                                 : kind == Block::ones_minus_identity                  ? (i == j ? 0 : 1)
                                 : kind == Block::exchange                             ? (i + j == size - 1 ? 1 : 0)
                                 : kind == Block::zero                                 ? 0
                                 : __builtin_parity(static_cast<unsigned>(i & j)) != 0 ? -1
                                                                                       : 1;
      if (value != 0) {
        entries.emplace_back(i, j, value);
      }
    }
  }
  KnownMatrix known{"dense block", Symmetry::symmetric, from_entries(size, size, entries)};
  switch (kind) {
    case Block::ones:
      known.inertia = {std::min(size, 1), 0, size - std::min(size, 1)};
      break;
    case Block::ones_minus_identity:
      known.inertia = size == 1 ? Inertia{0, 0, 1} : Inertia{1, size - 1, 0};
      break;
    case Block::hadamard:
      known.inertia = size == 1 ? Inertia{1, 0, 0} : Inertia{size / 2, size / 2, 0};
      break;
    case Block::exchange:
      known.inertia = {(size + 1) / 2, size / 2, 0};
      break;
    case Block::zero:
      known.inertia = {0, 0, size};
      break;
  }
  known.rank = size - static_cast<Index>(known.inertia.zero);
  return known;
}

KnownMatrix cyclic_difference(Index order) {
  std::vector<Entry> entries;
  for (Index k = 0; k < order; ++k) {
    entries.emplace_back(k, k, 1);
    entries.emplace_back(k, (k + 1) % order, -1);
  }
  KnownMatrix known{"cyclic difference", Symmetry::general, from_entries(order, order, entries)};
  known.rank = order - 1;
  return known;
}

KnownMatrix direct_sum(const KnownMatrix& a, const KnownMatrix& b) {
  KnownMatrix known{a.name + " and " + b.name, a.symmetry,
                    block_matrix(a.matrix, ExactMatrix(a.order(), b.order()), ExactMatrix(b.order(), a.order()), b.matrix)};
  known.rank = a.rank + b.rank;
  known.inertia = {a.inertia.positive + b.inertia.positive, a.inertia.negative + b.inertia.negative,
                   a.inertia.zero + b.inertia.zero};
  return known;
}

std::vector<KnownMatrix> known_symmetric_matrices(int digits) {
  constexpr Symmetry kSymmetric = Symmetry::symmetric;
  const bool is_double = digits > 24;
  std::vector<KnownMatrix> all;
  for (std::uint64_t seed = 1; seed <= (is_double ? 5U : 2U); ++seed) {
    const Index levels = is_double ? 4 + static_cast<Index>(seed % 3) : 2;
    all.push_back(tree_product(kSymmetric, levels, 4, 0, seed));
    all.push_back(tree_product(kSymmetric, levels, 4, 6, seed));
    all.push_back(bordered_by_copies(all.back(), 3 + static_cast<Index>(seed), seed));
    all.push_back(graph_laplacian(is_double ? 150 : 20, static_cast<Index>(seed), seed));
    all.push_back(saddle_point(is_double ? 60 : 10, static_cast<Index>(seed), static_cast<Index>(seed), false, seed));
    all.push_back(saddle_point(is_double ? 60 : 10, 2 + static_cast<Index>(seed), 1, false, seed));
    all.push_back(saddle_point(is_double ? 60 : 10, 1, 0, true, seed));
    all.push_back(arrowhead(5 + 17 * static_cast<Index>(seed), static_cast<int>(seed % 3) - 1, seed));
  }
  const Index side = is_double ? 23 : 5;
  all.push_back(shifted_grid(side, side, 0));
  all.push_back(shifted_grid(side, 2 * side + 1, 0));
  all.push_back(shifted_grid(side, 17, 1));
  all.push_back(shifted_grid(1, side, 0));
  all.push_back(shifted_grid(1, side + 1, 0));
  all.push_back(shifted_grid(1, 3 * side - 1, 1));
  all.push_back(shifted_grid(6, 8, 0));
  all.push_back(shifted_grid(8, 14, 2));
  for (const Block kind : {Block::ones, Block::ones_minus_identity, Block::hadamard, Block::exchange, Block::zero}) {
    all.push_back(dense_block(kind, 1));
    all.push_back(dense_block(kind, 16));
    all.push_back(direct_sum(dense_block(kind, 32), saddle_point(12, 2, 1, false, 3)));
  }
  all.push_back(dense_block(Block::zero, 0));
  all.push_back(direct_sum(dense_block(Block::zero, 7), shifted_grid(5, 5, 0)));
  return all;
}

std::vector<KnownMatrix> known_general_matrices(int digits) {
  const bool is_double = digits > 24;
  std::vector<KnownMatrix> all;
  for (std::uint64_t seed = 1; seed <= (is_double ? 5U : 2U); ++seed) {
    const Index levels = is_double ? 4 + static_cast<Index>(seed % 3) : 2;
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::skew_symmetric}) {
      all.push_back(tree_product(symmetry, levels, 4, 0, 10 + seed));
      all.push_back(tree_product(symmetry, levels, 4, 6, 10 + seed));
    }
    all.push_back(bordered_by_copies(tree_product(Symmetry::general, levels, 4, 8, seed), 5, seed));
    all.push_back(directed_laplacian(is_double ? 60 * static_cast<Index>(seed) : 15, seed));
    all.push_back(low_rank(7 * static_cast<Index>(seed), 3 * static_cast<Index>(seed), seed));
  }
  all.push_back(cyclic_difference(2));
  all.push_back(cyclic_difference(is_double ? 101 : 31));
  all.push_back(direct_sum(low_rank(9, 0, 1), cyclic_difference(20)));
  KnownMatrix grid = shifted_grid(is_double ? 17 : 5, is_double ? 17 : 5, 0);
  grid.symmetry = Symmetry::general;
  all.push_back(grid);
  KnownMatrix saddle = saddle_point(is_double ? 50 : 10, 3, 1, false, 5);
  saddle.symmetry = Symmetry::general;
  all.push_back(saddle);
  all.push_back(low_rank(0, 0, 1));
  all.push_back(low_rank(1, 0, 1));
  all.push_back(low_rank(1, 1, 1));
  return all;
}

}  // namespace frond::testing
