// SPDX-License-Identifier: BSD-3-Clause
// Collective operations of all ranks of a communicator that sleep while they wait: ranks may come to them minutes apart.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "loadinfo/mpi/communicator.hpp"

namespace frond {

/// The bytes of `root` replace those of all others, of the same length.
void broadcast(const Communicator& ranks, Rank root, std::span<std::byte> bytes);

/// The same for a list, whose length only `root` knows.
template <class T>
void broadcast(const Communicator& ranks, Rank root, std::vector<T>& list) requires std::is_trivially_copyable_v<T> {
  auto length = static_cast<Count>(list.size());
  broadcast(ranks, root, std::as_writable_bytes(std::span(&length, 1)));
  list.resize(static_cast<std::size_t>(length));
  broadcast(ranks, root, std::as_writable_bytes(std::span(list)));
}

/// result[r] = what rank r has passed; of any length, on every rank.
[[nodiscard]] std::vector<std::vector<std::byte>> all_gather(const Communicator& ranks, std::span<const std::byte> mine);

/// The same on `root`; nothing elsewhere.
[[nodiscard]] std::vector<std::vector<std::byte>> gather(const Communicator& ranks, Rank root, std::span<const std::byte> mine);

/// result[r] = the value that rank r has passed, on every rank.
template <class T>
[[nodiscard]] std::vector<T> all_gather_values(const Communicator& ranks, const T& mine) requires std::is_trivially_copyable_v<T> {
  std::vector<T> values;
  for (const std::vector<std::byte>& bytes : all_gather(ranks, std::as_bytes(std::span(&mine, 1)))) {
    std::memcpy(&values.emplace_back(), bytes.data(), sizeof(T));
  }
  return values;
}

}  // namespace frond
