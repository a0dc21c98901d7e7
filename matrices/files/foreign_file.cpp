// SPDX-License-Identifier: BSD-3-Clause
// Reports what a file looks like whose format cannot be read.
#include "matrices/files/foreign_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <vector>

#include "frond/error.hpp"
#include "matrices/files/matrix_market.hpp"
#include "matrices/files/scanner.hpp"

namespace frond {

namespace {

constexpr const char* kReadable =
    "Matrix Market, Harwell-Boeing and Rutherford-Boeing files can be read, plain, compressed by gzip, xz, bzip2 or zstd, or in a "
    "tar "
    "or zip archive, and SciPy's .npz files";
constexpr const char* kByPython = "scipy.io.mmwrite('A.mtx', A)";

bool is_integer(std::string_view word) {
  Count value = 0;
  return parse_integer(word, value);
}

bool is_number(std::string_view word) {
  const ParsedReal parsed = parse_real(word.data(), word.data() + word.size());
  return parsed.status == NumberStatus::ok && parsed.end == word.data() + word.size();
}

/// The first line of a file of bare numbers, and what can be guessed from the lines after it.
struct NumberList {
  Count line = 0;                       ///< of the first line
  std::string_view text;                ///< of the first line
  std::vector<std::string_view> first;  ///< its words
  std::size_t num_words_second = 0;     ///< words of the next line, 0 if there is none
  bool indices_fit = true;              ///< no later line has an index above the first two numbers

