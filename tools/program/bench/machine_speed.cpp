// SPDX-License-Identifier: BSD-3-Clause
// Times DGEMM and a triad (McCalpin 1995, "Memory bandwidth and machine balance in current high performance computers").
#include "tools/program/bench/machine_speed.hpp"

#include <cblas.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "tools/program/bench/statistics.hpp"
#include "tools/program/process/stopwatch.hpp"

namespace frond {
namespace {

constexpr int kRepetitions = 5;
constexpr std::size_t kDgemmOrder = 2000;
constexpr double kDgemmFlops = 2.0 * kDgemmOrder * kDgemmOrder * kDgemmOrder;
constexpr std::size_t kTriadLength = std::size_t{1} << 23;  // three arrays of 64 MiB per thread: larger than all caches
constexpr double kTriadBytes = 3.0 * sizeof(double) * kTriadLength;

/// One product of square matrices, with its own operands.
class Product {
 public:
  Product() : a_(kDgemmOrder * kDgemmOrder, 1.0), b_(a_), c_(a_) {}

  void operator()() {
    constexpr auto n = static_cast<blasint>(kDgemmOrder);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, a_.data(), n, b_.data(), n, 0.0, c_.data(), n);
  }

 private:
  std::vector<double> a_;
  std::vector<double> b_;
  std::vector<double> c_;
};

class Triad {
 public:
  Triad() : a_(kTriadLength, 1.0), b_(kTriadLength, 2.0), c_(kTriadLength, 3.0) {}

  void operator()() {
    for (std::size_t i = 0; i < kTriadLength; ++i) {
      a_[i] = b_[i] + 0.5 * c_[i];
    }
  }

 private:
  std::vector<double> a_;
  std::vector<double> b_;
  std::vector<double> c_;
};

/// Returns the median time of one worker per thread, side by side, after one warm-up run.
template <class Worker>
double seconds_side_by_side(int num_threads) {
  std::vector<Worker> workers(static_cast<std::size_t>(num_threads));
  std::vector<double> seconds;
  for (int repetition = 0; repetition <= kRepetitions; ++repetition) {
    const Stopwatch stopwatch;
    {
      std::vector<std::jthread> threads;
      threads.reserve(workers.size());
      for (Worker& worker : workers) {
        threads.emplace_back(std::ref(worker));
      }
    }
    if (repetition > 0) {
      seconds.push_back(stopwatch.seconds());
    }
  }
  return median(seconds);
}

}  // namespace

MachineSpeed measure_machine(int num_threads) {
  openblas_set_num_threads(1);
  return {num_threads, num_threads * kDgemmFlops / seconds_side_by_side<Product>(num_threads),
          num_threads * kTriadBytes / seconds_side_by_side<Triad>(num_threads), openblas_get_config()};
}

nlohmann::ordered_json to_json(const MachineSpeed& speed) {
  return {{"threads", speed.num_threads},
          {"dgemm_flops_per_second", speed.flop_rate},
          {"triad_bytes_per_second", speed.bandwidth},
          {"blas", speed.blas}};
}

MachineSpeed machine_speed_from(const nlohmann::json& json) {
  return {json.at("threads"), json.at("dgemm_flops_per_second"), json.at("triad_bytes_per_second"), json.at("blas")};
}

}  // namespace frond
