// SPDX-License-Identifier: BSD-3-Clause
#include "loadinfo/byte_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <random>

namespace frond::test {
namespace {

using Numbers = std::vector<std::complex<double>>;

Numbers random_numbers() {
  std::random_device random;
  Numbers numbers(random() % 8);
  std::generate(numbers.begin(), numbers.end(), [&] { return std::complex<double>(random(), random()); });
  return numbers;
}

std::vector<std::byte> example(const Numbers& numbers) {
  ByteWriter writer;
  writer.value(std::uint8_t{7});
  writer.list(std::vector<Index>{});
  writer.list(numbers);
  writer.value(Count{-1});
  return writer.take();
}

TEST(ByteStream, ReadsWhatWasWritten) {
  const Numbers numbers = random_numbers();
  const std::vector<std::byte> bytes = example(numbers);
  ByteReader reader(bytes);
  EXPECT_EQ(reader.value<std::uint8_t>(), 7);
  EXPECT_TRUE(reader.list<Index>().empty());
  EXPECT_EQ(reader.list<std::complex<double>>(), numbers);
  EXPECT_THROW(reader.expect_end(), InternalError);
  EXPECT_EQ(reader.value<Count>(), -1);
  reader.expect_end();
}

TEST(ByteStream, EveryBeginningOfAMessageIsAnError) {
  const std::vector<std::byte> bytes = example(random_numbers());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    ByteReader reader(std::span<const std::byte>(bytes).first(length));
    EXPECT_THROW(
        {
          static_cast<void>(reader.value<std::uint8_t>());
          static_cast<void>(reader.list<Index>());
          static_cast<void>(reader.list<std::complex<double>>());
          static_cast<void>(reader.value<Count>());
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
