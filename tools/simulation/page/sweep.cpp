// SPDX-License-Identifier: BSD-3-Clause
// Reads the record of a sweep.
#include "tools/simulation/page/sweep.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "frond/error.hpp"

namespace frond {
namespace {

using Json = nlohmann::ordered_json;

double number(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

std::string text(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

const Json& list(const Json& object, const char* key) {
  static const Json kEmpty = Json::array();
  const auto found = object.find(key);
  return found != object.end() && found->is_array() ? *found : kEmpty;
}

template <class Enumeration, std::size_t Count>
Enumeration parse(const std::array<std::string_view, Count>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw InternalError(fmt::format("the record of a sweep has a role or kind of node '{}' that its page does not know", name));
  }
  return static_cast<Enumeration>(found - names.begin());
}

SweepRun read_run(const Json& json) {
  return {number(json, "ranks"), {text(json, "load_exchange"), text(json, "schedule"), json.value("load_thread", true)}, json};
}

std::vector<SweepRun> read_runs(const Json& list) {
  std::vector<SweepRun> runs;
  std::transform(list.begin(), list.end(), std::back_inserter(runs), read_run);
  return runs;
}

Timeline read_timeline(const Json& ranks) {
  Timeline timeline(ranks.size());
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    for (const Json& span : ranks[rank]) {
      timeline[rank].push_back(
          {span[0].get<double>(), span[1].get<double>(), span[2].get<long>(), parse<Role>(kRoleNames, span[3].get<std::string>())});
    }
  }
  return timeline;
}

std::vector<TreeMark> read_tree(const Json& nodes) {
  std::vector<TreeMark> tree;
  tree.reserve(nodes.size());
  for (const Json& node : nodes) {
    tree.push_back({node.value("node", -1L), node.value("parent", -1L), parse<TreeMarkKind>(kTreeMarkKindNames, text(node, "kind")),
                    node.value("master", 0L), number(node, "order"), number(node, "fully_summed"), number(node, "flops")});
  }
  return tree;
}

}  // namespace

double SweepRun::operator[](RunFigure figure) const { return number(record, figure); }

std::string SweepRun::text(const char* key) const { return frond::text(record, key); }

Sweep read_sweep(const Json& json) {
  Sweep sweep;
  sweep.matrix = text(json, "matrix");
  sweep.order = number(json, "order");
  sweep.num_entries = number(json, "entries");
  sweep.method = text(json, "method");
  sweep.runs = read_runs(list(json, "runs"));
  sweep.failed_runs = read_runs(list(json, "failed_runs"));
  const auto shown = json.find("shown_run");
  if (shown != json.end() && shown->is_number_integer() && shown->get<std::size_t>() < sweep.runs.size()) {
    sweep.shown_run = &sweep.runs[shown->get<std::size_t>()];
    sweep.timeline = read_timeline(list(json, "timeline"));
    sweep.tree = read_tree(list(json, "tree"));
  }
  return sweep;
}

}  // namespace frond
