# SPDX-License-Identifier: BSD-3-Clause
# Language level, warnings and sanitizers, for every target of this project and for nobody else's.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# Of a shared library only what FROND_API marks is seen.
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release)
  endif()
endif()

# Positions are signed by design and containers unsigned; clang, unlike GCC, counts that to -Wconversion.
add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion -Wshadow)
if(FROND_WERROR)
  add_compile_options(-Werror)
endif()
if(FROND_SANITIZE)
  add_compile_options(-fsanitize=${FROND_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${FROND_SANITIZE})
endif()
if(FROND_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "FROND_FUZZ needs libFuzzer, which comes with clang: use the preset `fuzz`")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
# Ten sources at a time: most of what they take the compiler is in the headers that they share.
if(FROND_PRECOMPILE)
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 10)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # what is in unnamed namespaces of these sources looks to it as if headers had it
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
  endif()
endif()
