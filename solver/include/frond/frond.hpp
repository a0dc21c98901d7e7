// SPDX-License-Identifier: BSD-3-Clause
// Everything an embedding program includes: sparse matrices, files, and the solver. With Eigen, also include "solver/eigen.hpp".
#pragma once

#include "matrices/assemble_elements.hpp"
#include "matrices/build.hpp"
#include "matrices/error.hpp"
#include "matrices/read.hpp"
#include "matrices/sparse_matrix.hpp"
#include "matrices/write.hpp"
#include "solver/factorization.hpp"
#include "solver/problem/options.hpp"
#include "solver/problem/report.hpp"
#include "solver/problem/system_matrix.hpp"
#include "solver/solve.hpp"
