// SPDX-License-Identifier: BSD-3-Clause
// Fills fronts and drives the kernels.
#include "tests/support/ranks/single_front.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <utility>

#include "factorization/fronts/assemble.hpp"
#include "factorization/fronts/elimination.hpp"
#include "factorization/kernels/blas_threads.hpp"
#include "factorization/kernels/cholesky.hpp"
#include "factorization/kernels/ldlt.hpp"
#include "factorization/kernels/lu.hpp"
#include "factorization/memory/factor_storage.hpp"
#include "frond/matrix.hpp"
#include "matrices/symmetry.hpp"
#include "tests/support/matrices/random_matrix.hpp"

namespace frond::test {
namespace {

template <Scalar S>
DenseMatrix<S> random_dense(Symmetry symmetry, Index order, std::mt19937& random) {
  DenseMatrix<S> matrix(order, order);
  for (Index j = 0; j < order; ++j) {
    for (Index i = 0; i < order; ++i) {
      if (symmetry == Symmetry::general || i > j) {
        matrix(i, j) = random_scalar<S>(random);
      } else if (i == j) {
        matrix(i, j) = symmetry == Symmetry::hermitian ? S(std::real(random_scalar<S>(random))) : random_scalar<S>(random);
      }
    }
  }
  for (Index j = 0; j < order && symmetry != Symmetry::general; ++j) {
    for (Index i = j + 1; i < order; ++i) {
      matrix(j, i) = mirrored(symmetry, matrix(i, j));
    }
  }
  return matrix;
}

// Returns X C X^op with small integers: exact in every precision.
template <Scalar S>
DenseMatrix<S> low_rank_dense(Symmetry symmetry, Index order, std::mt19937& random) {
  const Index rank = (order + 1) / 2;
  std::uniform_int_distribution<int> draw(-1, 1);
  DenseMatrix<S> x(order, rank);
  std::generate(x.values.begin(), x.values.end(), [&] { return S(static_cast<RealOf<S>>(draw(random))); });
  DenseMatrix<S> matrix(order, order);
  for (Index k = 0; k < rank; ++k) {
    const S sign = S(k % 2 == 0 ? RealOf<S>(1) : RealOf<S>(-1));
    x(k, k) = S(3);
    for (Index j = 0; j < order; ++j) {
      for (Index i = 0; i < order; ++i) {
        matrix(i, j) += sign * x(i, k) * mirrored(symmetry, x(j, k));
      }
    }
  }
  return matrix;
}

// Multiplies entry (i, j) by factor(i, j).
template <Scalar S, class Factor>
void scale_entries(DenseMatrix<S>& matrix, Factor factor) {
  for (Index j = 0; j < matrix.num_cols; ++j) {
    for (Index i = 0; i < matrix.num_rows; ++i) {
      matrix(i, j) *= static_cast<RealOf<S>>(factor(i, j));
    }
  }
}

template <Scalar S>
std::unique_ptr<FrontKernel<S>> make_kernel(Method method, const FrontFactor<S>& front,
                                            const PivotTolerances<RealOf<S>>& tolerances) {
  if (method == Method::cholesky) {
    return std::make_unique<CholeskyKernel<S>>(front, tolerances);
  }
  if (method == Method::lu) {
    return std::make_unique<LuKernel<S>>(front, tolerances);
  }
  return std::make_unique<LdltKernel<S>>(front, method == Method::ldlh, tolerances);
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

}  // namespace

std::string name_of(FrontKind kind) {
  constexpr const char* kNames[] = {"random",       "dominant", "zero_diagonal", "zero_block",   "saddle", "tiny_block",
                                    "tiny_columns", "graded",   "low_rank",      "zero_columns", "zero"};
  return kNames[static_cast<std::size_t>(kind)];
}

Symmetry symmetry_of(Method method) {
  switch (method) {
    case Method::ldlt:
      return Symmetry::symmetric;
    case Method::lu:
      return Symmetry::general;
    default:
      return Symmetry::hermitian;
  }
}

template <Scalar S>
DenseMatrix<S> front_matrix(FrontKind kind, Symmetry symmetry, Index order, Index num_fully_summed, std::uint64_t seed) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(seed));
  if (kind == FrontKind::low_rank) {
    return low_rank_dense<S>(symmetry, order, random);
  }
  DenseMatrix<S> matrix = random_dense<S>(symmetry, order, random);
  const auto is_summed = [=](Index i, Index j) { return std::max(i, j) < num_fully_summed; };
  const double decades = std::is_same_v<RealOf<S>, float> ? 6 : 12;
  switch (kind) {
    case FrontKind::dominant:
      for (Index i = 0; i < order; ++i) {
        matrix(i, i) = S(static_cast<RealOf<S>>(2 * order));
      }
      break;
    case FrontKind::zero_diagonal:
      scale_entries(matrix, [&](Index i, Index j) { return i == j && is_summed(i, j) ? 0 : 1; });
      break;
    case FrontKind::zero_block:
      scale_entries(matrix, [&](Index i, Index j) { return is_summed(i, j) ? 0 : 1; });
      break;
    case FrontKind::saddle:
      scale_entries(matrix, [&](Index i, Index j) { return is_summed(i, j) && 2 * std::min(i, j) >= num_fully_summed ? 0 : 1; });
      break;
    case FrontKind::tiny_block:
      scale_entries(matrix, [&](Index i, Index j) { return is_summed(i, j) ? 1e-5 : 1; });
      break;
    case FrontKind::tiny_columns:
      scale_entries(matrix, [&](Index i, Index j) { return is_summed(i, j) && (i % 3 == 0 || j % 3 == 0) ? 1e-5 : 1; });
      break;
    case FrontKind::graded:
      scale_entries(matrix, [&](Index i, Index j) { return std::pow(10.0, -decades / 2 * (i + j) / order); });
      break;
    case FrontKind::zero_columns:
      scale_entries(matrix, [&](Index i, Index j) {
        const auto is_zero = [&](Index k) { return k < num_fully_summed && k % 4 == 0; };
        return is_zero(i) || is_zero(j) ? 0 : 1;
      });
      break;
    case FrontKind::zero:
      scale_entries(matrix, [](Index, Index) { return 0; });
      break;
    default:
      break;
  }
  return matrix;
}

