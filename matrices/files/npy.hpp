// SPDX-License-Identifier: BSD-3-Clause
// Reads NumPy arrays from files (NumPy Enhancement Proposal 1, "A simple file format for NumPy arrays").
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "frond/error.hpp"
#include "frond/types.hpp"

namespace frond {

/// A view of an array: its elements stay in the content of the file.
class NpyArray {
 public:
  /// Parses the content of a whole file, which must outlive the array. Throws an InputError that names `file`.
  NpyArray(std::string_view content, const std::string& file);

  [[nodiscard]] const std::vector<Count>& shape() const { return shape_; }
  [[nodiscard]] Count size() const { return size_; }
  [[nodiscard]] bool has_fortran_order() const { return has_fortran_order_; }
  [[nodiscard]] bool is_complex() const { return kind_ == 'c'; }

  /// Returns element k in the order of the file. Throws an InputError if the elements are not integers.
  [[nodiscard]] Count integer(Count k) const;
  /// Throws an InputError if the elements are not numbers, are complex although S is real, or if this one is not finite.
  template <class S>
  [[nodiscard]] S value(Count k) const;
  /// Returns the characters of a text array with one element.
  [[nodiscard]] std::string text() const;

  [[noreturn]] void fail(const std::string& cause) const { throw InputError(file_, 0, cause); }

 private:
  void parse_type(std::string_view type);
  void parse_shape(std::string_view shape);
  template <class T>
  [[nodiscard]] T number(std::size_t byte) const;
  [[nodiscard]] double real(std::size_t byte, std::size_t width) const;

  std::string file_;
  char kind_ = 'f';
  std::size_t width_ = 0;  // bytes of an element
  bool is_swapped_ = false;
  bool has_fortran_order_ = false;
  std::vector<Count> shape_;
  Count size_ = 1;
  std::string_view data_;
};

/// True if a file holds a NumPy array.
[[nodiscard]] bool is_npy(std::string_view content);

}  // namespace frond
