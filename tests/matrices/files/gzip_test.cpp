// SPDX-License-Identifier: BSD-3-Clause
// Tests decompression of gzip files, and the messages about broken ones.
#include "matrices/files/gzip.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "frond/error.hpp"
#include "frond/files.hpp"
#include "tests/support/errors.hpp"

namespace frond {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::string compressed(const std::string& text) {
  constexpr int kGzip = 16 + MAX_WBITS;
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string result(deflateBound(&stream, text.size()), '\0');
  std::string input = text;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

std::string long_text() {
  std::string text;
  for (int i = 0; i < 200000; ++i) {
    text += std::to_string(i * 7919 % 100003) + "\n";
  }
  return text;
}

const std::string kMatrix = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2.5\n";

TEST(Gunzip, gives_the_text_back) {
  for (const std::string& text : {std::string(), kMatrix, long_text()}) {
    EXPECT_TRUE(is_gzip(compressed(text)));
    EXPECT_EQ(view_of(gunzip(compressed(text), "f")), text);
  }
}

TEST(Gunzip, joins_members) { EXPECT_EQ(view_of(gunzip(compressed("a\n") + compressed("") + compressed("b\n"), "f")), "a\nb\n"); }

TEST(Gunzip, says_that_data_end_too_early_wherever_they_are_cut) {
  const std::string whole = compressed(kMatrix);
  for (std::size_t length = 2; length < whole.size(); ++length) {
    EXPECT_THAT([&] { static_cast<void>(gunzip(whole.substr(0, length), "f.gz")); },
                ThrowsMessage<InputError>(HasSubstr("f.gz: the gzip data end too early")))
        << length;
  }
}

TEST(Gunzip, says_that_data_are_corrupt) {
  std::string wrong_checksum = compressed(kMatrix);
  wrong_checksum[wrong_checksum.size() - 6] ^= 1;
  std::string wrong_data = compressed(long_text());
  wrong_data[wrong_data.size() / 2] ^= 0x55;
  for (const std::string& content : {wrong_checksum, wrong_data, compressed(kMatrix) + "tail"}) {
    testing::expect_error<InputError>("f.gz: the gzip data are corrupt", [&] { (void)gunzip(content, "f.gz"); });
  }
}

TEST(Gunzip, happens_by_itself_when_a_matrix_is_read) {
  const AnyMatrix matrix = read_matrix_from_memory(compressed(kMatrix), "f");
  EXPECT_EQ(std::get<SparseMatrix<double>>(matrix).values, std::vector<double>{2.5});
  EXPECT_THAT([] { static_cast<void>(read_matrix_from_memory(compressed(""), "f.gz")); },
              ThrowsMessage<InputError>("f.gz: the file is empty"));
}

}  // namespace
}  // namespace frond
