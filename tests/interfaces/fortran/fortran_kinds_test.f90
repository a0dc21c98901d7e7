! SPDX-License-Identifier: BSD-3-Clause
! All calls with numbers, for all kinds of numbers.
module floats_test
  use checks
  use frond
  use, intrinsic :: iso_fortran_env, only: int8, int32, int64, real32, real64
  implicit real(real32) (a-z)
  integer, parameter :: scalar = frond_float, precision = real32
  parameter (unit = 1)
  real(real32), parameter :: tolerance = 2e-5_real32
  character(len=*), parameter :: kind_name = "real(real32): "
  type :: entry_of_kind
    integer(int32) :: row, col
    real(real32) :: number
  end type entry_of_kind
  include 'kind_declarations.inc'
contains
  elemental function conjugate(x)
    intent(in) :: x
    conjugate = x
  end function
  include 'every_kind.inc'
end module floats_test

module doubles_test
  use checks
  use frond
  use, intrinsic :: iso_fortran_env, only: int8, int32, int64, real32, real64
  implicit real(real64) (a-z)
  integer, parameter :: scalar = frond_double, precision = real64
  parameter (unit = 1)
  real(real64), parameter :: tolerance = 1e-13_real64
  character(len=*), parameter :: kind_name = "real(real64): "
  type :: entry_of_kind
    integer(int32) :: row, col
    real(real64) :: number
  end type entry_of_kind
  include 'kind_declarations.inc'
contains
  elemental function conjugate(x)
    intent(in) :: x
    conjugate = x
  end function
  include 'every_kind.inc'
end module doubles_test

module complex_floats_test
  use checks
  use frond
  use, intrinsic :: iso_fortran_env, only: int8, int32, int64, real32, real64
  implicit complex(real32) (a-z)
  integer, parameter :: scalar = frond_complex_float, precision = real32
  parameter (unit = (0.6, 0.8))
  real(real32), parameter :: tolerance = 2e-5_real32
  character(len=*), parameter :: kind_name = "complex(real32): "
  type :: entry_of_kind
    integer(int32) :: row, col
    complex(real32) :: number
  end type entry_of_kind
  include 'kind_declarations.inc'
contains
  elemental function conjugate(x)
    intent(in) :: x
    conjugate = conjg(x)
  end function
  include 'every_kind.inc'
end module complex_floats_test

module complex_doubles_test
  use checks
  use frond
  use, intrinsic :: iso_fortran_env, only: int8, int32, int64, real32, real64
  implicit complex(real64) (a-z)
  integer, parameter :: scalar = frond_complex_double, precision = real64
  parameter (unit = (0.6_real64, 0.8_real64))
  real(real64), parameter :: tolerance = 1e-13_real64
  character(len=*), parameter :: kind_name = "complex(real64): "
  type :: entry_of_kind
    integer(int32) :: row, col
    complex(real64) :: number
  end type entry_of_kind
  include 'kind_declarations.inc'
contains
  elemental function conjugate(x)
    intent(in) :: x
    conjugate = conjg(x)
  end function
  include 'every_kind.inc'
end module complex_doubles_test

program fortran_kinds_test
  use checks, only: finish
  use floats_test, only: check_floats => check_kind
  use doubles_test, only: check_doubles => check_kind
  use complex_floats_test, only: check_complex_floats => check_kind
  use complex_doubles_test, only: check_complex_doubles => check_kind
  implicit none
  call check_floats()
  call check_doubles()
  call check_complex_floats()
  call check_complex_doubles()
  call finish()
end program fortran_kinds_test
