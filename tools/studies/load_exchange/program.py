# SPDX-License-Identifier: BSD-3-Clause
"""What the programs have in common: arguments that are lists, reports, and how they end."""
import argparse
import os
import sys

from load_exchange.errors import StudyError
from load_exchange.simulations import mechanisms_of


def words(argument):
    """A list with commas."""
    listed = [word.strip() for word in argument.split(",") if word.strip()]
    if not listed:
        raise argparse.ArgumentTypeError("the list is empty")
    return list(dict.fromkeys(listed))


def schedules(argument):
    listed = words(argument)
    if set(listed) - {"flops", "memory"}:
        raise argparse.ArgumentTypeError(f"{argument}: schedules are flops and memory")
    return listed


def rank_counts(argument):
    listed = words(argument)
    if not all(word.isdigit() and int(word) >= 2 for word in listed):
        raise argparse.ArgumentTypeError(f"{argument}: expected numbers of ranks from 2 on, such as 32,64")
    return [int(word) for word in listed]


def chosen_mechanisms(asked, frond):
    """Those asked for, or all that frond simulate offers."""
    offered = mechanisms_of(frond)
    for mechanism in asked or []:
        if mechanism not in offered:
            raise StudyError(f"{frond} has no mechanism {mechanism}; choose from: {', '.join(offered)}")
    return asked or offered


def write_report(path, page):
    """Whole or not at all."""
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write(page)
    os.replace(path + ".part", path)
    print(f"report: {path}", file=sys.stderr)


def run_as_program(run, how_to_go_on):
    """Ends with what run() returns, 2 if it raises StudyError or OSError, 130 if it is interrupted."""
    try:
        sys.exit(run())
    except (StudyError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print(f"\ninterrupted; {how_to_go_on}", file=sys.stderr)
        sys.exit(130)
