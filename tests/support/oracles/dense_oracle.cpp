// SPDX-License-Identifier: BSD-3-Clause
// Gathers fronts into plain matrices and multiplies them with Eigen, in double precision.
#include "tests/support/oracles/dense_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/dense/dense_algebra.hpp"
#include "tests/support/oracles/dense_matrix_oracle.hpp"

namespace frond::test {
namespace {

template <Scalar S>
Wide<S> widen(S value) {
  return Wide<S>(value);
}

// Returns the variables of all positions of a front.
std::vector<Index> variables_of(Index num_fully_summed, const Index* fully_summed, std::span<const Index> cb_rows) {
  std::vector<Index> variables(fully_summed, fully_summed + num_fully_summed);
  variables.insert(variables.end(), cb_rows.begin(), cb_rows.end());
  return variables;
}

template <Scalar S>
Wide<S> entry_of_lower(const FrontFactor<S>& front, Index row, Index col) {
  return widen(front.lower[front.layout.column_offset(col) + row]);
}

// Computes rows of W = D op(L)^T for a given L.
template <Scalar S>
EigenMatrix<Wide<S>> scaled_transpose(Method method, const FrontFactor<S>& front, const EigenMatrix<Wide<S>>& l) {
  using M = EigenMatrix<Wide<S>>;
  M transposed = method == Method::ldlt ? M(l.transpose()) : M(l.adjoint());
  if (method == Method::cholesky) {
    return transposed;
  }
  M d = M::Zero(l.cols(), l.cols());
  for (Index k = 0; k < front.num_eliminated; ++k) {
    d(k, k) = widen(front.d[2 * k]);
    if (front.pivots[k] == PivotKind::two_by_two) {
      const Wide<S> off = widen(front.d[2 * k + 1]);
      d(k + 1, k) = off;
      d(k, k + 1) = method == Method::ldlt ? off : conjugate(off);
    }
  }
  return product(d, transposed);
}

template <class W>
double largest_magnitude(const DenseMatrix<W>& matrix) {
  double largest = 0;
  for (const W& value : matrix.values) {
    const double size = std::abs(value);
    if (!std::isfinite(size)) {
      return std::numeric_limits<double>::infinity();
    }
    largest = std::max(largest, size);
  }
  return largest;
}

}  // namespace

// sum_k left(:, k) right(k, :), by positions of the front.
template <Scalar S>
struct DenseOracle<S>::Terms {
  EigenMatrix<Wide<S>> left;
  EigenMatrix<Wide<S>> right;
};

template <Scalar S>
DenseOracle<S>::DenseOracle(Index order)
    : sum_(order, order),
      remainder_(order, order),
      row_weights_(static_cast<std::size_t>(order)),
      col_weights_(static_cast<std::size_t>(order)),
      rows_eliminated_(static_cast<std::size_t>(order)),
      cols_eliminated_(static_cast<std::size_t>(order)) {}

template <Scalar S>
void DenseOracle<S>::add_front(Method method, const FrontFactor<S>& front, std::span<const Index> cb_rows) {
  const Index m = front.order;
  const Index e = front.num_eliminated;
  const auto is_null = [&](Index k) { return method != Method::cholesky && front.pivots[k] == PivotKind::null; };
  // Below its diagonal, the left factor is L for the symmetric methods, and M for LU: B = A^T = M N.
  Terms terms{EigenMatrix<Wide<S>>::Zero(m, e), EigenMatrix<Wide<S>>::Zero(e, m)};
  for (Index k = 0; k < e; ++k) {
    terms.left(k, k) = method == Method::cholesky ? entry_of_lower(front, k, k) : Wide<S>(1);
    for (Index i = k + 1; i < m; ++i) {
      const bool is_inside_pivot =
          is_symmetric(method) && method != Method::cholesky && i == k + 1 && front.pivots[k] == PivotKind::two_by_two;
      terms.left(i, k) = is_inside_pivot ? Wide<S>(0) : entry_of_lower(front, i, k);
      const double size = std::abs(terms.left(i, k));
      largest_multiplier_ = std::isnan(size) ? size : std::max(largest_multiplier_, size);
    }
  }
  if (is_symmetric(method)) {
    terms.right = scaled_transpose(method, front, terms.left);
  } else {
    for (Index k = 0; k < e; ++k) {
      for (Index j = k; j < front.num_fully_summed && !is_null(k); ++j) {
        terms.right(k, j) = entry_of_lower(front, k, j);
      }
      for (Index i = 0; i < front.cb_order() && !is_null(k); ++i) {
        terms.right(k, front.num_fully_summed + i) = widen(front.upper[i + static_cast<Count>(k) * front.cb_order()]);
      }
    }
  }
  const std::vector<Index> rows = variables_of(front.num_fully_summed, front.row_variables, cb_rows);
  const std::vector<Index> cols = variables_of(front.num_fully_summed, front.col_variables, cb_rows);
  note_pivots(rows, e, rows_eliminated_);
  note_pivots(cols, e, cols_eliminated_);
  num_eliminated_ += e;
  if (is_symmetric(method)) {
    add_terms(terms, rows, rows);
  } else {  // columns of B are rows of A
    add_terms({terms.right.transpose(), terms.left.transpose()}, rows, cols);
  }
}

// A front may hold only variables that were not eliminated before; this marks its pivots as eliminated.
template <Scalar S>
void DenseOracle<S>::note_pivots(std::span<const Index> variables, Index num_pivots, std::vector<char>& eliminated) {
  for (const Index variable : variables) {
    is_ordered_ = is_ordered_ && eliminated[variable] == 0;
  }
  for (const Index variable : variables.first(static_cast<std::size_t>(num_pivots))) {
    is_ordered_ = is_ordered_ && eliminated[variable] == 0;
    eliminated[variable] = 1;
  }
}

template <Scalar S>
void DenseOracle<S>::add_terms(const Terms& terms, std::span<const Index> row_variables, std::span<const Index> col_variables) {
  const EigenMatrix<Wide<S>> product = test::product(terms.left, terms.right);
  for (Index j = 0; j < product.cols(); ++j) {
    for (Index i = 0; i < product.rows(); ++i) {
      sum_(row_variables[i], col_variables[j]) += product(i, j);
    }
  }
  for (Index k = 0; k < terms.left.cols(); ++k) {
    const double weight = terms.right.row(k).cwiseAbs().maxCoeff();
    if (weight == 0) {
      continue;
    }
    for (Index i = 0; i < product.rows(); ++i) {
      row_weights_[row_variables[static_cast<std::size_t>(i)]] += std::norm(terms.left(i, k)) * weight;
    }
    for (Index j = 0; j < product.cols(); ++j) {
      col_weights_[col_variables[static_cast<std::size_t>(j)]] += std::norm(terms.right(k, j)) / weight;
    }
  }
}

template <Scalar S>
void DenseOracle<S>::add_remainder(Method method, const FrontFactor<S>& front, std::span<const Index> cb_rows,
                                   const PanelLayout& cb_layout, const S* cb) {
  const Index p = front.num_fully_summed;
  const std::vector<Index> rows = variables_of(p, front.row_variables, cb_rows);
  const std::vector<Index> cols = variables_of(p, front.col_variables, cb_rows);
  // Entry (i, j) of the remainder of B, which is A^T for LU and A for the others.
  const auto entry = [&](Index i, Index j) -> Wide<S> {
    if (j < p) {
      return entry_of_lower(front, i, j);
    }
    if (i < p) {
      return widen(front.upper[j - p + static_cast<Count>(i) * front.cb_order()]);
    }
    return widen(cb[cb_layout.column_offset(j - p) + i - p]);
  };
  for (Index j = front.num_eliminated; j < front.order; ++j) {
    for (Index i = is_symmetric(method) ? j : front.num_eliminated; i < front.order; ++i) {
      const Wide<S> value = entry(i, j);
      const auto row = static_cast<std::size_t>(i);
      const auto col = static_cast<std::size_t>(j);
      if (method == Method::lu) {
        remainder_(rows[col], cols[row]) += value;
        continue;
      }
      remainder_(rows[row], rows[col]) += value;
      if (i != j) {
        remainder_(rows[col], rows[row]) += method == Method::ldlt ? value : conjugate(value);
      }
    }
  }
}

template <Scalar S>
double DenseOracle<S>::error(const DenseMatrix<S>& a) const {
  DenseMatrix<Wide<S>> difference = sum_;
  for (std::size_t k = 0; k < a.values.size(); ++k) {
    difference.values[k] += remainder_.values[k] - widen(a.values[k]);
  }
  const double largest = largest_magnitude(difference);
  if (!std::isfinite(largest) || !is_ordered_) {
    return std::numeric_limits<double>::infinity();
  }
  if (largest == 0) {
    return 0;
  }
  const double product_scale = std::sqrt(*std::max_element(row_weights_.begin(), row_weights_.end())) *
                               std::sqrt(*std::max_element(col_weights_.begin(), col_weights_.end()));
  const double scale = std::max(product_scale, largest_magnitude(remainder_));
  return largest / (a.num_rows * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()) * scale);
}

