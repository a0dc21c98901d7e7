! SPDX-License-Identifier: BSD-3-Clause
! What tests expect, and how many times in vain.
module checks
  use frond
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  integer, protected :: failures = 0

contains

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (holds) return
    write (error_unit, '(2a)') "failed: ", what
    failures = failures + 1
  end subroutine

  ! The last call was refused, with a message that has these words.
  subroutine expect_refused(solver, status, words)
    type(frond_solver), intent(in) :: solver
    integer, intent(in) :: status
    character(len=*), intent(in) :: words
    call expect(status == frond_usage_error, "the status " // frond_status_name(status) // ", not: " // words)
    call expect_message(solver, words)
  end subroutine

  subroutine expect_message(solver, words)
    type(frond_solver), intent(in) :: solver
    character(len=*), intent(in) :: words
    character(len=:), allocatable :: message
    message = solver%message()
    call expect(index(message, words) > 0, "the message '" // message // "', not: " // words)
  end subroutine

  subroutine finish()
    if (failures > 0) error stop 1
  end subroutine

end module checks
