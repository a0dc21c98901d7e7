// SPDX-License-Identifier: BSD-3-Clause
// Generates Jacobians of the power flow equations in polar coordinates, of feeders (trees) and of meshed grids.
#include <algorithm>
#include <complex>
#include <cstddef>
#include <vector>

#include "frond/matrix.hpp"
#include "matrices/model_problems.hpp"
#include "matrices/random.hpp"

namespace frond {

namespace {

using Complex = std::complex<double>;

struct Bus {
  Complex voltage = 1.0;  ///< per unit
  Complex admittance;     ///< diagonal entry of the admittance matrix
  Complex current;        ///< injected: the sum of admittances times voltages
  Index angle = -1;       ///< number of the unknown angle, and of the equation of active power; -1: slack bus
  Index magnitude = -1;   ///< of the unknown magnitude, and of the equation of reactive power; -1: slack or generator (PV)
};

struct Line {
  Index from;
  Index to;
  Complex admittance;  ///< per unit, of the series impedance
  double charging;     ///< susceptance at each end
};

/// A grid in a state near the solution: magnitudes near 1, and a few degrees between neighbours.
class PowerGrid {
 public:
  PowerGrid(Index num_buses, bool is_meshed, std::uint64_t seed)
      : random_(seed), is_meshed_(is_meshed), buses_(static_cast<std::size_t>(num_buses)) {
    for (Index k = 1; k < num_buses; ++k) {
      const Index parent = k - 1 - random_.below(std::min<Index>(k, is_meshed ? 12 : 3));
      bus(k).voltage = std::polar(random_.between(0.96, 1.05), std::arg(bus(parent).voltage) + random_.between(-0.06, 0.04));
      add_line(parent, k);
    }
    for (Index k = 0; is_meshed && k < num_buses / 2; ++k) {
      const Index from = random_.below(num_buses - 1);
      add_line(from, std::min(num_buses - 1, from + 2 + random_.below(20)));
    }
  }

  [[nodiscard]] SparseMatrix<double> jacobian() {
    number_unknowns();
    for (std::size_t k = 0; k < buses_.size(); ++k) {
      add_diagonal_block(buses_[k]);
    }
    for (const Line& line : lines_) {
      add_coupling(bus(line.from), bus(line.to), -line.admittance);
      add_coupling(bus(line.to), bus(line.from), -line.admittance);
    }
    return compress(std::move(entries_));
  }

 private:
  Bus& bus(Index k) { return buses_[k]; }

  /// Transmission lines are inductive and have charging currents; cables of feeders are short and mostly resistive.
  void add_line(Index from, Index to) {
    const double reactance = is_meshed_ ? random_.across_scales(0.005, 0.3) : random_.across_scales(0.0005, 0.02);
    const double resistance = reactance * (is_meshed_ ? random_.between(0.08, 0.4) : random_.between(0.5, 2));
    const Line line{from, to, 1.0 / Complex(resistance, reactance), is_meshed_ ? random_.between(0.005, 0.1) : 0.0};
    for (const auto& [end, other] : {std::pair(from, to), std::pair(to, from)}) {
      bus(end).admittance += line.admittance + Complex(0, line.charging);
      bus(end).current -= line.admittance * bus(other).voltage;
    }
    lines_.push_back(line);
  }

  /// Angles come first, then magnitudes. Bus 0 is the slack bus; a sixth of the buses of a meshed grid have generators.
  void number_unknowns() {
    Index number = 0;
    for (std::size_t k = 1; k < buses_.size(); ++k) {
      buses_[k].angle = number++;
    }
    for (std::size_t k = 1; k < buses_.size(); ++k) {
      buses_[k].magnitude = is_meshed_ && random_.happens(1.0 / 6) ? -1 : number++;
    }
    entries_.num_rows = entries_.num_cols = number;
  }

  /// Derivatives of the power that a bus injects by the voltage at the bus itself.
  void add_diagonal_block(const Bus& bus) {
    const Complex power = bus.voltage * std::conj(bus.current + bus.admittance * bus.voltage);
    const double size = std::abs(bus.voltage);
    const Complex own = std::conj(bus.admittance) * size * size;
    add_block(bus, bus, Complex(0, 1) * (power - own), (power + own) / size);
  }

  /// Derivatives of the power that `bus` injects by the voltage at a neighbour.
  void add_coupling(const Bus& bus, const Bus& neighbour, Complex admittance) {
    const Complex power = bus.voltage * std::conj(admittance * neighbour.voltage);
    add_block(bus, neighbour, Complex(0, -1) * power, power / std::abs(neighbour.voltage));
  }

  void add_block(const Bus& row, const Bus& col, Complex by_angle, Complex by_magnitude) {
    add(row.angle, col.angle, by_angle.real());
    add(row.angle, col.magnitude, by_magnitude.real());
    add(row.magnitude, col.angle, by_angle.imag());
    add(row.magnitude, col.magnitude, by_magnitude.imag());
  }

  void add(Index row, Index col, double value) {
    if (row >= 0 && col >= 0) {
      entries_.add(row, col, value);
    }
  }

  Random random_;
  bool is_meshed_;
  std::vector<Bus> buses_;
  std::vector<Line> lines_;
  Triplets<double> entries_;
};

}  // namespace

SparseMatrix<double> make_power_flow(Index num_buses, bool is_meshed, std::uint64_t seed) {
  return PowerGrid(num_buses, is_meshed, seed).jacobian();
}

}  // namespace frond