template <Scalar S>
DenseOracle<S> multiply_out(const Factors<S>& factors) {
  const AssemblyTree& tree = factors.symbolic().tree();
  DenseOracle<S> oracle(factors.symbolic().order());
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    oracle.add_front(factors.method(), factors.front(node), tree.cb_rows(node));
  }
  return oracle;
}

template <Scalar S>
DenseMatrix<S> permuted_matrix(const Factors<S>& factors, const MatrixView<S>& a) {
  const DenseMatrix<S> dense = to_dense(a);
  const std::vector<Index>& perm = factors.symbolic().permutation().perm;
  DenseMatrix<S> result(a.pattern.num_rows, a.pattern.num_cols);
  for (Index j = 0; j < result.num_cols; ++j) {
    for (Index i = 0; i < result.num_rows; ++i) {
      const Index row = perm[i];
      const Index col = perm[j];
      result(i, j) = dense(row, col);
      if (!factors.row_scaling().empty()) {
        result(i, j) *= factors.row_scaling()[row] * factors.col_scaling()[col];
      }
    }
  }
  return result;
}

template <Scalar S>
EigenvalueSigns eigenvalue_signs(const DenseMatrix<S>& a, double tolerance) {
  EigenvalueSigns signs;
  if (a.num_rows == 0) {
    return signs;
  }
  const Eigen::VectorXd values = eigenvalues(wide(a));
  const double threshold = tolerance * values.cwiseAbs().maxCoeff();
  for (const double value : values) {
    ++(std::abs(value) <= threshold ? signs.zero : value > 0 ? signs.positive : signs.negative);
  }
  return signs;
}

#define FROND_INSTANTIATE(S)                                                           \
  template class DenseOracle<S>;                                                       \
  template DenseOracle<S> multiply_out<S>(const Factors<S>&);                          \
  template DenseMatrix<S> permuted_matrix<S>(const Factors<S>&, const MatrixView<S>&); \
  template EigenvalueSigns eigenvalue_signs<S>(const DenseMatrix<S>&, double);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::test
