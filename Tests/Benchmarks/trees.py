"""The program in Tests/Workload, in this tree and in those of older commits."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
# What every tree is measured with. A commit has its own harness, with the names of its engine.
WORKLOAD = "Tests/Workload"


def run(*command, **options):
    """Run a command in the repository; what it prints is returned, and shown if it fails."""
    done = subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout.decode()}{done.stderr.decode()}")
    return done.stdout


def copy_tree(commit, folder):
    """The files of a commit, or of this working tree as it is, with the workload that this tree has."""
    if commit:
        files = run("git", "archive", commit)
        run("tar", "-x", "-C", folder, input=files)
    else:
        names = run("git", "ls-files", "-z", "-co", "--exclude-standard")
        names = b"\0".join(name for name in names.split(b"\0") if os.path.exists(REPOSITORY / os.fsdecode(name)))
        run("tar", "-x", "-C", folder, input=run("tar", "-c", "--null", "-T", "-", input=names))
    shutil.rmtree(folder / WORKLOAD, ignore_errors=True)
    shutil.copytree(REPOSITORY / WORKLOAD, folder / WORKLOAD)
    if not (folder / "Tests/EngineHarness").exists():
        sys.exit(f"{commit} has no Tests/EngineHarness, which the workload needs")


SHAPES = "chord parts edits storm scatter drive eq compressor phaser flanger chorus rotary delay reverb rack racks".split()


def workload(text):
    """chord:64 as ["chord", "64"]."""
    if not re.fullmatch(rf"({'|'.join(SHAPES)}):\d+", text) or not 1 <= int(text.split(":")[1]) <= 128:
        raise argparse.ArgumentTypeError(f"{text}: wants one of {', '.join(SHAPES)}, a colon and 1 to 128 notes")
    return text.split(":")
