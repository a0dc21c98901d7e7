// SPDX-License-Identifier: BSD-3-Clause
// Reads the arrays of each of SciPy's sparse formats.
#include "matrices/files/npz.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <complex>
#include <limits>

#include "frond/error.hpp"
#include "matrices/files/npy.hpp"
#include "matrices/files/scanner.hpp"

namespace frond {
namespace {

constexpr std::string_view kSuffix = ".npy";

class NpzFile {
 public:
  NpzFile(const std::vector<ArchiveMember>& members, const std::string& file) : members_(members), file_(file) {}

  [[nodiscard]] NpyArray array(const std::string& name) const {
    const auto found =
        std::find_if(members_.begin(), members_.end(), [&name](const ArchiveMember& one) { return one.name == name + ".npy"; });
    if (found == members_.end()) {
      throw InputError(file_, 0,
                       fmt::format("it has no array {}, which a sparse matrix of SciPy has; write it by "
                                   "scipy.sparse.save_npz(FILE, A)",
                                   in_quotes(name)));
    }
    return {view_of(found->text), file_ + ": " + found->name};
  }
  [[nodiscard]] const std::string& name() const { return file_; }

 private:
  const std::vector<ArchiveMember>& members_;
  const std::string& file_;
};

/// Collects entries and checks that each lies within the matrix.
template <class S>
class EntryList {
 public:
  explicit EntryList(const NpzFile& file) {
    const NpyArray shape = file.array("shape");
    if (shape.size() != 2) {
      shape.fail(fmt::format("a matrix has two dimensions, this has {}", shape.size()));
    }
    entries_.num_rows = extent(shape, 0);
    entries_.num_cols = extent(shape, 1);
  }

  [[nodiscard]] Index num_rows() const { return entries_.num_rows; }
  [[nodiscard]] Index num_cols() const { return entries_.num_cols; }

  // `place` is the array that the position comes from.
  void add(const NpyArray& place, Count row, Count col, S value) {
    if (row < 0 || row >= entries_.num_rows || col < 0 || col >= entries_.num_cols) {
      place.fail(fmt::format("an entry at ({}, {}), counted from 0, lies outside the {} by {} matrix", row, col, entries_.num_rows,
                             entries_.num_cols));
    }
    entries_.rows.push_back(static_cast<Index>(row));
    entries_.cols.push_back(static_cast<Index>(col));
    entries_.values.push_back(value);
  }

  LargeTriplets<S> take() { return std::move(entries_); }

 private:
  static Index extent(const NpyArray& shape, Count k) {
    const Count value = shape.integer(k);
    if (value < 0 || value > std::numeric_limits<Index>::max()) {
      shape.fail(fmt::format("the dimension {} is beyond 0 .. {}", value, std::numeric_limits<Index>::max()));
    }
    return static_cast<Index>(value);
  }

