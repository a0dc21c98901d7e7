// SPDX-License-Identifier: BSD-3-Clause
// The functions that programs call: JOB=-1 and -2, and how a structure finds its instance.
#include <cmath>
#include <complex>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string_view>
#include <utility>

#include "interfaces/mumps/failure.hpp"
#include "interfaces/mumps/instance.hpp"
#include "interfaces/mumps/jobs.hpp"
#include "interfaces/mumps/structure.hpp"

#define FROND_EXPORT __attribute__((visibility("default")))

namespace frond::mumps {
namespace {

// The version of the clients for which this library is.
constexpr Version kVersion = FROND_MUMPS_VERSION;
constexpr std::string_view kVersionText = kVersion == Version::v5_3 ? "5.5.1" : kVersion == Version::v5_7 ? "5.8.2" : "5.9.1";

template <Scalar S>
constexpr Layout kLayout = layout_of(kVersion, sizeof(RealOf<S>));

// All instances of one kind of numbers. A structure has the number of its instance inside it, since clients copy and move
// structures; a number that is not there belongs to an instance that has ended.
template <Scalar S>
class Instances {
 public:
  int add(std::shared_ptr<Instance<S>> instance) {
    const std::lock_guard lock(mutex_);
    instances_.emplace(++last_number_, std::move(instance));
    return last_number_;
  }
  [[nodiscard]] std::shared_ptr<Instance<S>> find(int number) {
    const std::lock_guard lock(mutex_);
    const auto found = instances_.find(number);
    return found == instances_.end() ? nullptr : found->second;
  }
  void remove(int number) {
    std::shared_ptr<Instance<S>> last;  // ends without the lock
    const std::lock_guard lock(mutex_);
    if (const auto found = instances_.find(number); found != instances_.end()) {
      last = std::move(found->second);
      instances_.erase(found);
    }
  }

 private:
  std::mutex mutex_;
  int last_number_ = 0;  // numbers are not given twice: a copy of an old structure must not end a new instance
  std::map<int, std::shared_ptr<Instance<S>>> instances_;
};

// Never destroyed: destructors of a program's own static objects may end instances at its exit.
template <Scalar S>
Instances<S>& instances() {
  static auto* const all = new Instances<S>;
  return *all;
}

// What the guide documents for JOB=-1.
template <Scalar S>
void set_defaults(const Structure<S>& structure) {
  using Control = std::pair<int, int>;
  const int sym = structure.integer(Member::sym);
  structure.clear();
  for (const auto& [number, value] : {Control{1, 6},
                                      {3, 6},
                                      {4, 2},
                                      {6, sym == 1 ? 0 : 7},
                                      {7, 7},
                                      {8, 77},
                                      {9, 1},
                                      {12, sym == 2 ? 0 : 1},
                                      {14, sym == 1 ? 5 : 20},
                                      {27, -32},
                                      {28, 1},
                                      {38, 600},
                                      {58, 1}}) {
    structure.icntl(number) = value;
  }
  using R = RealOf<S>;
  structure.cntl(1) = sym == 1 && !kIsComplex<S> ? R(0) : R(0.01);
  structure.cntl(2) = std::sqrt(std::numeric_limits<R>::epsilon());
  structure.cntl(4) = R(-1);
  structure.integer(Member::nrhs) = 1;
  structure.set_text(Member::version_number, kVersionText);
  for (const Member name : {Member::ooc_tmpdir, Member::ooc_prefix, Member::write_problem, Member::save_dir, Member::save_prefix}) {
    structure.set_text(name, "NAME_NOT_INITIALIZED");
  }
}

template <Scalar S>
void call(void* data) {
  const Structure<S> structure(data, kLayout<S>);
  const int job = structure.integer(Member::job);
  int& number = structure.integer(Member::instance_number);
  if (job == kBegin) {
    set_defaults(structure);
    try {
      number = instances<S>().add(std::make_shared<Instance<S>>(structure));
    } catch (const std::bad_alloc&) {
      structure.set_info(1, static_cast<int>(Code::memory));
    } catch (const std::exception&) {  // MPI does not run, or there is no such communicator
      structure.set_info(1, static_cast<int>(Code::internal));
    }
    return;
  }
  structure.set_info(1, 0);
  structure.set_info(2, 0);
  if (job == kEnd) {
    instances<S>().remove(number);
    for (const Member own : {Member::sym_perm, Member::pivnul_list}) {
      structure.template pointer<void>(own) = nullptr;
    }
    return;
  }
  if (const std::shared_ptr<Instance<S>> instance = instances<S>().find(number)) {
    instance->call(structure);
    return;
  }
  structure.set_info(1, static_cast<int>(Code::wrong_job));
  structure.set_info(2, job);
}

}  // namespace
}  // namespace frond::mumps

extern "C" {

FROND_EXPORT void smumps_c(void* data) { frond::mumps::call<float>(data); }
FROND_EXPORT void dmumps_c(void* data) { frond::mumps::call<double>(data); }
FROND_EXPORT void cmumps_c(void* data) { frond::mumps::call<std::complex<float>>(data); }
FROND_EXPORT void zmumps_c(void* data) { frond::mumps::call<std::complex<double>>(data); }
}
