// SPDX-License-Identifier: BSD-3-Clause
// A program that calls MUMPS, compiled with its header: by the library that it is given, in a process of its own.
#pragma once

#include <complex>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include <cmumps_c.h>
#include <dmumps_c.h>
#include <smumps_c.h>
#include <zmumps_c.h>

#include "frond/types.hpp"

namespace frond::testing {

/// The structure and the name of the function for one kind of numbers.
template <Scalar S>
struct MumpsOf;
template <>
struct MumpsOf<float> {
  using Struct = SMUMPS_STRUC_C;
  static constexpr const char* kName = "smumps_c";
};
template <>
struct MumpsOf<double> {
  using Struct = DMUMPS_STRUC_C;
  static constexpr const char* kName = "dmumps_c";
};
template <>
struct MumpsOf<std::complex<float>> {
  using Struct = CMUMPS_STRUC_C;
  static constexpr const char* kName = "cmumps_c";
};
template <>
struct MumpsOf<std::complex<double>> {
  using Struct = ZMUMPS_STRUC_C;
  static constexpr const char* kName = "zmumps_c";
};

/// Loads the library in a child process and returns what work(function), called with the function of this name there, returns;
/// "died: ..." if the child did not return.
[[nodiscard]] std::string with_library(const std::string& path, const char* name, const std::function<std::string(void*)>& work);

/// One instance. The library prints nothing.
template <Scalar S>
class Client {
 public:
  using Struct = typename MumpsOf<S>::Struct;

  /// `communicator` is its number in Fortran.
  explicit Client(void* function, int sym, int communicator = kWithoutMpi)
      : function_(reinterpret_cast<void (*)(Struct*)>(function)) {
    constexpr int kGarbage = 0x5a;
    std::memset(&id, kGarbage, sizeof(id));
    id.sym = sym;
    id.par = 1;
    id.comm_fortran = communicator;
    call(-1);
    set(1, 0), set(2, 0), set(3, 0), set(4, 0);
  }
  ~Client() { call(-2); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Returns INFOG(1).
  int call(int job) {
    id.job = job;
    function_(&id);
    return id.infog[0];
  }
  void set(int control, int value) { id.icntl[control - 1] = value; }
  /// `rows` and `cols` count from 1.
  void give(int n, std::vector<int>& rows, std::vector<int>& cols, std::vector<S>& values) {
    id.n = n;
    id.nnz = static_cast<MUMPS_INT8>(rows.size());
    id.irn = rows.data();
    id.jcn = cols.data();
    id.a = numbers(values);
  }
  /// The array as the structure has it.
  template <class T>
  [[nodiscard]] static auto* numbers(std::vector<T>& values) {
    return reinterpret_cast<std::remove_pointer_t<decltype(Struct::a)>*>(values.data());
  }
  /// "INFOG(1),INFOG(2)"
  [[nodiscard]] std::string info() const { return std::to_string(id.infog[0]) + ',' + std::to_string(id.infog[1]); }

  Struct id;

 private:
  static constexpr int kWithoutMpi = -987654;

  void (*function_)(Struct*);
};

}  // namespace frond::testing
