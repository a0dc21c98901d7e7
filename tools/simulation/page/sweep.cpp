// SPDX-License-Identifier: BSD-3-Clause
// Reads the record of a sweep.
#include "tools/simulation/page/sweep.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

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

SweepRun read_run(const Json& json) {
  return {number(json, "ranks"), {text(json, "load_exchange"), text(json, "schedule"), json.value("load_thread", true)}, json};
}

std::vector<SweepRun> read_runs(const Json& list) {
  std::vector<SweepRun> runs;
  std::transform(list.begin(), list.end(), std::back_inserter(runs), read_run);
  return runs;
}

}  // namespace

double SweepRun::operator[](RunFigure figure) const { return number(record, figure); }

std::string SweepRun::text(const char* key) const { return frond::text(record, key); }

Sweep read_sweep(const Json& json, ShownRun shown) {
  Sweep sweep;
  sweep.matrix = text(json, "matrix");
  sweep.order = number(json, "order");
  sweep.num_entries = number(json, "entries");
  sweep.method = text(json, "method");
  sweep.runs = read_runs(list(json, "runs"));
  sweep.failed_runs = read_runs(list(json, "failed_runs"));
  sweep.shown_run = shown.number ? &sweep.runs[*shown.number] : nullptr;
  sweep.timeline = std::move(shown.timeline);
  sweep.tree = std::move(shown.tree);
  return sweep;
}

}  // namespace frond
