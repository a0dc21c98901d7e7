! SPDX-License-Identifier: BSD-3-Clause
!
! Frond in Fortran, over the interface of C: A x = b for large sparse A.
!
!   use frond
!   type(frond_solver) :: solver
!   integer :: status
!   call solver%create(frond_double)
!   call solver%set_columns(frond_general, offsets, rows, values)       ! 1-based, of 32 or 64 bits
!   call solver%solve(b, x, status)
!   if (status /= frond_success) print *, solver%message()
!
! Numbers are those of create(): real(real32), real(real64), and complex numbers of both. Indices count from 1, those that come
! back, too. Arrays may be sections, which are copied where their elements do not follow one another, and their sizes are checked. A
! call whose status is not asked for stops the program, with the message, where it comes to an error or the matrix is not what it
! should be: singular, not positive definite, or in doubt. If only the accuracy is missed, it writes the message and goes on. A
! solver gives its memory back when it goes out of scope, or by destroy(); it cannot be assigned. Several threads may use one solver.
! frond.h says more of each call.
!
! Compile this file, which includes others: frond_core.inc has what does not depend on the kind of numbers, and frond_numbers.inc what
! does. In frond_kinds.inc a module for each kind adds its calls to those of the one before.
include 'frond_core.inc'
include 'frond_kinds.inc'

! What programs use.
module frond
  use frond_core, only: frond_success, frond_accuracy_missed, frond_singular, frond_not_positive_definite, frond_rank_in_doubt, &
    frond_usage_error, frond_input_error, frond_output_error, frond_memory_error, frond_stopped, frond_communication_error, &
    frond_internal_error, frond_float, frond_double, frond_complex_float, frond_complex_double, frond_general, frond_symmetric, &
    frond_skew_symmetric, frond_hermitian, frond_plain, frond_transposed, frond_adjoint, frond_lower, frond_diagonal, frond_upper, &
    frond_progress, frond_stop, frond_version, frond_status_name, frond_option_name, frond_option_values, frond_option_meaning, &
    frond_figure_name, frond_figure_type, frond_figure_meaning
  use frond_of_complex_doubles, only: frond_solver
end module frond
