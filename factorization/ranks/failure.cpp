// SPDX-License-Identifier: BSD-3-Clause
// Converts exceptions to values and back.
#include "factorization/ranks/failure.hpp"

#include <new>

#include "factorization/kernels/cholesky.hpp"

namespace frond {

Failure make_failure(Rank origin, const std::exception_ptr& exception) {
  Failure failure;
  failure.origin = origin;
  try {
    std::rethrow_exception(exception);
  } catch (const MemoryError& error) {
    failure.kind = Failure::Kind::memory;
    failure.needed_bytes = error.needed_bytes();
    failure.limit_bytes = error.limit_bytes();
    failure.text = error.what();
  } catch (const std::bad_alloc&) {
    failure.kind = Failure::Kind::memory;
    failure.text =
        "the system refuses memory for the bookkeeping of the factorization: free some, or raise the limit of the process";
  } catch (const BudgetError& error) {
    failure.kind = Failure::Kind::budget;
    failure.figures = error.figures();
    failure.text = error.what();
  } catch (const StoppedError& error) {
    failure.kind = Failure::Kind::stopped;
    failure.text = error.what();
  } catch (const NotPositiveDefinite& error) {
    failure.kind = Failure::Kind::not_positive_definite;
    failure.variable = error.variable;
  } catch (const InputError& error) {
    failure.kind = Failure::Kind::input;
    failure.file = error.file();
    failure.line = error.line();
    failure.text = std::string(error.what()).substr(std::string(InputError(failure.file, failure.line, "").what()).size());
  } catch (const OutputError& error) {
    failure.kind = Failure::Kind::output;
    failure.text = error.what();
  } catch (const InternalError& error) {
    failure.text = error.what();
  } catch (const Error& error) {
    failure.kind = Failure::Kind::usage;
    failure.text = error.what();
  } catch (const std::exception& error) {
    failure.text = error.what();
  }
  return failure;
}

void throw_failure(const Failure& failure) {
  const std::string text = "rank " + std::to_string(failure.origin) + ": " + failure.text;
  switch (failure.kind) {
    case Failure::Kind::memory:
      throw MemoryError(text, failure.needed_bytes, failure.limit_bytes);
    case Failure::Kind::budget:
      throw BudgetError(text, failure.figures);
    case Failure::Kind::stopped:
      throw StoppedError(text);
    case Failure::Kind::not_positive_definite:
      throw NotPositiveDefinite{failure.variable};
    case Failure::Kind::usage:
      throw UsageError(text);
    case Failure::Kind::input:
      throw InputError(failure.file, failure.line, failure.text);
    case Failure::Kind::output:
      throw OutputError(failure.text);
    case Failure::Kind::internal:
      break;
  }
  throw InternalError(text);
}

}  // namespace frond
