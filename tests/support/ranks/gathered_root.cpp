// SPDX-License-Identifier: BSD-3-Clause
// A meeting of the ranks of a grid, at which the last to arrive works for all.
#include "tests/support/ranks/gathered_root.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <utility>

#include "factorization/kernels/routine.hpp"

extern "C" {
void sgetrf_(const int* m, const int* n, float* a, const int* lda, int* exchanged, int* info);
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* exchanged, int* info);
void cgetrf_(const int* m, const int* n, std::complex<float>* a, const int* lda, int* exchanged, int* info);
void zgetrf_(const int* m, const int* n, std::complex<double>* a, const int* lda, int* exchanged, int* info);
}

namespace frond::test {
namespace {

// P A = L U in place: row k was exchanged with row exchanged[k] >= k, one after the other.
template <Scalar S>
void factorize_lu(DenseView<S> a, Index* exchanged) {
  int info = 0;  // the first pivot that is exactly zero, if any
  routine<S>(sgetrf_, dgetrf_, cgetrf_, zgetrf_)(&a.rows, &a.cols, a.data, &a.ld, exchanged, &info);
  std::for_each(exchanged, exchanged + std::min(a.rows, a.cols), [](Index& row) { --row; });
}

// A call of one rank.
template <Scalar S>
struct Call {
  RootPart<S> part;
  S* whole = nullptr;
  DenseView<S> b;
  std::function<void()> then;
};

// State that the ranks of the grid share.
template <Scalar S>
class Meeting {
 public:
  using Calls = std::vector<Call<S>>;

  Meeting(GridShape shape, Method method, RealOf<S> null_pivot)
      : method_(method), null_pivot_(null_pivot), calls_(static_cast<std::size_t>(shape.size())), parts_(calls_.size()) {}

  // When the last rank has arrived: runs work(calls), with the calls of all ranks in order, and continues all of them.
  template <class Work>
  void enter(Rank rank, Call<S> call, Work work) {
    Calls calls;
    {
      const std::lock_guard lock(mutex_);
      calls_[rank] = std::move(call);
      if (++num_entered_ < calls_.size()) {
        return;
      }
      num_entered_ = 0;
      calls = std::exchange(calls_, Calls(calls_.size()));
    }
    work(calls);
    for (const Call<S>& one : calls) {
      one.then();
    }
  }

  [[nodiscard]] std::vector<Index> exchanges(Rank rank) const {
    std::vector<Index> rows;
    const RootPart<S>& part = parts_[rank];
    for (Index row = 0; row < part.layout.rows().local_size(part.position.row) && method_ == Method::lu; ++row) {
      rows.push_back(exchanged_[part.layout.rows().global(part.position.row, row)]);
    }
    return rows;
  }

  void adopt(Rank rank, const RootPart<S>& part) {
    const std::lock_guard lock(mutex_);
    parts_[rank] = part;
    exchanged_.resize(static_cast<std::size_t>(part.layout.order()));
    std::iota(exchanged_.begin(), exchanged_.end(), 0);
  }

  void factorize(const Calls& calls) {
    for (std::size_t rank = 0; rank < calls.size(); ++rank) {
      parts_[rank] = calls[rank].part;
    }
    outcome_ = factorize();
  }

  [[nodiscard]] const RootOutcome& outcome() const { return outcome_; }

  void solve(RootFactors factors, GridOperation operation, DenseView<S> b) {
    if (operation.is_conjugated) {
      conjugate_entries(b);
    }
    if (factors != RootFactors::second) {
      solve_with(first_triangle(method_, operation.op_on_grid), b);
    }
    if (factors != RootFactors::first) {
      solve_with(second_triangle(method_, operation.op_on_grid), b);
    }
    if (operation.is_conjugated) {
      conjugate_entries(b);
    }
  }

  [[nodiscard]] Method method() const { return method_; }

 private:
  [[nodiscard]] Index order() const { return parts_.front().layout.order(); }
  [[nodiscard]] DenseView<S> view(std::vector<S>& whole) const { return {whole.data(), order(), order(), std::max(order(), 1)}; }

  [[nodiscard]] std::vector<S> gather() const {
    std::vector<S> whole(static_cast<std::size_t>(order()) * static_cast<std::size_t>(order()));
    for (const RootPart<S>& part : parts_) {
      copy_to_whole(part, whole.data());
    }
    return whole;
  }

