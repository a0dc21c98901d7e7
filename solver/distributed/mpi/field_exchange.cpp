// SPDX-License-Identifier: BSD-3-Clause
// Implements streams of fields whose other end is another rank.
#include "solver/distributed/mpi/field_exchange.hpp"

#include <algorithm>
#include <cstddef>

#include "frond/error.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/distributed/mpi/agreement.hpp"

namespace frond {
namespace {

class BroadcastFields final : public FieldStream {
 public:
  explicit BroadcastFields(const Communicator& ranks) : ranks_(ranks) {}

 protected:
  void transfer(std::span<std::byte> bytes) override { broadcast(ranks_, 0, bytes); }
  void resize(Count /*length*/, std::size_t /*element_bytes*/, const std::function<void()>& take_memory) override {
    agree(ranks_, take_memory);
  }

 private:
  const Communicator& ranks_;
};

class FieldsToBytes final : public FieldStream {
 public:
  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 protected:
  void transfer(std::span<std::byte> bytes) override {
    const std::size_t begin = bytes_.size();
    bytes_.resize(begin + bytes.size());
    std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(begin));
  }
  void resize(Count /*length*/, std::size_t /*element_bytes*/, const std::function<void()>& /*take_memory*/) override {}

 private:
  std::vector<std::byte> bytes_;
};

class FieldsFromBytes final : public FieldStream {
 public:
  explicit FieldsFromBytes(std::span<const std::byte> bytes) : bytes_(bytes) {}

 protected:
  void transfer(std::span<std::byte> bytes) override {
    require(bytes.size() <= bytes_.size());
    std::copy_n(bytes_.begin(), bytes.size(), bytes.begin());
    bytes_ = bytes_.subspan(bytes.size());
  }
  void resize(Count length, std::size_t element_bytes, const std::function<void()>& take_memory) override {
    require(length >= 0 && static_cast<std::size_t>(length) <= bytes_.size() / element_bytes);
    take_memory();
  }

 private:
  static void require(bool holds) {
    if (!holds) {
      throw InternalError("a rank has sent fields that are too short; do all processes run the same Frond?");
    }
  }

  std::span<const std::byte> bytes_;
};

}  // namespace

void broadcast_fields(const Communicator& ranks, const std::function<void(FieldStream&)>& visit) {
  BroadcastFields fields(ranks);
  visit(fields);
}

std::vector<std::byte> to_bytes(const std::function<void(FieldStream&)>& visit) {
  FieldsToBytes fields;
  visit(fields);
  return fields.take();
}

void from_bytes(std::span<const std::byte> bytes, const std::function<void(FieldStream&)>& visit) {
  FieldsFromBytes fields(bytes);
  visit(fields);
}

}  // namespace frond