  /// A header holds rows, columns, entries, and perhaps more integers about symmetry and field.
  [[nodiscard]] bool has_header() const {
    const bool can_be_header = first.size() >= 3 && std::all_of(first.begin(), first.end(), is_integer);
    return can_be_header && (first.size() != num_words_second || indices_fit);
  }
  [[nodiscard]] const char* field() const {
    switch (has_header() ? num_words_second : first.size()) {
      case 2:
        return "pattern";
      case 4:
        return "complex";
      default:
        return "real";
    }
  }
  /// CHOLMOD's fourth number: -1 for a stored lower triangle, 1 for an upper one.
  [[nodiscard]] bool holds_lower() const { return has_header() && first.size() > 3 && first[3] == "-1"; }
  [[nodiscard]] bool holds_upper() const { return has_header() && first.size() > 3 && first[3] == "1"; }
};

struct KnownBinary {
  std::string_view magic;
  const char* what;
  const char* conversion;
};

constexpr std::array<KnownBinary, 7> kKnownBinaries = {{
    {"\x89HDF\r\n", "an HDF5 file, as MATLAB writes with -v7.3",
     "in MATLAB, [i, j, v] = find(A); writematrix([size(A) nnz(A); i j v], 'A.txt', 'Delimiter', ' '), and put "
     "'%%MatrixMarket matrix coordinate real general' before it"},
    {"MATLAB 5.0 MAT-file", "a MAT-file of MATLAB", "in Python, scipy.io.mmwrite('A.mtx', scipy.io.loadmat('FILE')['A'])"},
    {"\x93NUMPY", "a dense array of NumPy", "in Python, scipy.io.mmwrite('A.mtx', scipy.sparse.csc_array(numpy.load('FILE')))"},
    {"\x80\x04", "a pickle of Python", "in Python, scipy.io.mmwrite('A.mtx', pickle.load(open('FILE', 'rb')))"},
    {"\x80\x05", "a pickle of Python", "in Python, scipy.io.mmwrite('A.mtx', pickle.load(open('FILE', 'rb')))"},
    {std::string_view("\0\x12\x7b\x50", 4), "a binary file of PETSc",
     "in Python, with petsc4py's conf in the path, scipy.io.mmwrite('A.mtx', PetscBinaryIO.PetscBinaryIO().readBinaryFile('FILE', "
     "mattype='scipy.sparse')[0])"},
    {"\xff\xfe", "text in UTF-16", "iconv -f UTF-16 -t UTF-8 FILE > A.mtx"},
}};

std::vector<std::string_view> words_of_line(Scanner scanner) {
  std::vector<std::string_view> words;
  while (!scanner.at_line_end()) {
    words.push_back(scanner.take_word());
  }
  return words;
}

/// True if both are integers that can be indices, and the first is the larger one.
bool exceeds(std::string_view index, std::string_view bound) {
  Count index_value = 0;
  Count bound_value = 0;
  return parse_integer(index, index_value) && parse_integer(bound, bound_value) && bound_value >= 0 && index_value > bound_value;
}

NumberList look_at_numbers(Scanner scanner) {
  NumberList list;
  list.line = scanner.line();
  list.first = words_of_line(scanner);
  list.text = scanner.take_line();
  if (list.first.size() < 2) {
    return list;
  }
  list.num_words_second = scanner.find_word() ? words_of_line(scanner).size() : 0;
  for (; list.indices_fit && scanner.find_word(); scanner.next_line()) {
    const std::string_view row = scanner.take_word();
    list.indices_fit = !exceeds(row, list.first[0]) && !exceeds(scanner.take_word(), list.first[1]);
  }
  return list;
}

/// Explains how to make a Matrix Market file of a list of triplets. What CHOLMOD calls complex symmetric is Hermitian.
std::string conversion(const NumberList& list) {
  const std::string_view field = list.field();
  const bool one_triangle = list.holds_lower() || list.holds_upper();
  const std::string size_line =
      list.has_header() ? fmt::format("{} {} {}", list.first[0], list.first[1], list.first[2]) : "rows columns entries";
  return fmt::format(
      "to make it a Matrix Market file {} the lines '%%MatrixMarket matrix coordinate {} {}' and '{}'{}; indices start at 1, add 1 "
      "to "
      "them if they start at 0",
      list.has_header() ? "replace its header by" : "put before it", field,
      !one_triangle ? "general" : (field == "complex" ? "hermitian" : "symmetric"), size_line,
      list.holds_upper() ? " and exchange row and column of every entry (with the conjugate value)" : "");
}

[[noreturn]] void reject_numbers(const Scanner& scanner) {
  const NumberList list = look_at_numbers(scanner);
  if (list.first.size() < 3) {
    scanner.fail_at(list.line, fmt::format("the file begins with {} and has no banner that says what its numbers are; {}",
                                           in_quotes(list.text), kReadable));
  }
  scanner.fail_at(list.line,
                  fmt::format("the file has no banner; it looks like a list of triplets {} {}; {}",
                              list.has_header() ? "with the header" : "that begins with", in_quotes(list.text), conversion(list)));
}

}  // namespace

void reject_binary(std::string_view text, const std::string& file) {
  constexpr std::size_t kLookedAt = 512;
  for (const KnownBinary& one : kKnownBinaries) {
    if (text.starts_with(one.magic)) {
      throw InputError(file, 0, fmt::format("this is {}, which cannot be read; convert it: {}", one.what, one.conversion));
    }
  }
  const std::string_view head = text.substr(0, kLookedAt);
  const bool is_binary = std::any_of(head.begin(), head.end(), [](char c) { return c >= 0 && c < ' ' && (c < '\t' || c > '\r'); });
  if (is_binary) {
    throw InputError(file, 0,
                     fmt::format("this is a binary file, not a matrix in text form; {}; in Python, {} writes a matrix A of SciPy",
                                 kReadable, kByPython));
  }
}

void reject_foreign_text(std::string_view text, const std::string& file) {
  Scanner scanner(text, file);
  if (!scanner.find_word()) {
    throw InputError(file, 0, text.empty() ? "the file is empty" : "the file holds nothing but blanks");
  }
  const std::string_view first_line = Scanner(scanner).take_line();
  const bool is_comment = first_line.starts_with('%');
  const bool has_spoilt_banner =
      first_line.starts_with("%%") || (is_comment && first_line.find("Market") != std::string_view::npos);
  Scanner behind_comments = scanner;
  while (behind_comments.find_word() && behind_comments.peek() == '%') {
    const Count line = behind_comments.line();
    if (matrix_market_banner(behind_comments.take_line()) > 0) {
      scanner.fail_at(line, "comments stand before the banner, which must be the first line; move them behind it");
    }
  }
  if (!has_spoilt_banner && is_number(Scanner(behind_comments).take_word())) {
    reject_numbers(behind_comments);
  }
  if (is_comment) {
    scanner.fail(fmt::format("the file begins with {} instead of a banner such as '%%MatrixMarket matrix coordinate real general'",
                             in_quotes(first_line)));
  }
  scanner.fail(fmt::format("this is text but no matrix: it begins with {}; {}", in_quotes(first_line), kReadable));
}

}  // namespace frond
