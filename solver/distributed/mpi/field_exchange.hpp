// SPDX-License-Identifier: BSD-3-Clause
// Sends fields from rank 0 to all ranks.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/distributed/mpi/agreement.hpp"
#include "solver/storage/saved/field_stream.hpp"

namespace frond {

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

/// Collective: the fields on rank 0 replace those elsewhere. Sent list by list, so that nothing is held twice. Throws MemoryError
/// on all ranks.
template <class... T>
void broadcast_fields(const Communicator& ranks, T&... fields) {
  BroadcastFields stream(ranks);
  static_cast<FieldStream&>(stream)(fields...);
}

}  // namespace frond
