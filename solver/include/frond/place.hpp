// SPDX-License-Identifier: BSD-3-Clause
// Says where systems are analysed, factorized and solved.
#pragma once

#include <memory>

#include <frond/types.hpp>

namespace frond {

class PlaceParts;

/// This process alone, or several that solve together: on() in <frond/mpi.hpp> and survive() in <frond/survive.hpp> return such
/// places. A value that is cheap to copy; what is made at a place keeps a copy.
///
/// Over several processes all calls are collective: each process makes them in the same order, by the thread that made the objects,
/// one at a time. Rank 0 leads: matrices, right-hand sides, patterns, options, operations and file names are its own, and results
/// except reports are given to it; the others pass empty ones (SystemMatrix<S>()). What each process may pass or request, such as
/// triplets and rows, is said where it is so. An error on one process is thrown on all.
class FROND_API Place {
 public:
  Place();  ///< this process alone

  [[nodiscard]] Rank rank() const;       ///< of this process, from 0 on
  [[nodiscard]] Rank num_ranks() const;  ///< number of processes

  explicit Place(std::shared_ptr<const PlaceParts> parts);           ///< for internal use
  [[nodiscard]] const PlaceParts& parts() const { return *parts_; }  ///< for internal use

 private:
  std::shared_ptr<const PlaceParts> parts_;
};

}  // namespace frond
