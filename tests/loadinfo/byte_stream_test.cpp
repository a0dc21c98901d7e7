// SPDX-License-Identifier: BSD-3-Clause
#include "loadinfo/byte_stream.hpp"

#include <gtest/gtest.h>

#include <array>
#include <complex>

namespace frond::test {
namespace {

constexpr std::array<std::complex<double>, 2> kNumbers = {{{1, 2}, {3, 4}}};

std::vector<std::byte> example() {
  ByteWriter writer;
  writer.value(std::uint8_t{7});
  writer.list(std::span<const Index>());
  writer.list(std::span<const std::complex<double>>(kNumbers));
  writer.value(Count{-1});
  writer.text("ab");
  return writer.take();
}

TEST(ByteStream, ReadsWhatWasWritten) {
  const std::vector<std::byte> bytes = example();
  ByteReader reader(bytes);
  EXPECT_EQ(reader.value<std::uint8_t>(), 7);
  EXPECT_TRUE(reader.list<Index>().empty());
  EXPECT_EQ(reader.list<std::complex<double>>(), std::vector(kNumbers.begin(), kNumbers.end()));
  EXPECT_EQ(reader.value<Count>(), -1);
  EXPECT_THROW(reader.finish(), InternalError);
  EXPECT_EQ(reader.text(), "ab");
  reader.finish();
}

TEST(ByteStream, EveryBeginningOfAMessageIsAnError) {
  const std::vector<std::byte> bytes = example();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    ByteReader reader(std::span<const std::byte>(bytes).first(length));
    EXPECT_THROW(
        {
          static_cast<void>(reader.value<std::uint8_t>());
          static_cast<void>(reader.list<Index>());
          static_cast<void>(reader.list<std::complex<double>>());
          static_cast<void>(reader.value<Count>());
          static_cast<void>(reader.text());
        },
        InternalError)
        << length;
  }
}

TEST(ByteStream, AListOfImpossibleLengthIsAnError) {
  for (const Count length : {Count{-1}, Count{2}, Count{1} << 62}) {
    ByteWriter writer;
    writer.value(length);
    writer.value(Count{0});
    const std::vector<std::byte> bytes = writer.take();
    ByteReader reader(bytes);
    EXPECT_THROW(static_cast<void>(reader.list<Count>()), InternalError) << length;
  }
}

}  // namespace
}  // namespace frond::test
