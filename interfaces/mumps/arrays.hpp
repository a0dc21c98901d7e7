// SPDX-License-Identifier: BSD-3-Clause
// A caller's arrays, whose pointers are read anew at each call.
#pragma once

#include <array>
#include <cstddef>

#include "interfaces/mumps/failure.hpp"
#include "interfaces/mumps/structure.hpp"

namespace frond::mumps {

/// A null pointer stands for the one that was there at an earlier call.
template <Scalar S>
class Arrays {
 public:
  /// Reads all pointers; at each call, whether its job needs them or not.
  void take(const Structure<S>& structure) {
    for (const MemberRow& row : kMembers) {
      if (row.kind == Kind::pointer && row.member != Member::other) {
        if (void* given = structure.template pointer<void>(row.member); given != nullptr) {
          last_[static_cast<std::size_t>(row.member)] = given;
        }
      }
    }
  }

  /// Throws Failure with the array's number if it was never given.
  template <class T>
  [[nodiscard]] T* require(Member member, Pointer number) const {
    void* const array = last_[static_cast<std::size_t>(member)];
    if (array == nullptr) {
      throw Failure(number);
    }
    return static_cast<T*>(array);
  }

 private:
  std::array<void*, static_cast<std::size_t>(Member::other)> last_{};
};

}  // namespace frond::mumps
