// SPDX-License-Identifier: BSD-3-Clause
// Numbers that are too small to have all their digits.
#pragma once

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace frond {

/// Says for one thread, while it lives, what becomes of subnormal numbers (below 1e-38 in single precision). Does nothing on
/// processors other than x86, and touches nothing else of the state of floating-point arithmetic.
class SubnormalsScope {
 public:
  SubnormalsScope(const SubnormalsScope&) = delete;
  SubnormalsScope& operator=(const SubnormalsScope&) = delete;

 protected:
  enum class Mode { as_before, kept, flushed };

#ifdef __SSE2__
  explicit SubnormalsScope(Mode mode) {
    if (mode != Mode::as_before) {
      changed_ = (_mm_getcsr() & kBits) ^ (mode == Mode::flushed ? kBits : 0U);
      exchange();
    }
  }
  ~SubnormalsScope() { exchange(); }

 private:
  static constexpr unsigned kBits = 0x8000U | 0x0040U;  // results flushed to zero, operands taken as zero

  void exchange() const {
    if (changed_ != 0) {
      _mm_setcsr(_mm_getcsr() ^ changed_);
    }
  }

  unsigned changed_ = 0;
#else
  explicit SubnormalsScope(Mode /*mode*/) {}
  ~SubnormalsScope() = default;
#endif
};

/// Subnormals are taken as zero and none are made, if that is wanted; otherwise all stays as it was. Processors work with them a
/// hundred times as long, and in single precision factors of large meshes are full of them: the inverse decays with the distance.
/// Only for numbers that were scaled, of which these are not even rounding errors.
class SubnormalsFlushed : SubnormalsScope {
 public:
  explicit SubnormalsFlushed(bool wanted) : SubnormalsScope(wanted ? Mode::flushed : Mode::as_before) {}
};

/// Subnormals are numbers: for what is not scaled yet, and for what others do in the middle of a factorization.
class SubnormalsKept : SubnormalsScope {
 public:
  SubnormalsKept() : SubnormalsScope(Mode::kept) {}
};

}  // namespace frond
