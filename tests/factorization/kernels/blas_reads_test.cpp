// SPDX-License-Identifier: BSD-3-Clause
// Tests products and solves with vectors that are followed by unreadable memory.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <system_error>
#include <vector>

#include "factorization/kernels/blas.hpp"
#include "tests/support/matrices/scalars.hpp"

namespace frond {
namespace {

using blas::Op;

// Numbers at the end of a page, followed by an unreadable one.
template <class S>
class AtTheEnd {
 public:
  explicit AtTheEnd(const std::vector<S>& values) {
    memory_ = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED || mprotect(static_cast<char*>(memory_) + kBytes / 2, kBytes / 2, PROT_NONE) != 0) {
      throw std::system_error(errno, std::generic_category(), "mmap");
    }
    data_ = reinterpret_cast<S*>(static_cast<char*>(memory_) + kBytes / 2) - values.size();
    std::copy(values.begin(), values.end(), data_);
  }
  ~AtTheEnd() { munmap(memory_, kBytes); }
  AtTheEnd(const AtTheEnd&) = delete;
  AtTheEnd& operator=(const AtTheEnd&) = delete;

  [[nodiscard]] S* data() const { return data_; }

 private:
  static constexpr std::size_t kBytes = std::size_t{1} << 17U;

  void* memory_;
  S* data_;
};

template <class S>
class BlasReads : public ::testing::Test {};
TYPED_TEST_SUITE(BlasReads, test::Scalars);

std::size_t place(Count row, Count stride, Count col = 0) { return static_cast<std::size_t>(row * stride + col); }

template <class S>
std::vector<S> integers(std::size_t count, std::mt19937& random) {
  std::vector<S> values(count);
  std::generate(values.begin(), values.end(), [&] { return S(static_cast<RealOf<S>>(random() % 9) - 4); });
  return values;
}

TYPED_TEST(BlasReads, NothingBehindMatricesAndVectors) {
  using S = TypeParam;
  std::mt19937 random(31);
  for (Index rows = 1; rows <= 11; ++rows) {
    for (Index cols = 1; cols <= 11; ++cols) {
      for (const Op op : {Op::none, Op::transpose}) {
        for (const Index stride : {1, 3}) {
          const Index num_x = op == Op::none ? cols : rows;
          const Index num_y = op == Op::none ? rows : cols;
          const auto length = [&](Index count) { return place(count - 1, stride, 1); };
          const std::vector<S> a = integers<S>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols), random);
          const std::vector<S> x = integers<S>(length(num_x), random);
          const std::vector<S> y = integers<S>(length(num_y), random);
          std::vector<S> expected = y;
          for (Index i = 0; i < num_y; ++i) {
            for (Index j = 0; j < num_x; ++j) {
              const S entry = a[op == Op::none ? place(j, rows, i) : place(i, rows, j)];
              expected[place(i, stride)] -= entry * x[place(j, stride)];
            }
          }
          const AtTheEnd<S> a_at_the_end(a);
          const AtTheEnd<S> x_at_the_end(x);
          const AtTheEnd<S> y_at_the_end(y);
          blas::gemv<S>(op, S(-1), {a_at_the_end.data(), rows, cols, rows}, x_at_the_end.data(), stride, y_at_the_end.data(),
                        stride);
          EXPECT_EQ(std::vector<S>(y_at_the_end.data(), y_at_the_end.data() + y.size()), expected)
              << rows << " by " << cols << ", stride " << stride;
        }
      }
    }
  }
}

// Calls routine(a, b) for matrices of the same order, both followed by readable memory and followed by unreadable memory.
template <class S, class Routine>
void compare(const std::vector<S>& a, const std::vector<S>& b, Index order, Index num_rhs, const char* name,
             const Routine& routine) {
  const auto spare = place(order, 2, 64);
  const auto with_spare = [&](std::vector<S> values) {
    values.resize(values.size() + spare);
    return values;
  };
  std::vector<S> a_before = with_spare(a);
  std::vector<S> b_before = with_spare(b);
  routine(DenseView<S>{a_before.data(), order, order, order}, DenseView<S>{b_before.data(), num_rhs, order, num_rhs});
  const AtTheEnd<S> a_at_the_end(a);
  const AtTheEnd<S> b_at_the_end(b);
  routine(DenseView<S>{a_at_the_end.data(), order, order, order}, DenseView<S>{b_at_the_end.data(), num_rhs, order, num_rhs});
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_LE(std::abs(a_at_the_end.data()[k] - a_before[k]), 1e-3F * std::abs(a_before[k])) << name << " of order " << order;
  }
  for (std::size_t k = 0; k < b.size(); ++k) {
    EXPECT_LE(std::abs(b_at_the_end.data()[k] - b_before[k]), 1e-3F * std::abs(b_before[k])) << name << " of order " << order;
  }
}

TYPED_TEST(BlasReads, NothingBehindWhatIsFactorizedAndSolvedWith) {
  using S = TypeParam;
  using blas::Diagonal;
  using blas::Triangle;
  std::mt19937 random(32);
  for (const Index order : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 34, 62}) {
    std::vector<S> a = integers<S>(static_cast<std::size_t>(order) * static_cast<std::size_t>(order), random);
    for (Index i = 0; i < order; ++i) {
      a[place(i, order, i)] = S(static_cast<RealOf<S>>(16 * order));
    }
    const std::vector<S> b = integers<S>(static_cast<std::size_t>(order), random);
    compare<S>(a, b, order, 1, "potrf", [](DenseView<S> matrix, DenseView<S>) { EXPECT_EQ(blas::potrf<S>(matrix), -1); });
    for (const Triangle triangle : {Triangle::lower, Triangle::upper}) {
      for (const Op op : {Op::none, Op::transpose}) {
        compare<S>(a, b, order, 1, "trsv", [&](DenseView<S> matrix, DenseView<S> x) {
          blas::trsv<S>(triangle, op, Diagonal::stored, matrix, x.data, x.ld);
        });
        const std::vector<S> rows = integers<S>(3 * static_cast<std::size_t>(order), random);
        compare<S>(a, rows, order, 3, "trsm", [&](DenseView<S> matrix, DenseView<S> x) {
          blas::trsm<S>(blas::Side::right, triangle, op, Diagonal::stored, matrix, x);
        });
      }
    }
  }
}

}  // namespace
}  // namespace frond
