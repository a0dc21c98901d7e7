// SPDX-License-Identifier: BSD-3-Clause
// Solves -u'' - u_yy = 1 on a square with u = 0 on its boundary by bilinear finite elements, whose matrices are summed as triplets.
#include <algorithm>
#include <cstdio>
#include <frond/frond.hpp>
#include <utility>
#include <vector>

int main() {
  const int cells = 100;  // per direction
  const int inside = cells - 1;
  const auto node = [&](int i, int j) { return i < 1 || j < 1 || i > inside || j > inside ? -1 : (j - 1) * inside + i - 1; };
  const double h = 1.0 / cells;
  const double stiffness[4][4] = {{4, -1, -2, -1}, {-1, 4, -1, -2}, {-2, -1, 4, -1}, {-1, -2, -1, 4}};  // times 1/6

  frond::Triplets<double> entries{.num_rows = inside * inside, .num_cols = inside * inside, .symmetry = frond::Symmetry::symmetric};
  std::vector<double> b(static_cast<std::size_t>(inside) * inside, h * h);
  for (int j = 0; j < cells; ++j) {
    for (int i = 0; i < cells; ++i) {
      const int corners[4] = {node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)};
      std::vector<frond::Index> variables;
      std::vector<double> element;
      for (int q = 0; q < 4; ++q) {
        if (corners[q] < 0) continue;
        variables.push_back(corners[q]);
        for (int p = 0; p < 4; ++p) {
          if (corners[p] >= 0) element.push_back(stiffness[p][q] / 6);
        }
      }
      frond::add_element<double>(entries, variables, element);
    }
  }
  const auto matrix = frond::compress(std::move(entries));
  const auto [u, report] = frond::solve(matrix, b);
  const double middle = *std::max_element(u.begin(), u.end());
  std::printf("%s\nu in the middle: %.6f\n", report.describe().c_str(), middle);
  return report.verdict == frond::Verdict::solved && middle > 0.0736 && middle < 0.0738 ? 0 : 1;
}
