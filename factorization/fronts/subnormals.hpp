// SPDX-License-Identifier: BSD-3-Clause
// Sets how the processor treats subnormal numbers, which are too small to have all their digits.
#pragma once

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace frond {

/// Sets for one thread, during its lifetime, how subnormal numbers (below 1e-38 in single precision) are treated. Does nothing on
/// processors other than x86, and leaves the rest of the floating-point state alone.
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

/// Treats subnormals as zero and produces none, if `wanted`; otherwise changes nothing. Processors take a hundred times as long for
/// them, and factors of large meshes in single precision are full of them, since the inverse decays with the distance. Only for
/// scaled numbers, where subnormals are not even rounding errors.
class SubnormalsFlushed : SubnormalsScope {
 public:
  explicit SubnormalsFlushed(bool wanted) : SubnormalsScope(wanted ? Mode::flushed : Mode::as_before) {}
};

/// Keeps subnormals as numbers: for entries that are not scaled yet, and for calls of others' code in the middle of a
/// factorization.
class SubnormalsKept : SubnormalsScope {
 public:
  SubnormalsKept() : SubnormalsScope(Mode::kept) {}
};

}  // namespace frond
