// SPDX-License-Identifier: BSD-3-Clause
// Turns a file name into a matrix: loads and decompresses the file, looks into archives, and reads the content.
#include <fmt/core.h>

#include <algorithm>
#include <new>
#include <utility>

#include "frond/error.hpp"
#include "matrices/files/file_text.hpp"
#include "matrices/files/matrix_file.hpp"
#include "matrices/files/members.hpp"
#include "matrices/files/npy.hpp"
#include "matrices/files/npz.hpp"
#include "matrices/files/packed.hpp"
#include "matrices/files/text_matrix.hpp"

namespace frond {
namespace {

/// Runs a reader and turns lack of memory into an error that names the file.
template <class Reader>
auto with_memory_errors(const std::string& name, const Reader& reader) {
  try {
    return reader();
  } catch (const std::bad_alloc&) {
    throw MemoryError(fmt::format("{}: not enough memory to read the file; free some, or use a machine with more", name), 0, 0);
  }
}

std::string name_of_member(const std::string& file, const std::string& member) { return file + ": " + member; }

std::string behind_matrix(const std::string& name) { return "behind the matrix in " + name; }

template <class S>
DenseMatrix<S> dense_from_npy(const NpyArray& array) {
  constexpr Count kLargest = std::numeric_limits<Index>::max();
  const std::vector<Count>& shape = array.shape();
  if (shape.empty() || shape.size() > 2 || *std::max_element(shape.begin(), shape.end()) > kLargest) {
    array.fail(fmt::format("an array of one or two dimensions is needed, each of at most {} elements", kLargest));
  }
  const Count rows = shape[0];
  const Count cols = shape.size() == 2 ? shape[1] : 1;
  DenseMatrix<S> matrix(static_cast<Index>(rows), static_cast<Index>(cols));
  for (Count k = 0; k < array.size(); ++k) {
    const Count place = array.has_fortran_order() ? k : k / cols + k % cols * rows;
    matrix.values[place] = array.value<S>(k);
  }
  return matrix;
}

AnyDense dense_from(const TextSource& source) {
  if (!is_npy(source.text)) {
    return dense_from_text(source);
  }
  const NpyArray array(source.text, source.name);
  return array.is_complex() ? AnyDense(dense_from_npy<std::complex<double>>(array)) : AnyDense(dense_from_npy<double>(array));
}

/// Reads content in memory, packed or not.
class ContentReader {
 public:
  ContentReader(std::string_view content, const std::string& name, int num_threads)
      : name_(name),
        num_threads_(num_threads),
        unpacked_(is_compressed(content) ? decompress(content, name) : FileText()),
        content_(is_compressed(content) ? view_of(unpacked_) : content) {}

  [[nodiscard]] MatrixFile matrix() {
    MatrixFile file;
    if (!is_archive(content_)) {
      file.matrix = sparse_from_text({content_, name_, num_threads_, file.notes, &file.right_sides});
      file.right_sides_name = behind_matrix(name_);
      return file;
    }
    const std::vector<std::string> names = archive_names(content_, name_);
    if (is_npz(names)) {
      const std::vector<ArchiveMember> members = archive_members(content_, name_, [](const std::string&) { return true; });
      AnyLargeTriplets any = read_npz(members, name_);
      file.matrix = std::visit(
          [&](auto& entries) -> AnyMatrix {
            return to_sparse(std::move(entries), {content_, name_, num_threads_, file.notes});
          },
          any);
      return file;
    }
    const SystemMembers system = find_system(names, name_);
    for (const ArchiveMember& member : members_of(system)) {
      const std::string name = name_of_member(name_, member.name);
      const TextSource source{view_of(member.text), name, num_threads_, file.notes,
                              system.right_sides.empty() ? &file.right_sides : nullptr};
      if (member.name == system.matrix) {
        file.matrix = sparse_from_text(source);
      } else {
        file.right_sides = dense_from(source);
      }
    }
    file.right_sides_name = system.right_sides.empty() ? behind_matrix(name_of_member(name_, system.matrix))
                                                       : name_of_member(name_, system.right_sides);
    return file;
  }

  [[nodiscard]] AnyDense dense() {
    std::vector<std::string> notes;
    if (!is_archive(content_)) {
      return dense_from({content_, name_, num_threads_, notes});
    }
    const SystemMembers system = find_system(archive_names(content_, name_), name_);
    const std::vector<ArchiveMember> members = members_of({system.matrix, {}});
    return dense_from({view_of(members.front().text), name_of_member(name_, system.matrix), num_threads_, notes});
  }

 private:
  [[nodiscard]] std::vector<ArchiveMember> members_of(const SystemMembers& system) const {
    return archive_members(content_, name_, [&system](const std::string& name) {
      return name == system.matrix || (!system.right_sides.empty() && name == system.right_sides);
    });
  }

  const std::string& name_;
  int num_threads_;
  FileText unpacked_;
  std::string_view content_;
};

// Returns take(reader) for the content of a file.
template <class Take>
auto read_file(const std::string& path, int num_threads, const Take& take) {
  const std::string name = path == kStandardInput ? "standard input" : path;
  return with_memory_errors(name, [&] {
    const FileText content = load_file(path, num_threads);
    return take(ContentReader(view_of(content), name, num_threads));
  });
}

}  // namespace

MatrixFile read_matrix_file(const std::string& path, int num_threads) {
  return read_file(path, num_threads, [](ContentReader reader) { return reader.matrix(); });
}

AnyMatrix read_matrix(const std::string& path, int num_threads) { return read_matrix_file(path, num_threads).matrix; }

AnyMatrix read_matrix_from_memory(std::string_view content, const std::string& name) {
  return with_memory_errors(name, [&] { return ContentReader(content, name, 0).matrix().matrix; });
}

AnyDense read_dense(const std::string& path, int num_threads) {
  return read_file(path, num_threads, [](ContentReader reader) { return reader.dense(); });
}

AnyDense read_dense_from_memory(std::string_view content, const std::string& name) {
  return with_memory_errors(name, [&] { return ContentReader(content, name, 0).dense(); });
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
