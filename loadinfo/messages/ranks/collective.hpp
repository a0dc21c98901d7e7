// SPDX-License-Identifier: BSD-3-Clause
// Collective operations of all ranks of a communicator. They sleep while they wait: ranks may arrive minutes apart.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// Replaces the bytes of all other ranks, of the same length, by those of `root`.
inline void broadcast(const Communicator& ranks, Rank root, std::span<std::byte> bytes) { ranks.carrier().broadcast(root, bytes); }

/// result[r] = what rank r has passed; of any length, on every rank. For small data: allocation must not fail on one rank alone.
[[nodiscard]] inline std::vector<std::vector<std::byte>> all_gather(const Communicator& ranks, std::span<const std::byte> mine) {
  return ranks.carrier().all_gather(mine);
}

/// Places what rank r passes, num_bytes[r] bytes, after that of the ranks before it in `all`, which only `root` has.
inline void gather(const Communicator& ranks, Rank root, std::span<const std::byte> mine, std::span<const Count> num_bytes,
                   std::span<std::byte> all) {
  ranks.carrier().gather(root, mine, num_bytes, all);
}

/// result[r] = the value that rank r has passed, on every rank.
template <class T>
[[nodiscard]] std::vector<T> all_gather_values(const Communicator& ranks, const T& mine) requires std::is_trivially_copyable_v<T> {
  std::vector<T> values;
  for (const std::vector<std::byte>& bytes : all_gather(ranks, std::as_bytes(std::span(&mine, 1)))) {
    std::memcpy(&values.emplace_back(), bytes.data(), sizeof(T));
  }
  return values;
}

/// result[r] = the values that rank r has passed, any number of them.
template <class T>
[[nodiscard]] std::vector<std::vector<T>> all_gather_lists(const Communicator& ranks,
                                                           const std::vector<T>& mine) requires std::is_trivially_copyable_v<T> {
  std::vector<std::vector<T>> lists;
  for (const std::vector<std::byte>& bytes : all_gather(ranks, std::as_bytes(std::span(mine)))) {
    std::vector<T>& list = lists.emplace_back(bytes.size() / sizeof(T));
    if (!list.empty()) {
      std::memcpy(list.data(), bytes.data(), bytes.size());
    }
  }
  return lists;
}

}  // namespace frond
