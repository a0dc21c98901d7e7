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

CostModel measured_costs(const CostArguments& arguments, const MachineProfile& machine, Method method, const std::string& scalar) {
  const auto own = machine.cores.find(scalar);
  const auto found = own == machine.cores.end() ? machine.cores.find("double") : own;
  if (found == machine.cores.end()) {
    throw InputError(arguments.machine, 0,
                     fmt::format("cores: knows neither {} nor double; write the file anew: frond calibrate --scalar double -o {}",
                                 scalar, arguments.machine));
  }
  const Derived derived = own == machine.cores.end() ? derived_from_double(scalar) : Derived{};
  const CoreProfile& core = found->second.at(method == Method::ldlh ? Method::ldlt : method);
  EliminationRates fronts = core.elimination.times(derived.flops);
  PartRates parts = core.parts.times(derived.flops);
  if (arguments.flops_per_second) {
    const double factor = *arguments.flops_per_second / fronts.largest_rate();
    fronts = fronts.times(factor);
    parts = parts.times(factor);
  }
  CostModel model;
  model.largest_rate = fronts.largest_rate();
  model.of_fronts.elimination = [fronts](double flops, Index order, Index num_pivots) {
    return flops / fronts.rate(order, num_pivots);
  };
  model.of_fronts.master = [table = parts.master](double flops, Index /*order*/, Index num_pivots) {
    return flops / table.rate(num_pivots);
  };
  model.of_fronts.slave = [table = parts.slave](double flops, Index /*order*/, Index num_rows) {
    return flops / table.rate(num_rows);
  };
  model.of_fronts.assembly = [table = core.assembly.times(derived.entries)](double entries, Index order) {
    return entries / table.rate(order);
  };
  model.of_fronts.seconds_per_front = core.seconds_per_front;
  model.of_fronts.seconds_per_original_entry = 1 / (derived.entries * core.original_entries_per_second);
  model.of_fronts.seconds_per_fresh_byte = 1 / machine.fresh_bytes_per_second;
  model.seconds_per_message = machine.seconds_per_message.value_or(model.seconds_per_message);
  model.seconds_per_message_byte = 1 / machine.copied_bytes_per_second;  // once on either side: other copies use warm memory
  model.wake_seconds = machine.wake_seconds;
  return model;
}

CostModel plain_costs(const CostArguments& arguments) {
  constexpr double kAssembledEntriesPerSecond = 0.5e9;
  CostModel model;
  model.largest_rate = arguments.flops_per_second.value_or(5e9);
  model.of_fronts.elimination = [most = model.largest_rate, half_rate_order = arguments.half_rate_order.value_or(60)](
                                    double flops, Index order, Index /*size*/) {
    return flops / (most / (1 + half_rate_order / std::max(order, 1)));
  };
  model.of_fronts.master = model.of_fronts.elimination;
  model.of_fronts.slave = model.of_fronts.elimination;
  model.of_fronts.assembly = [](double entries, Index /*order*/) { return entries / kAssembledEntriesPerSecond; };
  model.of_fronts.seconds_per_front = 1e-6;
  return model;
}

}  // namespace

CostModel cost_model(const CostArguments& arguments, const std::optional<MachineProfile>& machine, Method method,
                     const std::string& scalar) {
  if (!machine) {
    return plain_costs(arguments);
  }
  if (arguments.half_rate_order) {
    throw UsageError("--half-rate-order and --machine exclude each other: the machine's file has the rate at every order");
  }
  return measured_costs(arguments, *machine, method, scalar);
}

}  // namespace frond
