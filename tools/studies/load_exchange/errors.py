# SPDX-License-Identifier: BSD-3-Clause
"""What a study tells when it cannot go on."""


class StudyError(Exception):
    """What went wrong, and what helps."""
