// SPDX-License-Identifier: BSD-3-Clause
// Declares the parser of command lines, for headers that only name it.
#pragma once

namespace CLI {  // NOLINT(readability-identifier-naming): the library is called so
class App;
class Option;
class ParseError;
class Validator;
}  // namespace CLI