template <Scalar S>
PivotTolerances<RealOf<S>> default_tolerances(const DenseMatrix<S>& matrix, double pivot_threshold) {
  using R = RealOf<S>;
  R largest = 0;
  for (const S& value : matrix.values) {
    largest = std::max<R>(largest, std::abs(value));
  }
  return {static_cast<R>(pivot_threshold), 10 * std::numeric_limits<R>::epsilon() * largest};
}

template <Scalar S>
SingleFront<S>::SingleFront(Method method, DenseMatrix<S> matrix, Index num_fully_summed)
    : method_(method), matrix_(std::move(matrix)) {
  const Index m = matrix_.num_rows;
  const auto p = static_cast<std::size_t>(num_fully_summed);
  const S unused = S(std::numeric_limits<RealOf<S>>::signaling_NaN());
  factor_.order = m;
  factor_.num_fully_summed = num_fully_summed;
  factor_.layout = front_layout(m, num_fully_summed, method);
  cb_layout_ = contribution_layout(m - num_fully_summed, method);
  lower_.assign(static_cast<std::size_t>(factor_.layout.size()), unused);
  upper_.assign(method == Method::lu ? static_cast<std::size_t>(m - num_fully_summed) * p : 0, unused);
  d_.assign(2 * p, unused);
  contribution_.assign(static_cast<std::size_t>(cb_layout_.size()), unused);
  pivots_.assign(p, PivotKind::one_by_one);
  row_variables_.resize(p);
  std::iota(row_variables_.begin(), row_variables_.end(), 0);
  col_variables_ = row_variables_;
  factor_.lower = lower_.data();
  factor_.upper = method == Method::lu ? upper_.data() : nullptr;
  factor_.d = d_.data();
  factor_.pivots = method == Method::cholesky ? nullptr : pivots_.data();
  factor_.row_variables = row_variables_.data();
  factor_.col_variables = method == Method::lu ? col_variables_.data() : row_variables_.data();
  fill();
}

template <Scalar S>
void SingleFront<S>::fill() {
  const Index m = factor_.order;
  const Index p = factor_.num_fully_summed;
  const bool symmetric = is_symmetric(method_);
  for (Index j = 0; j < m; ++j) {
    for (Index i = symmetric ? j : 0; i < m; ++i) {
      const S value = symmetric ? matrix_(i, j) : matrix_(j, i);  // LU: B = A^T
      if (j < p) {
        factor_.lower[factor_.layout.column_offset(j) + i] = value;
      } else if (i < p) {
        factor_.upper[j - p + static_cast<Count>(i) * (m - p)] = value;
      } else {
        contribution_[static_cast<std::size_t>(cb_layout_.column_offset(j - p) + i - p)] = value;
      }
    }
  }
}

