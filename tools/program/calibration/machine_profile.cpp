// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes machine profiles as JSON.
#include "tools/program/calibration/machine_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "frond/error.hpp"

namespace frond {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<const char*, Method>, 3> kMethods = {
    {{"cholesky", Method::cholesky}, {"ldlt", Method::ldlt}, {"lu", Method::lu}}};
constexpr std::array<const char*, 4> kScalars = {"float", "double", "complex float", "complex double"};

struct MachineFigure {
  const char* key;
  double MachineProfile::*value;
  bool may_be_zero = false;
};
constexpr std::array<MachineFigure, 3> kFigures = {{{"fresh_bytes_per_second", &MachineProfile::fresh_bytes_per_second},
                                                    {"copied_bytes_per_second", &MachineProfile::copied_bytes_per_second},
                                                    {"wake_seconds", &MachineProfile::wake_seconds, true}}};

// Measured between processes.
struct NetworkFigure {
  const char* key;
  std::optional<double> MachineProfile::*value;
  bool may_be_zero = false;
};
constexpr std::array<NetworkFigure, 3> kNetworkFigures = {{{"seconds_per_message", &MachineProfile::seconds_per_message, true},
                                                           {"latency_seconds", &MachineProfile::latency_seconds, true},
                                                           {"bytes_per_second", &MachineProfile::bytes_per_second}}};

/// A value of the file, and its path there.
class JsonPlace {
 public:
  JsonPlace(const std::string& file, const Json& value) : JsonPlace(file, "", value) {}

  [[noreturn]] void refuse(const std::string& cause) const {
    throw InputError(
        file_, 0, fmt::format("{}{}{}; write the file anew: frond calibrate -o {}", key_, key_.empty() ? "" : ": ", cause, file_));
  }

  [[nodiscard]] bool has(const std::string& key) const { return object().contains(key); }

  [[nodiscard]] JsonPlace at(const std::string& key) const {
    const auto found = object().find(key);
    const std::string path = key_.empty() ? key : key_ + "." + key;
    if (found == object().end()) {
      JsonPlace(file_, path, value_).refuse("is missing");
    }
    return {file_, path, *found};
  }

  [[nodiscard]] std::string text() const {
    if (!value_.is_string()) {
      refuse("must be a text in quotes");
    }
    return value_.get<std::string>();
  }

  /// Returns a number greater than 0 or, if allowed, 0.
  [[nodiscard]] double number(bool may_be_zero = false) const {
    const double number = value_.is_number() ? value_.get<double>() : -1;
    if (!(number > 0 || (may_be_zero && number == 0)) || !std::isfinite(number)) {
      refuse(may_be_zero ? "must be a number, 0 or more" : "must be a number greater than 0");
    }
    return number;
  }

  [[nodiscard]] RateTable rates() const {
    if (!value_.is_array()) {
      refuse("must be a list of pairs [size, rate]");
    }
    std::vector<RateTable::Point> points;
    for (const Json& pair : value_) {
      if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number() || !pair[1].is_number()) {
        refuse("must be a list of pairs [size, rate]");
      }
      points.push_back({pair[0], pair[1]});
    }
    try {
      return RateTable(std::move(points));
    } catch (const UsageError& error) {
      refuse(error.what());
    }
  }

 private:
  JsonPlace(const std::string& file, std::string key, const Json& value) : file_(file), key_(std::move(key)), value_(value) {}

  [[nodiscard]] const Json& object() const {
    if (!value_.is_object()) {
      refuse("must be an object in braces");
    }
    return value_;
  }

  const std::string& file_;
  std::string key_;
  const Json& value_;
};

// Rounds to four digits: more were not measured.
double rounded(double value) {
  const double unit = value > 0 ? std::pow(10.0, std::floor(std::log10(value)) - 3) : 1;
  return unit < 1 ? std::round(value / unit) / std::round(1 / unit) : std::round(value / unit) * unit;
}

Json rates_json(const RateTable& table) {
  Json list = Json::array();
  for (const RateTable::Point& point : table.points()) {
    list.push_back({point.size, rounded(point.rate)});
  }
  return list;
}

Json core_json(const CoreProfile& core) {
  return {{"seconds_per_front", rounded(core.seconds_per_front)},
          {"original_entries_per_second", rounded(core.original_entries_per_second)},
          {"assembled_entries_per_second", rates_json(core.assembly)},
          {"half_summed_flops_per_second", rates_json(core.elimination.half_summed)},
          {"all_summed_flops_per_second", rates_json(core.elimination.all_summed)},
          {"master_flops_per_second", rates_json(core.parts.master)},
          {"slave_flops_per_second", rates_json(core.parts.slave)}};
}

CoreProfile core_from(const JsonPlace& place) {
  return {{place.at("half_summed_flops_per_second").rates(), place.at("all_summed_flops_per_second").rates()},
          {place.at("master_flops_per_second").rates(), place.at("slave_flops_per_second").rates()},
          place.at("assembled_entries_per_second").rates(),
          place.at("seconds_per_front").number(true),
          place.at("original_entries_per_second").number()};
}

MachineProfile profile_from(const JsonPlace& file) {
  MachineProfile profile;
  profile.processor = file.at("processor").text();
  profile.date = file.at("date").text();
  for (const auto& [key, value, may_be_zero] : kFigures) {
    profile.*value = file.at(key).number(may_be_zero);
  }
  for (const auto& [key, value, may_be_zero] : kNetworkFigures) {
    if (file.has(key)) {
      profile.*value = file.at(key).number(may_be_zero);
    }
  }
  const JsonPlace cores = file.at("cores");
  for (const char* scalar : kScalars) {
    if (cores.has(scalar)) {
      for (const auto& [name, method] : kMethods) {
        profile.cores[scalar].emplace(method, core_from(cores.at(scalar).at(name)));
      }
    }
  }
  if (profile.cores.empty()) {
    cores.refuse("holds no scalar type: float, double, complex float or complex double");
  }
  return profile;
}

}  // namespace

double EliminationRates::rate(double order, double num_pivots) const {
  const double half = half_summed.rate(order);
  const double part = std::clamp(2 * num_pivots / order - 1, 0.0, 1.0);
  return half * std::pow(all_summed.rate(order) / half, part);
}

double EliminationRates::largest_rate() const { return std::max(half_summed.largest_rate(), all_summed.largest_rate()); }

EliminationRates EliminationRates::times(double factor) const { return {half_summed.times(factor), all_summed.times(factor)}; }

Json to_json(const MachineProfile& profile) {
  Json json = {{"processor", profile.processor}, {"date", profile.date}};
  for (const MachineFigure& figure : kFigures) {
    json[figure.key] = rounded(profile.*figure.value);
  }
  for (const NetworkFigure& figure : kNetworkFigures) {
    if (const std::optional<double>& known = profile.*figure.value) {
      json[figure.key] = rounded(*known);
    }
  }
  for (const auto& [scalar, cores] : profile.cores) {
    for (const auto& [name, method] : kMethods) {
      json["cores"][scalar][name] = core_json(cores.at(method));
    }
  }
  return json;
}

MachineProfile read_machine_profile(const std::string& path) {
  std::ifstream stream(path);
  if (!stream) {
    throw InputError(path, 0, fmt::format("cannot be read; write it with frond calibrate -o {}", path));
  }
  const Json json = Json::parse(stream, nullptr, false);
  const JsonPlace file(path, json);
  if (json.is_discarded()) {
    file.refuse("is not JSON");
  }
  return profile_from(file);
}

}  // namespace frond
