// SPDX-License-Identifier: BSD-3-Clause
// From a file name to a matrix: load, decompress, find the format, read the entries, compress them to columns.
#include "frond/files.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <new>
#include <system_error>
#include <utility>

#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "matrices/file_format.hpp"
#include "matrices/gzip.hpp"
#include "matrices/harwell_boeing.hpp"
#include "matrices/matrix_market.hpp"
#include "matrices/scanner.hpp"
#include "matrices/symmetry.hpp"

namespace frond {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
};

[[noreturn]] void fail_system(const std::string& path, const char* what) {
  throw InputError(path, 0, fmt::format("{}: {}", what, std::generic_category().message(errno)));
}

/// The whole content of a file, as it is; pipes work too.
std::string load(const std::string& path) {
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) {
    fail_system(path, "the file cannot be opened");
  }
  std::string content;
  std::error_code has_no_size;  // a pipe
  const std::uintmax_t size_hint = std::filesystem::file_size(path, has_no_size);
  if (!has_no_size) {
    content.reserve(static_cast<std::size_t>(size_hint) + kChunk);
  }
  for (std::size_t num_read = kChunk; num_read > 0;) {
    const std::size_t size = content.size();
    content.resize(std::max(size + kChunk, content.capacity()));
    num_read = std::fread(content.data() + size, 1, content.size() - size, file.get());
    content.resize(size + num_read);
  }
  if (std::ferror(file.get()) != 0) {
    fail_system(path, "the file cannot be read");
  }
  return content;
}

/// Runs a reader and turns lack of memory into an error that names the file.
template <class Reader>
auto with_memory_errors(const std::string& name, const Reader& reader) {
  try {
    return reader();
  } catch (const std::bad_alloc&) {
    throw MemoryError(fmt::format("{}: not enough memory to read the file; free some, or use a machine with more", name), 0, 0);
  }
}

AnyTriplets read_triplets(std::string_view text, const std::string& name) {
  const FileFormat format = detect_format(text, name);
  Scanner scanner(text, name);
  return format == FileFormat::matrix_market ? read_matrix_market(scanner) : read_harwell_boeing(scanner);
}

AnyTriplets read_triplets_from_content(std::string_view content, const std::string& name) {
  return is_gzip(content) ? read_triplets(gunzip(content, name), name) : read_triplets(content, name);
}

/// What is allocated for dimensions alone stays in proportion to what was read: a header is not to be trusted.
void check_size(Count num_needed, Count num_entries, const char* what, const std::string& name) {
  constexpr Count kAlwaysAllowed = Count{1} << 20;
  constexpr Count kPerEntry = 1024;
  if (num_needed > kAlwaysAllowed + kPerEntry * num_entries) {
    throw InputError(name, 0,
                     fmt::format("the header promises {} {}, but the file has only {} entries; correct the size line", num_needed,
                                 what, num_entries));
  }
}

template <class S>
void check_finite(const std::vector<S>& values, const std::string& name) {
  const bool all_finite = std::all_of(values.begin(), values.end(), [](const S& value) {
    return std::isfinite(std::real(value)) && std::isfinite(std::imag(value));
  });
  if (!all_finite) {
    throw InputError(name, 0, "entries of the same position add up to more than the largest double, 1.797e308; scale the matrix");
  }
}

template <class S>
AnyMatrix to_sparse(Triplets<S> triplets, const std::string& name) {
  const Count num_entries = triplets.num_entries();
  check_size(triplets.num_rows, num_entries, "rows", name);
  check_size(triplets.num_cols, num_entries, "columns", name);
  SparseMatrix<S> matrix = compress(std::move(triplets));
  if (matrix.num_entries() < num_entries) {
    check_finite(matrix.values, name);
  }
  return matrix;
}

template <class S>
AnyDense to_dense(const Triplets<S>& triplets, const std::string& name) {
  check_size(Count{triplets.num_rows} * triplets.num_cols, triplets.num_entries(), "dense entries", name);
  DenseMatrix<S> matrix(triplets.num_rows, triplets.num_cols);
  for (std::size_t k = 0; k < triplets.rows.size(); ++k) {
    const Index i = triplets.rows[k];
    const Index j = triplets.cols[k];
    matrix(i, j) += triplets.values[k];
    if (triplets.symmetry != Symmetry::general && i != j) {
      matrix(j, i) += mirrored(triplets.symmetry, triplets.values[k]);
    }
  }
  check_finite(matrix.values, name);
  return matrix;
}

AnyMatrix sparse_from(std::string_view content, const std::string& name) {
  AnyTriplets any = read_triplets_from_content(content, name);
  return std::visit([&](auto& triplets) { return to_sparse(std::move(triplets), name); }, any);
}

AnyDense dense_from(std::string_view content, const std::string& name) {
  return std::visit([&](const auto& triplets) { return to_dense(triplets, name); }, read_triplets_from_content(content, name));
}

}  // namespace

AnyMatrix read_matrix_from_memory(std::string_view content, const std::string& name) {
  return with_memory_errors(name, [&] { return sparse_from(content, name); });
}

AnyDense read_dense_from_memory(std::string_view content, const std::string& name) {
  return with_memory_errors(name, [&] { return dense_from(content, name); });
}

AnyMatrix read_matrix(const std::string& path) {
  return with_memory_errors(path, [&] { return sparse_from(load(path), path); });
}

AnyDense read_dense(const std::string& path) {
  return with_memory_errors(path, [&] { return dense_from(load(path), path); });
}

void require_square(const AnyMatrix& matrix, const std::string& file) {
  std::visit(
      [&](const auto& sparse) {
        if (sparse.num_rows != sparse.num_cols) {
          throw InputError(
              file, 0,
              fmt::format("the matrix is {} by {}; only square systems can be factorized", sparse.num_rows, sparse.num_cols));
        }
      },
      matrix);
}

}  // namespace frond
