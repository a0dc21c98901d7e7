// SPDX-License-Identifier: BSD-3-Clause
// The names of the symmetries of a matrix.
#include "matrices/symmetry.hpp"

namespace frond {

const char* to_string(Symmetry symmetry) {
  switch (symmetry) {
    case Symmetry::general:
      return "general";
    case Symmetry::symmetric:
      return "symmetric";
    case Symmetry::skew_symmetric:
      return "skew-symmetric";
    case Symmetry::hermitian:
      return "hermitian";
  }
  return "";
}

}  // namespace frond
