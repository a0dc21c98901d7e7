// SPDX-License-Identifier: BSD-3-Clause
// One system between the first and the last call: what JOB=1, 2 and 3 do.
#pragma once

#include <mutex>
#include <span>

#include "interfaces/mumps/structure.hpp"
#include "interfaces/mumps/system.hpp"

namespace frond::mumps {

/// Calls of different instances may run at the same time; those of one run one after the other.
template <Scalar S>
class Instance {
 public:
  /// Takes SYM, PAR and COMM_FORTRAN. Collective, as all calls are.
  explicit Instance(const Structure<S>& structure);

  /// Does what JOB says, from 1 to 6, and sets INFO and INFOG. Nothing is thrown.
  void call(const Structure<S>& structure) noexcept;

 private:
  void attempt(const Structure<S>& structure) noexcept;
  void run(const Structure<S>& structure);
  void analyze(const Structure<S>& structure);
  void begin_system(const Structure<S>& structure);
  [[nodiscard]] std::span<const S> values_for_analysis(const Structure<S>& structure);
  void note_mapping(const Structure<S>& structure);
  void note_positions(std::span<const Index> elimination_order, const Structure<S>& structure);
  void set_given_order(const Structure<S>& structure);
  void set_schur_variables(const Structure<S>& structure);
  void set_schur_grid(const Structure<S>& structure);
  void factorize(const Structure<S>& structure);
  [[nodiscard]] std::span<const S> values_for_factorization(const Structure<S>& structure);
  void set_given_scales(const Structure<S>& structure);
  void note_null_pivots(const Structure<S>& structure);
  void write_schur(const Structure<S>& structure);
  void write_schur_part(const Structure<S>& structure);

  bool works_;  // false: PAR=0 leaves no process to work
  std::mutex mutex_;
  System<S> system_;
};

}  // namespace frond::mumps
