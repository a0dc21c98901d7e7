#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Finds functions that are written twice.

    tools/scripts/find_twins.py [--least-tokens 50] [--least-common 0.8] [FOLDER...]

Two functions are twins if both have at least so many tokens in their bodies, and more than that part of the longer one's tokens
are common to both in the same order (the longest common subsequence). Comments do not count. Lists pairs, and says which of them
stand between what one process does and what several do: files in folders mpi, ranks and distributed, or named after ranks.
"""
import argparse
import collections
import os
import re
import sys

TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[A-Za-z_]\w*|\d[\w.\']*|::|->|&&|\|\||<=|>=|==|!=|\S')
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|^[ \t]*#[^\n]*', re.S | re.M)
NO_FUNCTION = {"namespace", "class", "struct", "union", "enum", "extern"}
NO_NAME = {"if", "for", "while", "switch", "catch", "return"}

Function = collections.namedtuple("Function", "file line name tokens counts")


def tokens_of(text):
    """Yields (token, line) without comments and preprocessor lines."""
    text = COMMENT.sub(lambda match: "\n" * match.group().count("\n"), text)
    line = 1
    position = 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", position, match.start())
        position = match.start()
        yield match.group(), line


def without_template_parameters(head):
    while head[:2] == ["template", "<"]:
        depth = 0
        for k, token in enumerate(head):
            depth += {"<": 1, ">": -1}.get(token, 0)
            if token == ">" and depth == 0:
                break
        head = head[k + 1:]
    return head


def name_before(tokens, begin, end):
    """The name before the first parenthesis of a declaration, or None where it declares no function."""
    head = without_template_parameters([token for token, _ in tokens[begin:end]])
    if "(" not in head or NO_FUNCTION & set(head[:head.index("(")]):
        return None
    name = head[head.index("(") - 1] if head.index("(") > 0 else ""
    if not re.match(r"[A-Za-z_]", name) or name in NO_NAME or "=" in head[:head.index("(")]:
        return None
    return name


def functions_of(file):
    """Bodies of the functions in a file; what they define inside belongs to them."""
    with open(file, encoding="utf-8") as source:
        tokens = list(tokens_of(source.read()))
    begin = 0  # of the declaration that is being read
    k = 0
    while k < len(tokens):
        token, line = tokens[k]
        if token in ";}":
            begin = k + 1
        elif token == "{":
            name = name_before(tokens, begin, k)
            if name is not None:
                end = matching_brace(tokens, k)
                body = [word for word, _ in tokens[k + 1:end]]
                yield Function(file, line, name, body, collections.Counter(body))
                k = end
            begin = k + 1
        k += 1


def matching_brace(tokens, opening):
    depth = 0
    for k in range(opening, len(tokens)):
        depth += {"{": 1, "}": -1}.get(tokens[k][0], 0)
        if depth == 0:
            return k
    return len(tokens) - 1


def common_length(a, b):
    """Of the longest common subsequence, by bits (Hyyro 2004)."""
    places = collections.defaultdict(int)
    for k, token in enumerate(a):
        places[token] |= 1 << k
    mask = (1 << len(a)) - 1
    row = mask
    for token in b:
        matches = row & places.get(token, 0)
        row = ((row + matches) | (row - matches)) & mask
    return len(a) - bin(row).count("1")


def common_part(a, b, least):
    """Of the longer one's tokens, 0 where it is certainly not above `least`."""
    longer = max(len(a.tokens), len(b.tokens))
    if min(len(a.tokens), len(b.tokens)) <= least * longer or sum((a.counts & b.counts).values()) <= least * longer:
        return 0.0
    return common_length(a.tokens, b.tokens) / longer


def is_of_several_processes(file):
    folders = os.path.dirname(file).split(os.sep)
    return bool({"mpi", "ranks", "distributed"} & set(folders)) or re.match(r"(rank|distributed|slave|master)_", os.path.basename(file))


def sources(folders):
    for folder in folders:
        for path, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                if name.endswith((".cpp", ".hpp")):
                    yield os.path.normpath(os.path.join(path, name))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", metavar="FOLDER",
                        default=["matrices", "analysis", "loadinfo", "factorization", "solver", "tools", "tests"])
    parser.add_argument("--least-tokens", type=int, default=50, metavar="N")
    parser.add_argument("--least-common", type=float, default=0.8, metavar="PART")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        if not os.path.isdir(folder):
            parser.error(f"{folder}: there is no such folder; call this from the root of the sources")
    functions = [function for file in sources(arguments.folders) for function in functions_of(file)
                 if len(function.tokens) >= arguments.least_tokens]
    functions.sort(key=lambda function: len(function.tokens))
    num_pairs = num_between = 0
    for k, a in enumerate(functions):
        for b in functions[k + 1:]:
            if len(a.tokens) <= arguments.least_common * len(b.tokens):
                break
            common = common_part(a, b, arguments.least_common)
            if common > arguments.least_common:
                num_pairs += 1
                is_between = bool(is_of_several_processes(a.file)) != bool(is_of_several_processes(b.file))
                num_between += is_between
                print(f"{common:.2f} {len(b.tokens):4d} {'between' if is_between else '       '} "
                      f"{a.file}:{a.line} {a.name}  {b.file}:{b.line} {b.name}")
    print(f"{len(functions)} functions of {arguments.least_tokens} tokens and more, {num_pairs} pairs of twins, {num_between} between "
          "one process and several", file=sys.stderr)


if __name__ == "__main__":
    main()