  LargeTriplets<S> entries_;
};

// Returns where each line of a compressed matrix begins: the offsets must rise from 0 to `num_indices`.
std::vector<Count> offsets_of(const NpyArray& array, Count num_lines, Count num_indices) {
  std::vector<Count> offsets;
  for (Count k = 0; k < array.size(); ++k) {
    offsets.push_back(array.integer(k));
  }
  if (array.size() != num_lines + 1 || offsets.front() != 0 || offsets.back() > num_indices ||
      !std::is_sorted(offsets.begin(), offsets.end())) {
    array.fail(fmt::format("these are no offsets of {} rows or columns with {} indices", num_lines, num_indices));
  }
  return offsets;
}

template <class S>
void add_compressed(const NpzFile& file, bool has_rows, EntryList<S>& entries) {
  const NpyArray indices = file.array("indices");
  const NpyArray data = file.array("data");
  const Count num_lines = has_rows ? entries.num_rows() : entries.num_cols();
  const std::vector<Count> offsets = offsets_of(file.array("indptr"), num_lines, std::min(indices.size(), data.size()));
  for (Count line = 0; line < num_lines; ++line) {
    for (Count k = offsets[line]; k < offsets[static_cast<std::size_t>(line) + 1]; ++k) {
      const Count other = indices.integer(k);
      entries.add(indices, has_rows ? line : other, has_rows ? other : line, data.value<S>(k));
    }
  }
}

template <class S>
void add_coordinates(const NpzFile& file, EntryList<S>& entries) {
  const NpyArray rows = file.array("row");
  const NpyArray cols = file.array("col");
  const NpyArray data = file.array("data");
  if (rows.size() != data.size() || cols.size() != data.size()) {
    data.fail(fmt::format("there are {} rows, {} columns and {} values", rows.size(), cols.size(), data.size()));
  }
  for (Count k = 0; k < data.size(); ++k) {
    entries.add(rows, rows.integer(k), cols.integer(k), data.value<S>(k));
  }
}

// Adds blocks of R rows and C columns, each stored row by row.
template <class S>
void add_blocks(const NpzFile& file, EntryList<S>& entries) {
  const NpyArray indices = file.array("indices");
  const NpyArray data = file.array("data");
  const bool is_right = data.shape().size() == 3 && data.shape()[0] >= indices.size() && data.shape()[1] > 0 && data.shape()[2] > 0;
  if (!is_right || data.has_fortran_order()) {
    data.fail("the values of block rows are to be of the shape (blocks, rows, columns), row by row");
  }
  const Count height = data.shape()[1];
  const Count width = data.shape()[2];
  const Count num_lines = entries.num_rows() / height;
  const std::vector<Count> offsets = offsets_of(file.array("indptr"), num_lines, indices.size());
  for (Count line = 0; line < num_lines; ++line) {
    for (Count k = offsets[line]; k < offsets[static_cast<std::size_t>(line) + 1]; ++k) {
      const Count col = indices.integer(k);
      if (col < 0 || col > entries.num_cols()) {
        indices.fail(fmt::format("there is no block column {}", col));
      }
      for (Count entry = 0; entry < height * width; ++entry) {
        entries.add(indices, line * height + entry / width, col * width + entry % width, data.value<S>(k * height * width + entry));
      }
    }
  }
}

// data[d, j] is the entry (j - offsets[d], j).
template <class S>
void add_diagonals(const NpzFile& file, EntryList<S>& entries) {
  const NpyArray offsets = file.array("offsets");
  const NpyArray data = file.array("data");
  if (data.shape().size() != 2 || data.shape()[0] != offsets.size() || data.has_fortran_order()) {
    data.fail("the values of diagonals are to be of the shape (diagonals, columns), row by row");
  }
  const Count length = data.shape()[1];
  for (Count d = 0; d < offsets.size(); ++d) {
    for (Count j = 0; j < std::min<Count>(length, entries.num_cols()); ++j) {
      const Count row = j - std::clamp<Count>(offsets.integer(d), -entries.num_rows() - Count{1}, Count{entries.num_cols()} + 1);
      const S value = data.value<S>(d * length + j);
      if (row >= 0 && row < entries.num_rows() && value != S(0)) {
        entries.add(offsets, row, j, value);
      }
    }
  }
}

template <class S>
LargeTriplets<S> read_entries(const NpzFile& file, const std::string& format) {
  EntryList<S> entries(file);
  if (format == "csr" || format == "csc") {
    add_compressed(file, format == "csr", entries);
  } else if (format == "coo") {
    add_coordinates(file, entries);
  } else if (format == "bsr") {
    add_blocks(file, entries);
  } else if (format == "dia") {
    add_diagonals(file, entries);
  } else {
    throw InputError(file.name(), 0,
                     fmt::format("it holds a sparse matrix in the format {}; write it by "
                                 "scipy.sparse.save_npz(FILE, A.tocsc())",
                                 in_quotes(format)));
  }
  return entries.take();
}

}  // namespace

bool is_npz(const std::vector<std::string>& names) {
  return !names.empty() && std::all_of(names.begin(), names.end(), [](const std::string& name) { return name.ends_with(kSuffix); });
}

AnyLargeTriplets read_npz(const std::vector<ArchiveMember>& members, const std::string& name) {
  const NpzFile file(members, name);
  const std::string format = file.array("format").text();
  if (file.array("data").is_complex()) {
    return read_entries<std::complex<double>>(file, format);
  }
  return read_entries<double>(file, format);
}

}  // namespace frond