template <Scalar S>
void SingleFront<S>::eliminate(const PivotTolerances<RealOf<S>>& tolerances, bool is_root, TaskPool* pool) {
  const BlasThreadsGuard guard;
  const auto kernel = make_kernel<S>(method_, factor_, tolerances);
  const Index p = factor_.num_fully_summed;
  if (pool == nullptr) {
    factor_.num_eliminated = frond::eliminate(*kernel, p, is_root);
  } else {
    pool->run([&] {
      const auto submit = [pool](bool urgent, std::function<void()> job) { pool->submit(urgent ? 0 : 1, std::move(job)); };
      eliminate_by_jobs<S>(*kernel, p, is_root, submit, [this](Index count) { factor_.num_eliminated = count; });
    });
  }
  constexpr Index kChunk = 128;
  for (Index begin = 0; begin < cb_layout_.cols; begin += kChunk) {
    const Index end = std::min(begin + kChunk, cb_layout_.cols);
    kernel->finish_upper(factor_.num_eliminated, begin, end);
  }
  for (Index begin = 0; begin < cb_layout_.cols; begin += kChunk) {
    kernel->update_contribution(cb_layout_, contribution_.data(), begin, std::min(begin + kChunk, cb_layout_.cols));
  }
  counts_ = kernel->counts();
}

template <Scalar S>
DenseOracle<S> SingleFront<S>::multiply_out() const {
  std::vector<Index> cb_rows(static_cast<std::size_t>(factor_.cb_order()));
  std::iota(cb_rows.begin(), cb_rows.end(), factor_.num_fully_summed);
  DenseOracle<S> oracle(factor_.order);
  oracle.add_front(method_, factor_, cb_rows);
  oracle.add_remainder(method_, factor_, cb_rows, cb_layout_, contribution_.data());
  return oracle;
}

// Compares factors, delayed columns and contribution block, ignoring entries above the diagonal of a symmetric front.
template <Scalar S>
std::vector<S> SingleFront<S>::meaningful_entries() const {
  const bool symmetric = is_symmetric(method_);
  const bool has_unit_diagonal = symmetric && method_ != Method::cholesky;
  std::vector<S> entries = upper_;
  for (Index j = 0; j < factor_.num_fully_summed; ++j) {
    const Index first = !symmetric ? 0 : j < factor_.num_eliminated && has_unit_diagonal ? j + 1 : j;
    const S* column = factor_.lower + factor_.layout.column_offset(j);
    entries.insert(entries.end(), column + first, column + factor_.order);
  }
  for (Index j = 0; j < cb_layout_.cols; ++j) {
    const S* column = contribution_.data() + cb_layout_.column_offset(j);
    entries.insert(entries.end(), column + (symmetric ? j : 0), column + cb_layout_.order);
  }
  entries.insert(entries.end(), d_.begin(), d_.begin() + (has_unit_diagonal ? 2 * factor_.num_eliminated : 0));
  return entries;
}

template <Scalar S>
bool SingleFront<S>::equals(const SingleFront& other) const {
  const std::size_t eliminated = static_cast<std::size_t>(factor_.num_eliminated);
  return factor_.num_eliminated == other.factor_.num_eliminated && row_variables_ == other.row_variables_ &&
         col_variables_ == other.col_variables_ &&
         std::equal(pivots_.begin(), pivots_.begin() + static_cast<std::ptrdiff_t>(eliminated), other.pivots_.begin()) &&
         same_bits(meaningful_entries(), other.meaningful_entries());
}

#define FROND_INSTANTIATE(S)                                                                 \
  template DenseMatrix<S> front_matrix<S>(FrontKind, Symmetry, Index, Index, std::uint64_t); \
  template class SingleFront<S>;
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE
template PivotTolerances<float> default_tolerances<float>(const DenseMatrix<float>&, double);
template PivotTolerances<double> default_tolerances<double>(const DenseMatrix<double>&, double);
template PivotTolerances<float> default_tolerances<std::complex<float>>(const DenseMatrix<std::complex<float>>&, double);
template PivotTolerances<double> default_tolerances<std::complex<double>>(const DenseMatrix<std::complex<double>>&, double);

}  // namespace frond::test
