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
  /// Null if the array was never given.
  template <class T>
  [[nodiscard]] T* find(const Structure<S>& structure, Member member) {
    void*& last = last_[static_cast<std::size_t>(member)];
    if (T* given = structure.template pointer<T>(member); given != nullptr) {
      last = given;
    }
    return static_cast<T*>(last);
  }
  /// Throws Failure with the array's number.
  template <class T>
  [[nodiscard]] T* require(const Structure<S>& structure, Member member, Pointer number) {
    T* array = find<T>(structure, member);
    if (array == nullptr) {
      throw Failure(number);
    }
    return array;
  }

 private:
  std::array<void*, static_cast<std::size_t>(Member::other)> last_{};
};

}  // namespace frond::mumps
