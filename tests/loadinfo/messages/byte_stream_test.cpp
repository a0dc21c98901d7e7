// SPDX-License-Identifier: BSD-3-Clause
// Tests writing and reading fields as bytes, and truncated bytes.
#include "loadinfo/messages/byte_stream.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <map>

#include "frond/error.hpp"
#include "loadinfo/messages/message_fields.hpp"

namespace frond::test {
namespace {

ByteWriter fields() {
  ByteWriter writer;
  writer.value(std::uint8_t{7});
  writer.list(std::vector<Index>{});
  writer.list(std::vector<std::complex<double>>{{1, 2}, {3, 4}});
  writer.value(Count{-1});
  return writer;
}

std::vector<std::byte> example() {
  ByteWriter writer = fields();
  writer.rest(std::as_bytes(std::span("ab", 2)));
  return writer.take();
}

TEST(ByteStream, ReadsWhatWasWritten) {
  const std::vector<std::byte> bytes = example();
  ByteReader reader(bytes);
  EXPECT_EQ(reader.value<std::uint8_t>(), 7);
  EXPECT_TRUE(reader.list<Index>().empty());
  EXPECT_EQ(reader.list<std::complex<double>>(), (std::vector<std::complex<double>>{{1, 2}, {3, 4}}));
  EXPECT_EQ(reader.value<Count>(), -1);
  EXPECT_THROW(reader.expect_end(), InternalError);
  EXPECT_EQ(reader.rest().size(), 2u);
  reader.expect_end();
}

TEST(ByteStream, EveryBeginningOfAMessageIsAnError) {
  const std::vector<std::byte> bytes = fields().take();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    ByteReader reader{std::span(bytes).first(length)};
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

// Whatever their elements are, lists have no negative length, and nothing follows the last field.
TEST(MessageFields, ListsOfNegativeLengthAndBytesLeftOverAreErrors) {
  using Texts = std::vector<std::string>;
  const Texts texts{"a", "bc"};
  std::vector<std::byte> bytes = encoded(texts);
  EXPECT_EQ(decoded<Texts>(bytes), texts);
  bytes.push_back({});
  EXPECT_THROW(static_cast<void>(decoded<Texts>(bytes)), InternalError);
  EXPECT_THROW(static_cast<void>(decoded<Texts>(encoded(Count{-1}))), InternalError);
  EXPECT_THROW((static_cast<void>(decoded<std::map<Index, std::string>>(encoded(Count{-1})))), InternalError);
}

}  // namespace
}  // namespace frond::test
