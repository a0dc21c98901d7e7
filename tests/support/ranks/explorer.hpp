// SPDX-License-Identifier: BSD-3-Clause
// Explores every state that a model can reach, in every order of its steps, and stops at the first that breaks a property.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "frond/types.hpp"

namespace frond::test {

/// Reports a broken property; what() begins with its name.
class Violation : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A 64-bit hash of a sequence of numbers.
class StateHash {
 public:
  void add(std::integral auto number) {
    value_ = (value_ ^ static_cast<std::uint64_t>(number)) * 0x9E3779B97F4A7C15U;
    value_ ^= value_ >> 32U;
    value_ *= 0xD6E8FEB86659FD93U;
    value_ ^= value_ >> 29U;
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 1;
};

/// A system with finitely many steps ahead. If a property breaks, apply() throws Violation, or InternalError from the code under
/// test; check_at_rest() does so when no step is left. States with equal hashes count as one.
template <class Model>
concept Explorable = std::copyable<Model> && requires(const Model& state, Model& changing, const typename Model::Step& step) {
  { state.steps() } -> std::same_as<std::vector<typename Model::Step>>;
  {changing.apply(step)};
  {state.check_at_rest()};
  { state.hash() } -> std::same_as<std::uint64_t>;
  { to_string(step) } -> std::same_as<std::string>;
};

struct Exploration {
  Count num_states = 0;
  std::string violation;           ///< empty if every property holds
  std::vector<std::string> steps;  ///< a shortest path to the violation

  /// True if one of the properties `names`, separated by '|', broke. A failed check inside the machine itself is named "assertion".
  [[nodiscard]] bool breaks(const std::string& names) const {
    return !violation.empty() &&
           ("|" + names + "|").find("|" + violation.substr(0, violation.find(':')) + "|") != std::string::npos;
  }
};

inline std::ostream& operator<<(std::ostream& out, const Exploration& exploration) {
  out << exploration.num_states << " states";
  if (!exploration.violation.empty()) {
    out << ", then " << exploration.violation << "\nafter";
  }
  for (const std::string& step : exploration.steps) {
    out << ' ' << step << ';';
  }
  return out;
}

/// Searches breadth first, so that a violation comes with a shortest path.
template <Explorable Model>
class Explorer {
 public:
  [[nodiscard]] static Exploration explore(const Model& initial) {
    Explorer explorer;
    explorer.visited_.insert(initial.hash());
    explorer.layer_.push_back({initial, nullptr});
    while (!explorer.layer_.empty() && explorer.result_.violation.empty()) {
      explorer.advance();
    }
    explorer.result_.num_states = static_cast<Count>(explorer.visited_.size());
    return explorer.result_;
  }

 private:
  struct Way {
    std::shared_ptr<const Way> before;
    typename Model::Step step;
  };
  struct Node {
    Model state;
    std::shared_ptr<const Way> way;
  };

  // Goes from the states reached in n steps to those that need n + 1.
  void advance() {
    std::vector<Node> layer = std::exchange(layer_, {});
    for (const Node& node : layer) {
      const std::vector<typename Model::Step> steps = node.state.steps();
      if (steps.empty()) {
        attempt([&] { node.state.check_at_rest(); }, node.way);
      }
      for (const typename Model::Step& step : steps) {
        Node next{node.state, std::make_shared<const Way>(Way{node.way, step})};
        attempt([&] { next.state.apply(step); }, next.way);
        if (!result_.violation.empty()) {
          return;
        }
        if (visited_.insert(next.state.hash()).second) {
          layer_.push_back(std::move(next));
        }
      }
    }
  }

  template <class Action>
  void attempt(Action action, const std::shared_ptr<const Way>& way) {
    try {
      action();
    } catch (const Violation& violation) {
      report(violation.what(), way);
    } catch (const InternalError& error) {
      report(std::string("assertion: ") + error.what(), way);
    }
  }

  void report(std::string violation, std::shared_ptr<const Way> way) {
    result_.violation = std::move(violation);
    result_.steps.clear();
    for (; way != nullptr; way = way->before) {
      result_.steps.insert(result_.steps.begin(), to_string(way->step));
    }
  }

  std::unordered_set<std::uint64_t> visited_;
  std::vector<Node> layer_;
  Exploration result_;
};

template <Explorable Model>
[[nodiscard]] Exploration explore(const Model& initial) {
  return Explorer<Model>::explore(initial);
}

}  // namespace frond::test
