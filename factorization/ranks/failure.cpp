// SPDX-License-Identifier: BSD-3-Clause
// Converts exceptions to values and back.
#include "factorization/ranks/failure.hpp"

#include <new>
#include <span>

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

void write(ByteWriter& writer, const Failure& failure) {
  writer.value(failure.origin);
  writer.value(failure.kind);
  writer.value(failure.needed_bytes);
  writer.value(failure.limit_bytes);
  writer.value(failure.figures);
  writer.value(failure.variable);
  writer.value(failure.line);
  writer.value(static_cast<Count>(failure.file.size()));
  const std::string file_and_text = failure.file + failure.text;
  writer.rest(std::as_bytes(std::span(file_and_text)));
}

Failure read_failure(ByteReader& reader) {
  Failure failure;
  failure.origin = reader.value<Rank>();
  failure.kind = reader.value<Failure::Kind>();
  failure.needed_bytes = reader.value<Count>();
  failure.limit_bytes = reader.value<Count>();
  failure.figures = reader.value<BudgetError::Figures>();
  failure.variable = reader.value<Index>();
  failure.line = reader.value<Count>();
  const auto file_size = static_cast<std::size_t>(reader.value<Count>());
  const std::span<const std::byte> rest = reader.rest();
  failure.text.assign(reinterpret_cast<const char*>(rest.data()), rest.size());
  if (file_size > failure.text.size()) {
    throw InternalError("a message of a failure names a file that is longer than the message");
  }
  failure.file = failure.text.substr(0, file_size);
  failure.text.erase(0, file_size);
  return failure;
}

}  // namespace frond