  [[nodiscard]] RootOutcome factorize() {
    std::vector<S> whole = gather();
    const RootPart<S> factored{RootLayout(order(), std::max(order(), 1), {1, 1}), {}, whole.data()};
    RootOutcome outcome;
    if (method_ == Method::cholesky) {
      const Index failed = blas::potrf(view(whole));
      outcome = examine_pivots(method_, null_pivot_, factored, failed < 0 ? order() : failed);
      if (failed >= 0) {
        outcome += not_positive_definite_at(failed);
      }
    } else {
      exchanged_.resize(static_cast<std::size_t>(order()));
      factorize_lu(view(whole), exchanged_.data());
      outcome = examine_pivots(method_, null_pivot_, factored, order());
      for (Index k = 0; k < order(); ++k) {
        if (exchanged_[k] != k) {
          outcome.determinant.negate();
        }
      }
    }
    for (const RootPart<S>& part : parts_) {
      copy_from_whole(whole.data(), part);
    }
    return outcome;
  }

  void solve_with(const RootTriangle& factor, DenseView<S> b) {
    for (Index k = 0; k < order() && factor.exchanges_before; ++k) {
      exchange_rows(k, b);
    }
    std::vector<S> whole = gather();
    blas::trsm<S>(blas::Side::left, factor.triangle, factor.op, factor.diagonal, view(whole), b);
    for (Index k = order() - 1; k >= 0 && factor.exchanges_after; --k) {
      exchange_rows(k, b);
    }
  }

  void exchange_rows(Index k, DenseView<S> b) const {
    const Index other = exchanged_[k];
    if (other != k) {
      blas::swap(b.cols, &b(k, 0), b.ld, &b(other, 0), b.ld);
    }
  }

  Method method_;
  RealOf<S> null_pivot_;
  std::mutex mutex_;  // of calls and adopted parts
  Calls calls_;       // of the ranks that have arrived
  std::size_t num_entered_ = 0;
  RootOutcome outcome_;
  std::vector<RootPart<S>> parts_;  // of the ranks, in order
  std::vector<Index> exchanged_;    // LU: [k] = row of B that was exchanged with row k
};

template <Scalar S>
class GatheredRoot final : public RootSolver<S> {
 public:
  GatheredRoot(std::shared_ptr<Meeting<S>> meeting, Rank rank) : meeting_(std::move(meeting)), rank_(rank) {}

  void factorize(const RootPart<S>& part, std::function<void(const RootOutcome&)> then) override {
    meeting_->enter(rank_, {part, nullptr, {}, [this, then = std::move(then)] { then(meeting_->outcome()); }},
                    [this](const auto& calls) { meeting_->factorize(calls); });
  }
  void gather(const RootPart<S>& part, S* whole, std::function<void()> then) override {
    meeting_->enter(rank_, {part, whole, {}, std::move(then)}, [](const auto& calls) {
      for (const Call<S>& one : calls) {
        copy_to_whole(one.part, calls.front().whole);
      }
    });
  }
  void abandon() override {}  // no rank waits inside a call
  [[nodiscard]] std::vector<Index> exchanges() const override { return meeting_->exchanges(rank_); }
  void adopt(const RootPart<S>& part) override { meeting_->adopt(rank_, part); }
  void solve(RootFactors factors, Operation operation, DenseView<S> b, std::function<void()> then) override {
    meeting_->enter(rank_, {{}, nullptr, b, std::move(then)}, [this, factors, operation](const auto& calls) {
      meeting_->solve(factors, grid_operation(meeting_->method(), operation), calls.front().b);
    });
  }

 private:
  std::shared_ptr<Meeting<S>> meeting_;
  Rank rank_;
};

}  // namespace

template <Scalar S>
std::vector<std::unique_ptr<RootSolver<S>>> make_gathered_roots(GridShape shape, Method method, RealOf<S> null_pivot) {
  const auto meeting = std::make_shared<Meeting<S>>(shape, method, null_pivot);
  std::vector<std::unique_ptr<RootSolver<S>>> roots;
  roots.reserve(static_cast<std::size_t>(shape.size()));
  for (Rank rank = 0; rank < shape.size(); ++rank) {
    roots.push_back(std::make_unique<GatheredRoot<S>>(meeting, rank));
  }
  return roots;
}

#define FROND_INSTANTIATE(S) \
  template std::vector<std::unique_ptr<RootSolver<S>>> make_gathered_roots<S>(GridShape, Method, RealOf<S>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::test
