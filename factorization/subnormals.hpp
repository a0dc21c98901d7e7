// SPDX-License-Identifier: BSD-3-Clause
// Numbers that are too small to have all their digits.
#pragma once

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace frond {

/// While one with `wanted` lives, this thread takes numbers below the smallest normal one (1e-38 in single precision) as zero and
/// makes none. Processors work with them a hundred times as long, and in single precision factors of large meshes are full of them:
/// the inverse decays with the distance. Only for numbers that were scaled, of which these are not even rounding errors. Does
/// nothing on processors other than x86.
class SubnormalsFlushed {
 public:
#ifdef __SSE2__
  explicit SubnormalsFlushed(bool wanted) : earlier_(_mm_getcsr()) {
    if (wanted) {
      _mm_setcsr(earlier_ | kFlushToZero | kSubnormalsAreZero);
    }
  }
  ~SubnormalsFlushed() { _mm_setcsr(earlier_); }
#else
  explicit SubnormalsFlushed(bool /*wanted*/) {}
#endif
  SubnormalsFlushed(const SubnormalsFlushed&) = delete;
  SubnormalsFlushed& operator=(const SubnormalsFlushed&) = delete;

#ifdef __SSE2__
 private:
  static constexpr unsigned kFlushToZero = 0x8000;
  static constexpr unsigned kSubnormalsAreZero = 0x0040;

  unsigned earlier_;
#endif
};

}  // namespace frond
