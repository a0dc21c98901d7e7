// SPDX-License-Identifier: BSD-3-Clause
// Selects the rates, and applies them to flops and entries.
#include "tools/simulation/cost_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frond/error.hpp"

namespace frond {
namespace {

// Rates of a type relative to those of double.
struct Derived {
  double flops = 1;
  double entries = 1;
};

Derived derived_from_double(const std::string& scalar) {
  const bool is_complex = scalar.rfind("complex", 0) == 0;
  const bool is_single = scalar.find("float") != std::string::npos;
  return {(is_complex ? 0.25 : 1.0) * (is_single ? 2 : 1), (is_complex ? 0.5 : 1.0) * (is_single ? 2 : 1)};
}

CostModel measured_costs(const std::string& file, const MachineProfile& machine, Method method, const std::string& scalar) {
  const auto own = machine.cores.find(scalar);
  const auto found = own == machine.cores.end() ? machine.cores.find("double") : own;
  if (found == machine.cores.end()) {
    throw InputError(file, 0,
                     fmt::format("cores: knows neither {} nor double; write the file anew: frond calibrate --scalar double -o {}",
                                 scalar, file));
  }
  const Derived derived = own == machine.cores.end() ? derived_from_double(scalar) : Derived{};
  const CoreProfile& core = found->second.at(method == Method::ldlh ? Method::ldlt : method);
  CostModel model;
  model.elimination = MeasuredRates{core.elimination.times(derived.flops), core.parts.times(derived.flops)};
  model.seconds_per_front = core.seconds_per_front;
  model.assembly = core.assembly.times(derived.entries);
  model.seconds_per_original_entry = 1 / (derived.entries * core.original_entries_per_second);
  model.seconds_per_fresh_byte = 1 / machine.fresh_bytes_per_second;
  model.seconds_per_message = machine.seconds_per_message.value_or(model.seconds_per_message);
  model.seconds_per_message_byte = 1 / machine.copied_bytes_per_second;  // once on either side: other copies use warm memory
  model.wake_seconds = machine.wake_seconds;
  return model;
}

HockneyRate plain_rate(const CostArguments& arguments) {
  HockneyRate rate;
  rate.flops_per_second = arguments.flops_per_second.value_or(rate.flops_per_second);
  rate.half_rate_order = arguments.half_rate_order.value_or(rate.half_rate_order);
  return rate;
}

}  // namespace

double CostModel::largest_rate() const {
  if (const auto* measured = std::get_if<MeasuredRates>(&elimination)) {
    return measured->fronts.largest_rate();
  }
  return std::get<HockneyRate>(elimination).flops_per_second;
}

GhostCosts ghost_costs(const CostModel& model) {
  GhostCosts costs;
  if (const auto* measured = std::get_if<MeasuredRates>(&model.elimination)) {
    costs.elimination = [fronts = measured->fronts](double flops, Index order, Index num_pivots) {
      return flops / fronts.rate(order, num_pivots);
    };
    costs.master = [table = measured->parts.master](double flops, Index /*order*/, Index num_pivots) {
      return flops / table.rate(num_pivots);
    };
    costs.slave = [table = measured->parts.slave](double flops, Index /*order*/, Index num_rows) {
      return flops / table.rate(num_rows);
    };
  } else {
    costs.elimination = [plain = std::get<HockneyRate>(model.elimination)](double flops, Index order, Index /*size*/) {
      return flops / plain.rate(std::max(order, 1));
    };
    costs.master = costs.elimination;
    costs.slave = costs.elimination;
  }
  costs.assembly = [table = model.assembly](double entries, Index order) { return entries / table.rate(order); };
  costs.seconds_per_front = model.seconds_per_front;
  costs.seconds_per_original_entry = model.seconds_per_original_entry;
  costs.seconds_per_fresh_byte = model.seconds_per_fresh_byte;
  return costs;
}

CostModel cost_model(const CostArguments& arguments, const std::optional<MachineProfile>& machine, Method method,
                     const std::string& scalar) {
  if (!machine) {
    CostModel plain;
    plain.elimination = plain_rate(arguments);
    return plain;
  }
  if (arguments.half_rate_order) {
    throw UsageError("--half-rate-order and --machine exclude each other: the machine's file has the rate at every order");
  }
  CostModel model = measured_costs(arguments.machine, *machine, method, scalar);
  if (arguments.flops_per_second) {
    const double factor = *arguments.flops_per_second / model.largest_rate();
    const auto& measured = std::get<MeasuredRates>(model.elimination);
    model.elimination = MeasuredRates{measured.fronts.times(factor), measured.parts.times(factor)};
  }
  return model;
}

}  // namespace frond
