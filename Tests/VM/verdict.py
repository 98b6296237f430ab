"""Sentences that a program has checked, one line each, and its exit status."""

import contextlib
import subprocess
import time

from machine import Failed


class Verdict:
    """`log` is a file whose end is shown when a stage breaks off."""

    def __init__(self, title, log):
        self.title, self.log, self.failures, self.start = title, log, 0, time.monotonic()

    def check(self, passed, sentence):
        print(("ok      " if passed else "FAILED  ") + sentence, flush=True)
        self.failures += not passed

    def say(self, text):
        print("        " + text.strip().replace("\n", "\n        "), flush=True)

    @contextlib.contextmanager
    def stage(self):
        """A part that others do not depend on: what breaks it off is one failure. Its time is printed."""
        start = time.monotonic()
        try:
            yield
        except (Failed, TimeoutError, subprocess.SubprocessError) as problem:
            self.check(False, str(problem))
            if self.log.exists():
                self.say(self.log.read_text(errors="replace")[-3000:])
        print(f"{time.monotonic() - start:6.1f} s", flush=True)

    def end(self):
        words = f"{self.failures} checks failed" if self.failures else "all checks passed"
        print(f"{self.title}: {words}, {time.monotonic() - self.start:.0f} s.")
        return 1 if self.failures else 0
