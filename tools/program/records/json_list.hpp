// SPDX-License-Identifier: BSD-3-Clause
// Lists of JSON with a value of each item.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>

namespace frond {

/// Returns [value(item)]; `value` may be a member of the items.
template <class Items, class Value>
[[nodiscard]] nlohmann::ordered_json json_list(const Items& items, Value value) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& item : items) {
    list.push_back(std::invoke(value, item));
  }
  return list;
}

}  // namespace frond
