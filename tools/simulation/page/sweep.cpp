// SPDX-License-Identifier: BSD-3-Clause
// Reads the record of a sweep.
#include "tools/simulation/page/sweep.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "frond/error.hpp"

namespace frond {
namespace {

using Json = nlohmann::ordered_json;

const std::array<std::string_view, kNumRoles> kRoleNames = {to_string(Role::subtree), to_string(Role::sequential),
                                                            to_string(Role::master), to_string(Role::slave), to_string(Role::grid)};
constexpr std::array<std::string_view, kNumTreeMarkKinds> kKindNames = {"subtree", "type1", "type2", "type3"};

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

SweepSetting read_setting(const Json& run) {
  return {text(run, "load_exchange"), text(run, "schedule"), run.value("load_thread", true)};
}

std::string messages_by_type(const Json& run) {
  std::string types;
  if (const auto found = run.find("load_messages_by_type"); found != run.end() && found->is_object()) {
    for (const auto& [type, count] : found->items()) {
      types += fmt::format("{}{} {}", types.empty() ? "" : ", ", type, count.dump());
    }
  }
  return types;
}

SweepRun read_run(const Json& json) {
  SweepRun run;
  run.num_ranks = number(json, "ranks");
  run.setting = read_setting(json);
  run.seconds = number(json, "predicted_seconds");
  run.mean_busy_seconds = number(json, "busy_seconds_mean");
  run.load_imbalance = number(json, "load_imbalance");
  run.peak_active_entries = number(json, "peak_active_entries_max");
  run.mean_peak_active_entries = number(json, "peak_active_entries_mean");
  run.fullest_rank = number(json, "peak_active_rank");
  run.peak_bytes = number(json, "peak_bytes_max");
  run.main_messages = number(json, "main_messages");
  run.main_message_bytes = number(json, "main_message_bytes");
  run.load_messages = number(json, "load_messages");
  run.load_message_bytes = number(json, "load_message_bytes");
  run.load_messages_by_type = messages_by_type(json);
  run.num_decisions = number(json, "dynamic_decisions");
  run.num_slaves = number(json, "slaves_chosen");
  run.snapshot_seconds = number(json, "snapshot_seconds");
  return run;
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
    tree.push_back({node.value("node", -1L), node.value("parent", -1L), parse<TreeMarkKind>(kKindNames, text(node, "kind")),
                    node.value("master", 0L), number(node, "order"), number(node, "fully_summed"), number(node, "flops")});
  }
  return tree;
}

}  // namespace

Sweep read_sweep(const Json& json) {
  Sweep sweep;
  sweep.matrix = text(json, "matrix");
  sweep.order = number(json, "order");
  sweep.num_entries = number(json, "entries");
  sweep.method = text(json, "method");
  for (const Json& run : list(json, "runs")) {
    sweep.runs.push_back(read_run(run));
  }
  for (const Json& run : list(json, "failed_runs")) {
    sweep.failed_runs.push_back({number(run, "ranks"), read_setting(run), text(run, "error")});
  }
  const auto shown = json.find("shown_run");
  if (shown != json.end() && shown->is_number_integer() && shown->get<std::size_t>() < sweep.runs.size()) {
    sweep.shown_run = &sweep.runs[shown->get<std::size_t>()];
    sweep.timeline = read_timeline(list(json, "timeline"));
    sweep.tree = read_tree(list(json, "tree"));
  }
  return sweep;
}

}  // namespace frond
