#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints what the sources weigh, and fails where a figure exceeds its allowance: tools/scripts/check_budget.py [SOURCE_TREE]

Allowances are in tools/scripts/budget.tsv. A commit that lands a capability may raise one, with the reason; a commit that makes the
sources lighter lowers it.
"""
import re
import sys
from pathlib import Path

SUFFIXES = {".cpp", ".hpp", ".h", ".c", ".f90", ".inc", ".py", ".sh", ".cmake", ".txt"}
LEFT_OUT = {".git", "build", "docs"}
COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')|//[^\n]*|/\*.*?\*/', re.S)
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[A-Za-z_]\w*|\d[\w.\']*|::|->|<<|[<>=!+\-*/&|]=|&&|\|\||\S')
TYPE = re.compile(r"^\s*(?:enum (?:class|struct)|enum|class|struct|union) (?:\[\[.*?\]\] |FROND_\w+ )*(\w+)\b(?!<)[^;()]*\{", re.M)
CLASS = re.compile(r"^( *)(?:class|struct) (?:FROND_\w+ )?(\w+)[^;()]*\{$")
STATEMENT = re.compile(r"^\s*(?:class|struct|enum|union|namespace|if|for|while|switch|do|else|try|catch|extern|return)\b|^\s*[{}]|=\s*\{$|\\$")
FIELD = re.compile(r"^[^()]*\b(\w+)_(?:\[\w*\])?(?: = .*|\{.*\})?;|^[\w:<>, *&]*<.*\(.*\).*> (\w+)_(?: = .*|\{.*\})?;")


def sources(tree):
    for path in sorted(tree.rglob("*")):
        parts = path.relative_to(tree).parts
        if path.suffix in SUFFIXES and path.is_file() and not path.is_symlink() and not LEFT_OUT & set(parts) and not parts[0].startswith("build"):
            yield path, "/".join(parts)


def without_comments(text):
    return COMMENT.sub(lambda match: match[1] or " ", text)


def end_of_block(lines, first):
    """The line that closes the block that begins in line `first`: in formatted code the next brace with the same indentation."""
    close = lines[first][:len(lines[first]) - len(lines[first].lstrip())] + "}"
    return next((last for last in range(first + 1, len(lines)) if lines[last].startswith(close)), first)


def functions_in(lines):
    """(first line, number of lines) of each function: what has parentheses and then a brace before any semicolon."""
    for first, line in enumerate(lines):
        if re.match(r"(  )?[\w\[~]", line) and "(" in line and not STATEMENT.search(line):
            ends = next((row for row in lines[first:first + 20] if row.endswith(("{", ";", "}"))), ";")
            if ends.endswith("{"):
                yield first, end_of_block(lines, first) - first + 1


def num_fields(lines, indent):
    prefix = " " * (indent + 2)
    own = [line[len(prefix):] for line in lines if line.startswith(prefix) and not line[len(prefix):].startswith((" ", "//"))]
    return sum(1 for line in own if FIELD.match(line))


def largest(found):
    """Returns the pair with the largest value of (value, name) pairs."""
    return max(found, default=(0, ""))


def figures(tree):
    """Yields the name of each figure, its value, and what it is the value of."""
    lines = {"code": 0, "tests": 0, "studies": 0}
    tokens = comments = cpp_lines = 0
    classes, members, functions, types = [], [], [], 0
    for path, name in sources(tree):
        kind = "tests" if name.startswith("tests/") else "studies" if name.startswith("tools/studies/") else "code"
        text = path.read_text(encoding="utf-8", errors="replace")
        rows = text.split("\n")
        lines[kind] += text.count("\n")
        if path.suffix not in (".cpp", ".hpp", ".h", ".c") or kind == "studies":
            continue
        if kind == "code":
            tokens += len(TOKEN.findall(without_comments(text)))
            cpp_lines += len(rows)
            comments += sum(1 for row in rows if row.lstrip().startswith(("//", "/*", "*")))
            types += len(TYPE.findall(text)) if "/include/frond/" in name else 0
            for first, match in ((number, CLASS.match(row)) for number, row in enumerate(rows)):
                if match:
                    body = rows[first:end_of_block(rows, first) + 1]
                    classes.append((len(body), f"{name}: {match[2]}"))
                    members.append((num_fields(body, len(match[1])), f"{name}: {match[2]}"))
        functions += [(length, f"{name}:{first + 1}") for first, length in functions_in(rows)]
    yield "code lines", lines["code"], "outside tests/, docs/ and tools/studies/"
    yield "study lines", lines["studies"], "tools/studies/"
    yield "test lines", lines["tests"], "tests/"
    yield "code tokens", tokens, "C++ and C outside tests/ and tools/studies/, without comments"
    yield "code per comment", round(cpp_lines / max(comments, 1), 1), "lines of C++ and C per line of comment"
    yield "public types", types, "in include/frond/, nested ones counted"
    yield "design words", len((tree / "docs/design.md").read_text().split()), "docs/design.md"
    yield "class lines", *largest(classes)
    yield "class members", *largest(members)
    yield "function lines", *largest(functions)


def main():
    tree = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    rows = [line.split("\t") for line in (tree / "tools/scripts/budget.tsv").read_text().splitlines() if line and line[0] != "#"]
    allowances = {name: float(allowance) for name, allowance, *_ in rows}
    failed = False
    for name, value, what in figures(tree):
        exceeds = value > allowances[name]
        failed |= exceeds
        print(f"{name:17} {value:>9} of {allowances[name]:>9g}  {what}{'  EXCEEDED' if exceeds else ''}")
    if failed:
        print("make it lighter, or raise the allowance in tools/scripts/budget.tsv with the reason", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
