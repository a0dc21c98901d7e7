// SPDX-License-Identifier: BSD-3-Clause
// Decompresses gzip files with zlib.
#include "matrices/files/gzip.hpp"

#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "frond/error.hpp"
#include "frond/types.hpp"

namespace frond {

namespace {

/// Owns zlib's state.
class Inflater {
 public:
  Inflater() {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream& stream() { return stream_; }

 private:
  z_stream stream_{};
};

/// Gives zlib as much of the input as its 32-bit counter takes.
void refill(z_stream& stream, std::string_view content, std::size_t& num_given) {
  const std::size_t size = std::min<std::size_t>(content.size() - num_given, std::numeric_limits<uInt>::max());
  // zlib's interface is not const-correct; inflate() does not write to its input.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data() + num_given));
  stream.avail_in = static_cast<uInt>(size);
  num_given += size;
}

}  // namespace

bool is_gzip(std::string_view content) { return content.starts_with("\x1f\x8b"); }

FileText gunzip(std::string_view content, const std::string& file) {
  constexpr std::size_t kChunk = std::size_t{1} << 18;
  Inflater inflater;
  z_stream& stream = inflater.stream();
  FileText text;
  std::size_t num_given = 0;
  for (int status = Z_OK; status != Z_STREAM_END || stream.avail_in > 0 || num_given < content.size();) {
    if (stream.avail_in == 0) {
      refill(stream, content, num_given);
    }
    if (status == Z_STREAM_END && inflateReset(&stream) != Z_OK) {  // the next member
      throw InternalError("zlib refuses to start over");
    }
    const std::size_t size = text.size();
    text.resize(std::max(size + kChunk, text.capacity()));
    const std::size_t room = std::min<std::size_t>(text.size() - size, std::numeric_limits<uInt>::max());
    stream.next_out = reinterpret_cast<Bytef*>(text.data() + size);
    stream.avail_out = static_cast<uInt>(room);
    status = inflate(&stream, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    }
    text.resize(size + room - stream.avail_out);
    if (status == Z_BUF_ERROR || (status == Z_OK && stream.avail_in == 0 && num_given == content.size() && stream.avail_out > 0)) {
      throw InputError(
          file, 0,
          fmt::format("the gzip data end too early, after {} bytes: the file is truncated; copy it again", content.size()));
    }
    if (status != Z_OK && status != Z_STREAM_END) {
      throw InputError(file, 0,
                       fmt::format("the gzip data are corrupt ({}); copy the file again",
                                   stream.msg != nullptr ? stream.msg : "no reason given"));
    }
  }
  return text;
}

}  // namespace frond
