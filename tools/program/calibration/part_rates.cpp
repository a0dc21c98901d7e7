// SPDX-License-Identifier: BSD-3-Clause
// Passes messages between the parts of a front, and times each part's work.
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "analysis/tree/front_cost.hpp"
#include "factorization/distributed/part_work.hpp"
#include "factorization/kernels/rank_update.hpp"
#include "frond/error.hpp"
#include "tools/program/calibration/core_rates.hpp"
#include "tools/program/calibration/sample_front.hpp"

namespace frond {
namespace {

constexpr Rank kMaster = 0;
constexpr Rank kNumSlaves = 4;     // ranks 1 to 4
constexpr Index kLeastSize = 16;   // of the sizes in the tables
constexpr Index kSlavePanels = 2;  // in a front for timing slaves
constexpr Index kMasterRows = 64;  // per slave in a front for timing masters

struct PartSeconds {
  double master = 0;
  double slaves = 0;  // all slaves together
};

/// A front whose slaves hold equal numbers of rows.
template <Scalar S>
class SampleParts {
 public:
  SampleParts(Method method, Index num_fully_summed, Index rows_of_each)
      : method_(method),
        size_{0, num_fully_summed, num_fully_summed + kNumSlaves * rows_of_each},
        master_(method, is_symmetric(method) ? num_fully_summed : size_.order, num_fully_summed) {
    for (Rank slave = 0; slave < kNumSlaves; ++slave) {
      shares_.push_back({slave + 1, slave * rows_of_each, (slave + 1) * rows_of_each});
    }
  }

  /// Assembles and eliminates the front; only elimination is timed.
  PartSeconds eliminate() {
    assemble();
    seconds_ = {};
    start();
    while (!mail_.empty()) {
      const auto [from, message] = std::move(mail_.front());
      mail_.pop_front();
      deliver(from, message);
    }
    if (master_.front().factor.num_eliminated < size_.num_fully_summed) {
      throw InternalError("a sample front delays pivots");
    }
    return seconds_;
  }

  [[nodiscard]] double master_flops() const { return master_cost(size_.order, size_.num_fully_summed, method_).flops; }
  [[nodiscard]] double slave_flops() const {
    return slave_cost(size_.order, size_.num_fully_summed, 0, size_.cb_order(), method_).flops;
  }

 private:
  // The slaves' entries do not matter: they are below every threshold.
  void assemble() {
    master_.fill();
    master_.front().factor.num_eliminated = 0;
    rows_.clear();
    for (const RowShare& share : shares_) {
      SlaveRows<S>& rows = rows_.emplace_back();
      rows.size = size_;
      rows.row_begin = share.row_begin;
      rows.num_rows = share.row_end - share.row_begin;
    }
    memory_.resize(2 * rows_.size());
    for (std::size_t slave = 0; slave < rows_.size(); ++slave) {
      std::vector<S>& summed = memory_[2 * slave];
      std::vector<S>& cb = memory_[2 * slave + 1];
      summed.assign(static_cast<std::size_t>(rows_[slave].summed_entries()), static_cast<S>(static_cast<RealOf<S>>(0.25)));
      cb.assign(static_cast<std::size_t>(rows_[slave].cb_entries(method_)), S(0));
      rows_[slave].summed = summed.data();
      rows_[slave].cb = cb.data();
    }
  }

  void start() {
    const PivotTolerances<RealOf<S>> tolerances{static_cast<RealOf<S>>(0.01), 0};
    master_work_ = make_master_work(method_, master_.front().factor, shares_, tolerances, run_as_one_chunk);
    slave_works_.clear();
    for (SlaveRows<S>& rows : rows_) {
      slave_works_.push_back(make_slave_work(method_, rows, kMaster, shares_, tolerances, run_as_one_chunk));
    }
    run_master([&] { return master_work_->begin(); });
    for (Rank slave = 1; slave <= kNumSlaves; ++slave) {
      run_slave(slave, [](PartWork& work) { return work.begin(); });
    }
  }

  void deliver(Rank from, const PartMessage& message) {
    if (message.role == PartRole::master) {
      run_master([&] { return master_work_->receive(from, *message.body); });
    } else {
      for (const Rank slave : message.to) {
        run_slave(slave, [&](PartWork& work) { return work.receive(from, *message.body); });
      }
    }
  }

  template <class Step>
  void run_master(Step first) {
    const ThreadStopwatch watch;
    PartStep step = first();
    post(kMaster, step);
    while (step.goes_on) {
      step = master_work_->go_on();
      post(kMaster, step);
    }
    seconds_.master += watch.seconds();
  }

  template <class Step>
  void run_slave(Rank slave, Step next) {
    const ThreadStopwatch watch;
    post(slave, next(*slave_works_[slave - 1]));
    seconds_.slaves += watch.seconds();
  }

  void post(Rank from, const PartStep& step) {
    for (const PartMessage& message : step.messages) {
      mail_.emplace_back(from, message);
    }
  }

  Method method_;
  FrontSize size_;
  SampleFront<S> master_;
  std::vector<RowShare> shares_;
  std::vector<SlaveRows<S>> rows_;
  std::vector<std::vector<S>> memory_;  // of the slaves, two for each
  std::unique_ptr<PartWork> master_work_;
  std::vector<std::unique_ptr<PartWork>> slave_works_;
  std::deque<std::pair<Rank, PartMessage>> mail_;
  PartSeconds seconds_;
};

// Returns medians of several eliminations, after one warm-up.
template <Scalar S>
PartSeconds median_elimination(SampleParts<S>& parts, const CalibrationEffort& effort) {
  std::vector<double> master;
  std::vector<double> slaves;
  double total = 0;
  static_cast<void>(parts.eliminate());
  while (static_cast<int>(master.size()) < effort.least_repetitions || total < effort.least_seconds) {
    const PartSeconds seconds = parts.eliminate();
    master.push_back(seconds.master);
    slaves.push_back(seconds.slaves);
    total += seconds.master + seconds.slaves;
  }
  return {median(master), median(slaves)};
}

}  // namespace

template <Scalar S>
PartRates measure_parts(Method method, const CalibrationEffort& effort) {
  std::vector<RateTable::Point> master;
  std::vector<RateTable::Point> slave;
  for (Index size = kLeastSize; size <= effort.largest_order / 8; size *= 2) {
    SampleParts<S> large_master(method, size, kMasterRows);
    master.push_back({static_cast<double>(size), large_master.master_flops() / median_elimination(large_master, effort).master});
    SampleParts<S> large_slaves(method, kSlavePanels * kPanelWidth, size);
    slave.push_back({static_cast<double>(size), large_slaves.slave_flops() / median_elimination(large_slaves, effort).slaves});
  }
  return {RateTable(std::move(master)), RateTable(std::move(slave))};
}

template PartRates measure_parts<float>(Method, const CalibrationEffort&);
template PartRates measure_parts<double>(Method, const CalibrationEffort&);
template PartRates measure_parts<std::complex<float>>(Method, const CalibrationEffort&);
template PartRates measure_parts<std::complex<double>>(Method, const CalibrationEffort&);

}  // namespace frond
