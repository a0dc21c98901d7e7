// SPDX-License-Identifier: BSD-3-Clause
// The processes that solve together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <new>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "frond/error.hpp"
#include "frond/types.hpp"

namespace frond {

/// One process alone, or ranks that all make the same calls in the same order. All decisions of a course are the same everywhere,
/// since they depend only on values made equal by agree() and share(); apart from its backend, a course communicates by these two
/// alone.
class Team {
 public:
  Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  virtual ~Team() = default;

  [[nodiscard]] virtual bool leads() const = 0;  ///< true on one, the leader: it has the sides that are not distributed, and does
                                                 ///< the work of one
  [[nodiscard]] virtual int size() const = 0;
  /// Whether several threads may make calls concurrently, so that nothing that one of them may be using can be freed.
  [[nodiscard]] virtual bool has_callers_side_by_side() const = 0;

  /// Runs `work` everywhere. An exception anywhere is thrown everywhere, std::bad_alloc as a MemoryError.
  virtual void agree(const std::function<void()>& work) const = 0;

  /// The same on the leader alone.
  void agree_on_leader(const std::function<void()>& work) const {
    agree([&] {
      if (leads()) {
        work();
      }
    });
  }

  /// Copies the leader's bytes to all.
  virtual void share(std::span<std::byte> bytes) const = 0;

  /// Returns [rank] = what each passed, everywhere. None returns before all have called.
  [[nodiscard]] virtual std::vector<Count> of_all(Count mine) const = 0;

  /// Copies the bytes of all, rank after rank, to `all` on the leader; `num_bytes` is of_all() of their numbers.
  virtual void gather(std::span<const std::byte> mine, std::span<const Count> num_bytes, std::span<std::byte> all) const = 0;
};

/// One process: there is nothing to agree on or share.
class Alone final : public Team {
 public:
  [[nodiscard]] bool leads() const override { return true; }
  [[nodiscard]] int size() const override { return 1; }
  [[nodiscard]] bool has_callers_side_by_side() const override { return true; }
  void agree(const std::function<void()>& work) const override {
    try {
      work();
    } catch (const std::bad_alloc&) {
      throw MemoryError("the system refuses memory: free some, or raise the limit of the process", 0, 0);
    }
  }
  void share(std::span<std::byte> /*bytes*/) const override {}
  [[nodiscard]] std::vector<Count> of_all(Count mine) const override { return {mine}; }
  void gather(std::span<const std::byte> mine, std::span<const Count> /*num_bytes*/, std::span<std::byte> all) const override {
    std::copy(mine.begin(), mine.end(), all.begin());
  }
};

/// Shares a trivially copyable value.
template <class T>
void share_value(const Team& team, T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  team.share(std::as_writable_bytes(std::span(&value, 1)));
}

/// Shares a list of such values (or a string), of any length.
template <class List>
void share_list(const Team& team, List& list) {
  static_assert(std::is_trivially_copyable_v<typename List::value_type>);
  auto length = static_cast<Count>(list.size());
  share_value(team, length);
  team.agree([&] { list.resize(static_cast<std::size_t>(length)); });
  team.share(std::as_writable_bytes(std::span(list)));
}

/// Returns the lists of such values that all passed, rank after rank, on the leader; nothing elsewhere.
template <class T>
[[nodiscard]] std::vector<T> gather_list(const Team& team, std::span<const T> mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::vector<Count> num_bytes = team.of_all(static_cast<Count>(mine.size_bytes()));
  std::vector<T> all;
  team.agree_on_leader([&] {
    const Count total = std::accumulate(num_bytes.begin(), num_bytes.end(), Count{0});
    all.resize(static_cast<std::size_t>(total) / sizeof(T));
  });
  team.gather(std::as_bytes(mine), num_bytes, std::as_writable_bytes(std::span(all)));
  return all;
}

/// Returns [rank] = the list of such values that each passed, on the leader; nothing elsewhere.
template <class T>
[[nodiscard]] std::vector<std::vector<T>> gather_lists(const Team& team, std::span<const T> mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::vector<Count> num_bytes = team.of_all(static_cast<Count>(mine.size_bytes()));
  const std::vector<T> all = gather_list(team, mine);
  std::vector<std::vector<T>> lists;
  team.agree([&] {
    auto next = all.begin();
    for (std::size_t rank = 0; rank < num_bytes.size() && team.leads(); ++rank) {
      const auto end = next + num_bytes[rank] / static_cast<Count>(sizeof(T));
      lists.emplace_back(next, end);
      next = end;
    }
  });
  return lists;
}

}  // namespace frond
