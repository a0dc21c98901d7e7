// SPDX-License-Identifier: BSD-3-Clause
// Includes everything needed to solve linear systems. Add <frond/eigen.hpp> for matrices of Eigen, and <frond/mpi.hpp> for several
// processes.
#pragma once

#include <frond/analysis.hpp>
#include <frond/answers.hpp>
#include <frond/batch.hpp>
#include <frond/dense.hpp>
#include <frond/error.hpp>
#include <frond/factorization.hpp>
#include <frond/files.hpp>
#include <frond/matrix.hpp>
#include <frond/observer.hpp>
#include <frond/options.hpp>
#include <frond/report.hpp>
#include <frond/solve.hpp>
#include <frond/types.hpp>
