#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the words that users read, as far as a script can.

    tools/scripts/check_prose.py [SOURCE_TREE]

Lines of prose in Markdown have at most 120 characters: of paragraphs and lists, not of tables, code and pictures. Neither they nor
the texts and comments of the program and the library say what a native engineer would not: see NOT_ENGLISH.
"""
import re
import sys
from pathlib import Path

MOST_CHARACTERS = 120

# What is looked for, and what to write instead.
NOT_ENGLISH = {
    r"\btells?\b": "reports, says, shows",
    r"\btold\b": "reported, informed",
    r"\bis found out\b": "is detected",
    r"\binformations\b": "information",
    r"\ballows to\b": "makes it possible to, lets",
}

# What comments do not say, either.
NOT_ENGLISH_IN_COMMENTS = {
    **NOT_ENGLISH,
    r"\bwhoever\b": "a rank that, the caller",
    r"\bbeside\b": "next to, with, in addition to",
    r"\bas ever\b": "as before, as usual",
    r"(?<!here )\b(is|are) no (?!longer\b|more\b|less\b|larger\b|smaller\b|worse\b|better\b|faster\b)[a-z]": "is not a, there is no",
    r"^(By which|In which|Of which|For which|To whom|Who|Whose)\b": "a sentence with a subject and a verb",
}

EXEMPT = re.compile(r"^(\||!\[|    |#)|^\S*https?://\S*$")


def prose_lines(path):
    """Numbers and texts of the lines that are prose."""
    in_code = False
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if line.lstrip().startswith("```"):
            in_code = not in_code
        elif not in_code and not EXEMPT.match(line):
            yield number, line


def texts_of(path):
    """Numbers and texts of the string literals of a C++ source that hold words."""
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if not line.lstrip().startswith(("//", "#include")):
            for text in re.findall(r'"((?:[^"\\]|\\.)*)"', line.split(" // ")[0]):
                if " " in text:
                    yield number, text


def comments_of(path):
    """Numbers and texts of the lines of a C++ source that are comments, or end with one."""
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        found = re.search(r"(?:^|\s)///?<?\s+(.*)", line)
        if found and "NOLINT" not in line:
            yield number, re.sub(r"`[^`]*`", "", found[1])


def findings(tree):
    documents = sorted([*tree.glob("*.md"), *tree.glob("docs/*.md"), *tree.glob("examples/*.md")])
    sources = [path for room in ("matrices", "analysis", "loadinfo", "factorization", "solver", "interfaces", "tools", "tests", "examples")
               for path in sorted((tree / room).rglob("*.[ch]pp"))]
    for path in documents:
        for number, line in prose_lines(path):
            if len(line) > MOST_CHARACTERS:
                yield f"{path.relative_to(tree)}:{number}: {len(line)} characters, where {MOST_CHARACTERS} are the most"
    for path in documents + sources:
        texts = [(text, NOT_ENGLISH) for text in (prose_lines(path) if path.suffix == ".md" else texts_of(path))]
        texts += [(text, NOT_ENGLISH_IN_COMMENTS) for text in comments_of(path)] if path in sources else []
        for (number, text), idioms in texts:
            for pattern, instead in idioms.items():
                found = re.search(pattern, text)
                if found:
                    yield f'{path.relative_to(tree)}:{number}: "{found.group()}": write {instead}'


def main():
    tree = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent / "../..").resolve()
    found = list(findings(tree))
    for finding in found:
        print(finding, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
