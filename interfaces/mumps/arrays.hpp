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

  /// Null if the array was never given.
  template <class T>
  [[nodiscard]] T* find(Member member) const {
    return static_cast<T*>(last_[static_cast<std::size_t>(member)]);
  }
  /// Throws Failure with the array's number.
  template <class T>
  [[nodiscard]] T* require(Member member, Pointer number) const {
    T* array = find<T>(member);
    if (array == nullptr) {
      throw Failure(number);
    }
    return array;
  }

 private:
  std::array<void*, static_cast<std::size_t>(Member::other)> last_{};
};

}  // namespace frond::mumps
