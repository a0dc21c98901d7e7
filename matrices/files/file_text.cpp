// SPDX-License-Identifier: BSD-3-Clause
// Loads a file: a regular file in pieces by several threads, a pipe to its end.
#include "matrices/files/file_text.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>

#include "frond/error.hpp"
#include "matrices/parallel.hpp"

namespace frond {
namespace {

[[noreturn]] void fail_system(const std::string& path, const char* what, int error) {
  const std::string name = path == kStandardInput ? "standard input" : path;
  throw InputError(name, 0, fmt::format("{}: {}", what, std::generic_category().message(error)));
}

/// An open file. The destructor leaves standard input open.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : is_owned_(path != kStandardInput), descriptor_(is_owned_ ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO) {
    if (descriptor_ < 0) {
      fail_system(path, "the file cannot be opened", errno);
    }
  }
  ~OpenFile() {
    if (is_owned_) {
      ::close(descriptor_);
    }
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// Returns 0 for inputs without a size, such as a pipe.
  [[nodiscard]] std::size_t size() const {
    struct ::stat facts {};
    return ::fstat(descriptor_, &facts) == 0 && S_ISREG(facts.st_mode) ? static_cast<std::size_t>(facts.st_size) : 0;
  }

 private:
  bool is_owned_;
  int descriptor_;
};

/// Reads on until `size` bytes have arrived or the file ends; read(target, size, offset) calls read(2) or pread(2). Returns the
/// number of bytes read, or -1 with the cause in errno.
template <class Read>
std::ptrdiff_t read_fully(char* target, std::size_t size, const Read& read) {
  std::size_t done = 0;
  while (done < size) {
    const ::ssize_t count = read(target + done, size - done, done);
    if (count < 0 && errno != EINTR) {
      return -1;
    }
    if (count == 0) {
      break;
    }
    done += static_cast<std::size_t>(std::max<::ssize_t>(0, count));
  }
  return static_cast<std::ptrdiff_t>(done);
}

/// Loads the first `size` bytes; false if the file has become shorter.
bool load_pieces(const OpenFile& file, const std::string& path, FileText& text, int num_threads) {
  const std::size_t pieces = num_pieces(static_cast<Count>(text.size()), num_threads);
  std::atomic<int> error = 0;
  std::atomic<bool> is_whole = true;
  for_each_piece(pieces, num_threads, [&](std::size_t piece) {
    const std::size_t begin = piece_begin(text.size(), piece, pieces);
    const std::size_t size = piece_begin(text.size(), piece + 1, pieces) - begin;
    const std::ptrdiff_t count = read_fully(text.data() + begin, size, [&](char* target, std::size_t bytes, std::size_t done) {
      return ::pread(file.descriptor(), target, bytes, static_cast<::off_t>(begin + done));
    });
    if (count < 0) {
      error = errno;
    } else if (static_cast<std::size_t>(count) < size) {
      is_whole = false;
    }
  });
  if (error != 0) {
    fail_system(path, "the file cannot be read", error);
  }
  return is_whole;
}

/// Appends the rest of the file to `text`.
void load_rest(const OpenFile& file, const std::string& path, FileText& text) {
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  for (std::ptrdiff_t count = 1; count > 0;) {
    const std::size_t size = text.size();
    text.resize(std::max(size + kChunk, text.capacity()));
    count = read_fully(text.data() + size, text.size() - size, [&](char* target, std::size_t bytes, std::size_t /*done*/) {
      return ::read(file.descriptor(), target, bytes);
    });
    if (count < 0) {
      fail_system(path, "the file cannot be read", errno);
    }
    text.resize(size + static_cast<std::size_t>(count));
  }
}

}  // namespace

FileText load_file(const std::string& path, int num_threads) {
  const OpenFile file(path);
  FileText text;
  // Standard input may have been read from already, and files of /proc report a size of 0.
  const std::size_t size = path == kStandardInput ? 0 : file.size();
  if (size > 0) {
    text.resize(size);
    if (load_pieces(file, path, text, num_threads) && ::lseek(file.descriptor(), static_cast<::off_t>(size), SEEK_SET) >= 0) {
      char next = 0;
      if (::read(file.descriptor(), &next, 1) <= 0) {
        return text;
      }
    }
    text.clear();  // the file changes while it is read
    ::lseek(file.descriptor(), 0, SEEK_SET);
  }
  load_rest(file, path, text);
  return text;
}

}  // namespace frond
