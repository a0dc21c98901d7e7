// SPDX-License-Identifier: BSD-3-Clause
// Parses the header of a NumPy array, which is a Python dictionary, and converts its elements.
#include "matrices/files/npy.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>

#include "frond/error.hpp"
#include "matrices/files/scanner.hpp"

namespace frond {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

std::size_t byte_at(std::string_view content, std::size_t k) { return static_cast<unsigned char>(content[k]); }

// Returns the text after 'key' up to the next comma or brace outside brackets, without blanks around it.
std::string_view entry_of(std::string_view header, std::string_view key) {
  const std::size_t found = header.find(key);
  const std::size_t begin = found == std::string_view::npos ? found : header.find(':', found + key.size());
  if (begin == std::string_view::npos) {
    return {};
  }
  int depth = 0;
  std::size_t end = begin + 1;
  for (; end < header.size() && (depth > 0 || (header[end] != ',' && header[end] != '}')); ++end) {
    depth += header[end] == '(' || header[end] == '[' ? 1 : 0;
    depth -= header[end] == ')' || header[end] == ']' ? 1 : 0;
  }
  std::string_view entry = header.substr(begin + 1, end - begin - 1);
  entry.remove_prefix(std::min(entry.find_first_not_of(' '), entry.size()));
  return entry.substr(0, entry.find_last_not_of(' ') + 1);
}

}  // namespace

bool is_npy(std::string_view content) { return content.starts_with(kMagic); }

NpyArray::NpyArray(std::string_view content, const std::string& file) : file_(file) {
  constexpr std::size_t kVersion = kMagic.size();
  constexpr std::size_t kLength = kVersion + 2;
  const std::size_t width = content.size() > kVersion && byte_at(content, kVersion) >= 2 ? 4 : 2;
  if (!is_npy(content) || content.size() < kLength + width) {
    fail("this is no array of NumPy: it does not begin as one");
  }
  std::size_t length = 0;
  for (std::size_t k = width; k > 0; --k) {
    length = length << 8U | byte_at(content, kLength + k - 1);
  }
  const std::string_view behind = content.substr(kLength + width);
  if (behind.size() < length) {
    fail("the file ends within the header of the array; copy it again");
  }
  const std::string_view header = behind.substr(0, length);
  data_ = behind.substr(length);
  parse_type(entry_of(header, "'descr'"));
  has_fortran_order_ = entry_of(header, "'fortran_order'") == "True";
  parse_shape(entry_of(header, "'shape'"));
  if (width_ > 0 && size_ > static_cast<Count>(data_.size() / width_)) {
    fail(fmt::format("the header promises {} elements of {} bytes, but only {} bytes follow; copy the file again", size_, width_,
                     data_.size()));
  }
}

// '<f8': byte order, kind, number of bytes (Unicode texts: number of characters of 4 bytes).
void NpyArray::parse_type(std::string_view type) {
  const bool is_quoted = type.size() >= 5 && type.front() == '\'' && type.back() == '\'';
  const std::string_view inner = is_quoted ? type.substr(1, type.size() - 2) : std::string_view();
  const bool is_simple = is_quoted && std::string_view("<>|=").find(inner[0]) != std::string_view::npos &&
                         std::string_view("biufcSU").find(inner[1]) != std::string_view::npos;
  const char* const end = inner.data() + inner.size();
  if (!is_simple || std::from_chars(inner.data() + 2, end, width_).ptr != end) {
    fail(fmt::format("its elements are of the type {}, which is no number that can be read; convert it by A.astype('float64')",
                     in_quotes(type)));
  }
  kind_ = inner[1];
  width_ *= kind_ == 'U' ? 4 : 1;
  is_swapped_ = inner[0] == (std::endian::native == std::endian::little ? '>' : '<');
  const bool is_odd_number = (kind_ == 'f' && width_ != 4 && width_ != 8) || (kind_ == 'c' && width_ != 8 && width_ != 16) ||
                             (std::string_view("biu").find(kind_) != std::string_view::npos && !std::has_single_bit(width_)) ||
                             (std::string_view("biu").find(kind_) != std::string_view::npos && width_ > sizeof(Count));
  if (is_odd_number) {
    fail(fmt::format("its elements are of the type {}; convert them by A.astype('float64') or 'complex128'", in_quotes(type)));
  }
}

void NpyArray::parse_shape(std::string_view shape) {
  const bool is_tuple = shape.size() >= 2 && shape.front() == '(' && shape.back() == ')';
  std::string_view rest = is_tuple ? shape.substr(1, shape.size() - 2) : shape;
  bool is_right = is_tuple;
  while (is_right && rest.find_first_not_of(" ,") != std::string_view::npos) {
    rest.remove_prefix(rest.find_first_not_of(" ,"));
    Count extent = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), extent);
    is_right = error == std::errc() && extent >= 0 && !__builtin_mul_overflow(size_, extent, &size_);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    shape_.push_back(extent);
  }
  if (!is_right) {
    fail(fmt::format("the header has the shape {}, which is none", in_quotes(shape)));
  }
}

template <class T>
T NpyArray::number(std::size_t byte) const {
  std::array<char, sizeof(T)> bytes{};
  std::memcpy(bytes.data(), data_.data() + byte, sizeof(T));
  if (is_swapped_) {
    std::reverse(bytes.begin(), bytes.end());
  }
  return std::bit_cast<T>(bytes);
}

Count NpyArray::integer(Count k) const {
  const std::size_t byte = static_cast<std::size_t>(k) * width_;
  const bool is_signed = kind_ == 'i';
  if (!is_signed && kind_ != 'u' && kind_ != 'b') {
    fail("its elements are no integers");
  }
  switch (width_) {
    case 1:
      return is_signed ? Count{number<std::int8_t>(byte)} : Count{number<std::uint8_t>(byte)};
    case 2:
      return is_signed ? Count{number<std::int16_t>(byte)} : Count{number<std::uint16_t>(byte)};
    case 4:
      return is_signed ? Count{number<std::int32_t>(byte)} : Count{number<std::uint32_t>(byte)};
    default:
      return static_cast<Count>(number<std::uint64_t>(byte));
  }
}

double NpyArray::real(std::size_t byte, std::size_t width) const {
  const double value = width == sizeof(float) ? double{number<float>(byte)} : number<double>(byte);
  if (!std::isfinite(value)) {
    fail(fmt::format("element {} is {}; every entry must be a finite number", byte / width_, value));
  }
  return value;
}

template <class S>
S NpyArray::value(Count k) const {
  const std::size_t byte = static_cast<std::size_t>(k) * width_;
  if (kind_ == 'f') {
    return real(byte, width_);
  }
  if constexpr (kIsComplex<S>) {
    if (kind_ == 'c') {
      return {real(byte, width_ / 2), real(byte + width_ / 2, width_ / 2)};
    }
  }
  if (kind_ == 'c' || kind_ == 'S' || kind_ == 'U') {
    fail(kind_ == 'c' ? "its elements are complex" : "its elements are no numbers");
  }
  return static_cast<double>(integer(k));
}

std::string NpyArray::text() const {
  std::string text;
  const std::size_t step = kind_ == 'U' ? 4 : 1;
  for (std::size_t byte = 0; size_ == 1 && byte < width_; byte += step) {
    const auto character = kind_ == 'U' ? number<std::uint32_t>(byte) : std::uint32_t{number<std::uint8_t>(byte)};
    text += character < 128 && character > 0 ? std::string(1, static_cast<char>(character)) : std::string();
  }
  return text;
}

template double NpyArray::value(Count) const;
template std::complex<double> NpyArray::value(Count) const;

}  // namespace frond
