// SPDX-License-Identifier: BSD-3-Clause
// Makes rows of tables of options: a name, its words or its range, and the member that it sets.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "solver/options/option_table.hpp"

namespace frond {

/// Throws UsageError, which lists what the option can be.
[[noreturn]] void refuse_value(const NamedOption& option, std::string_view value);

/// The words of "automatic|never|always".
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view values);

/// Parses the whole text as a number of this range. Throws UsageError.
template <class Number>
[[nodiscard]] Number parse_number(const NamedOption& info, std::string_view text, Number least, Number largest) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !(number >= least && number <= largest)) {
    refuse_value(info, text);
  }
  return number;
}

/// An option that can be set and read. Below, `member(options)` is what it stands for, of constant options, too.
template <class Options>
struct OptionRow {
  NamedOption info;
  std::function<void(Options&, std::string_view)> set;  ///< throws UsageError
  std::function<std::string(const Options&)> get;

  template <class Member>
  using Value = std::remove_cvref_t<std::invoke_result_t<Member, Options&>>;

  /// The k-th word of info.values stands for the k-th of `values`.
  template <class Member>
  [[nodiscard]] static OptionRow choice(const NamedOption& info, Member member, const std::vector<Value<Member>>& values) {
    return {info,
            [info, member, values](Options& options, std::string_view text) {
              const std::vector<std::string_view> words = words_of(info.values);
              const auto word = std::find(words.begin(), words.end(), text);
              if (word == words.end()) {
                refuse_value(info, text);
              }
              member(options) = values[word - words.begin()];
            },
            [info, member, values](const Options& options) {
              const auto value = std::find(values.begin(), values.end(), member(options));
              return std::string(value == values.end() ? "given" : words_of(info.values)[value - values.begin()]);
            }};
  }

  /// The words stand for the enumerators, in their order.
  template <class Member>
  [[nodiscard]] static OptionRow choice(const NamedOption& info, Member member) {
    std::vector<Value<Member>> values;
    for (std::size_t k = 0; k < words_of(info.values).size(); ++k) {
      values.push_back(static_cast<Value<Member>>(k));
    }
    return choice(info, member, values);
  }

  template <class Member>
  [[nodiscard]] static OptionRow number(const NamedOption& info, Value<Member> least, Value<Member> largest, Member member) {
    return {info,
            [info, least, largest, member](Options& options, std::string_view text) {
              member(options) = parse_number(info, text, least, largest);
            },
            [member](const Options& options) { return fmt::format("{}", member(options)); }};
  }
};

}  // namespace frond
