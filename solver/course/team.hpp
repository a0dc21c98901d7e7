// SPDX-License-Identifier: BSD-3-Clause
// Who solves together.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>

namespace frond {

/// One process alone, or ranks that all make the same calls in the same order. What a course decides is the same everywhere, since
/// it is decided by what agree() and share() have made the same; these two are the only places where ranks meet.
class Team {
 public:
  Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  virtual ~Team() = default;

  /// Does `work` everywhere. What it throws anywhere is thrown everywhere.
  virtual void agree(const std::function<void()>& work) const = 0;

  /// Bytes of the one that leads, everywhere.
  virtual void share(std::span<std::byte> bytes) const = 0;
};

/// One process: all are agreed, and there is nobody to share with.
class Alone final : public Team {
 public:
  void agree(const std::function<void()>& work) const override { work(); }
  void share(std::span<std::byte> /*bytes*/) const override {}
};

/// A value that is bits alone.
template <class T>
void share_value(const Team& team, T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  team.share(std::as_writable_bytes(std::span(&value, 1)));
}

}  // namespace frond
