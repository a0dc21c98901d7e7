// SPDX-License-Identifier: BSD-3-Clause
// Writes Matrix Market files through a buffer and checks every flush.
#include "frond/files.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <system_error>
#include <utility>

#include "frond/error.hpp"
#include "matrices/symmetry.hpp"

namespace frond {

namespace {

/// A text file written in large pieces. close() must be called: a destructor cannot report that the disk is full.
class TextFile {
 public:
  explicit TextFile(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
    if (file_ == nullptr) {
      fail("the file cannot be created");
    }
  }
  ~TextFile() {
    if (file_ != nullptr) {
      static_cast<void>(std::fclose(file_));
    }
  }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    constexpr std::size_t kFlushAt = std::size_t{1} << 20;
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    if (buffer_.size() >= kFlushAt) {
      flush();
    }
  }

  void close() {
    flush();
    std::FILE* const file = file_;
    file_ = nullptr;
    if (std::fclose(file) != 0) {
      fail("the file cannot be written to its end");
    }
  }

 private:
  void flush() {
    if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size()) {
      fail("the file cannot be written to its end");
    }
    buffer_.clear();
  }
  [[noreturn]] void fail(const char* what) const {
    throw OutputError(fmt::format("{}: {}: {}", path_, what, std::generic_category().message(errno)));
  }

  std::string path_;
  std::FILE* file_;
  fmt::memory_buffer buffer_;
};

template <class S>
const char* field_name() {
  return kIsComplex<S> ? "complex" : "real";
}

void print_value(TextFile& file, double value) { file.print("{}\n", value); }
void print_value(TextFile& file, std::complex<double> value) { file.print("{} {}\n", value.real(), value.imag()); }

template <class S>
void print_matrix(TextFile& file, const SparseMatrix<S>& matrix) {
  // A real Hermitian matrix is symmetric, and the format allows hermitian only for complex matrices.
  const bool is_real_hermitian = !kIsComplex<S> && matrix.symmetry == Symmetry::hermitian;
  file.print("%%MatrixMarket matrix coordinate {} {}\n{} {} {}\n", field_name<S>(),
             to_string(is_real_hermitian ? Symmetry::symmetric : matrix.symmetry), matrix.num_rows, matrix.num_cols,
             matrix.num_entries());
  for (Index j = 0; j < matrix.num_cols; ++j) {
    const auto begin = static_cast<std::size_t>(matrix.column_offsets[j]);
    const auto end = static_cast<std::size_t>(matrix.column_offsets[static_cast<std::size_t>(j) + 1]);
    for (std::size_t k = begin; k < end; ++k) {
      file.print("{} {} ", matrix.row_indices[k] + Count{1}, j + Count{1});
      print_value(file, matrix.values[k]);
    }
  }
}

template <class S>
void print_matrix(TextFile& file, const DenseMatrix<S>& matrix) {
  file.print("%%MatrixMarket matrix array {} general\n{} {}\n", field_name<S>(), matrix.num_rows, matrix.num_cols);
  for (const S& value : matrix.values) {
    print_value(file, value);
  }
}

template <class Matrix>
void write_any(const std::string& path, const Matrix& matrix) {
  TextFile file(path);
  std::visit([&](const auto& concrete) { print_matrix(file, concrete); }, matrix);
  file.close();
}

}  // namespace

void write_matrix(const std::string& path, const AnyMatrix& matrix) { write_any(path, matrix); }

void write_dense(const std::string& path, const AnyDense& matrix) { write_any(path, matrix); }

}  // namespace frond
