#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes manual pages of what the program says of itself.

    tools/scripts/make_man_pages.py FROND FOLDER

Writes frond.1, and frond-COMMAND.1 for each command, from `frond COMMAND --help-all`.
"""
import re
import subprocess
import sys
from pathlib import Path

COLUMN = 30  # in which descriptions begin


def said_by(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def entries(lines):
    """Pairs of what stands on the left of a list and its description."""
    pairs = []
    for line in lines:
        if re.match(r"  \S", line):
            has_both = line[COLUMN - 1:COLUMN] == " "
            pairs.append([line[:COLUMN].strip(), line[COLUMN:]] if has_both else [line.strip(), ""])
        elif pairs and line.strip():
            pairs[-1][1] = (pairs[-1][1] + " " + line.strip()).strip()
    return pairs


def page(name, text, version):
    """The help, which begins with a description and the usage, as a page of the section of programs."""
    description, usage, *rest = text.split("\n")
    out = [f'.TH {name.upper().replace("-", chr(92) + "-")} 1 "" "{version}" "User Commands"', ".SH NAME",
           f"{escaped(name)} \\- {escaped(description.rstrip('.'))}", ".SH SYNOPSIS", escaped(usage.removeprefix("Usage: "))]
    blocks = re.split(r"\n{2,}", "\n".join(rest).strip("\n"))
    for block in blocks:
        lines = block.split("\n")
        heading = re.fullmatch(r"(.+):", lines[0])
        if heading and len(lines) > 1 and re.match(r"  \S", lines[1]):
            out.append(f".SH {escaped(heading.group(1)).upper()}")
            if all(line.startswith("  frond") or line.startswith("  mpiexec") for line in lines[1:]):
                out += [".nf", *(escaped(line.strip()) for line in lines[1:]), ".fi"]
            else:
                for left, right in entries(lines[1:]):
                    out += [".TP", f".B {escaped(left)}", escaped(right)]
        else:
            out += [".PP" if out[-1] != ".fi" else ".SH NOTES", *(escaped(line.strip()) for line in lines)]
    return "\n".join(out) + "\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    version = said_by(program, "--version").strip()
    whole = said_by(program, "--help")
    (folder / "frond.1").write_text(page("frond", whole, version), encoding="utf-8")
    for command, _ in entries(whole.split("Subcommands:\n")[1].split("\n\n")[0].split("\n")):
        try:
            text = said_by(program, command, "--help-all")
        except subprocess.CalledProcessError:
            continue  # a command that this build has not
        (folder / f"frond-{command}.1").write_text(page(f"frond-{command}", text, version), encoding="utf-8")


if __name__ == "__main__":
    main()
