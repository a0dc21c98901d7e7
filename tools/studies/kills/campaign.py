# SPDX-License-Identifier: BSD-3-Clause
"""Runs of a campaign, each of which becomes a line of JSON in a file: runs that are in it are not made again."""
import argparse
import json
import os
import shutil
import tempfile


def campaign_parser(story, default_runs):
    """With the options that all campaigns have."""
    parser = argparse.ArgumentParser(description=story, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frond", required=True, help="the program")
    parser.add_argument("--runs", type=int, default=default_runs, help=f"runs of the seed, from number 0 on (default: {default_runs})")
    parser.add_argument("--seed", default="1", help="of all that is drawn (default: 1)")
    parser.add_argument("--results", required=True, help="file to which results are added")
    return parser


def read_results(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def run_campaign(arguments, make_campaign, summarize):
    """make_campaign(folder).run(number) is what is to be kept of a run; summarize(results) prints, and says whether all were right."""
    results = read_results(arguments.results)
    done = {result["run"] for result in results}
    folder = tempfile.mkdtemp(prefix="frond-kills-")
    try:
        campaign = make_campaign(folder)
        for number in range(arguments.runs):
            if number not in done:
                results.append(campaign.run(number))
                with open(arguments.results, "a", encoding="utf-8") as file:
                    file.write(json.dumps(results[-1]) + "\n")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0 if summarize(results) else 1


def undisturbed_environment():
    """Without what would have numerical kernels chosen for another processor."""
    return {name: value for name, value in os.environ.items() if name != "OPENBLAS_CORETYPE"}
