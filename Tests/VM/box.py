"""A machine that pipit's package is put into, and how to ask what has become of it."""

import contextlib
import time

from machine import Failed
from osc import Tablet
from recording import Recording


class Box:
    """`deb` is the package on the host; the machine has it as /share/pipit.deb."""

    def __init__(self, machine, share, deb):
        self.machine, self.share, self.deb = machine, share, deb
        self.run = machine.run
        self.tablet = Tablet(machine.port)
        self.recording = Recording(share / "card.wav")
        self.failures = []

    def check(self, passed, sentence):
        print(("ok      " if passed else "FAILED  ") + sentence, flush=True)
        if not passed:
            self.failures.append(sentence)

    def say(self, text):
        print("        " + text.strip().replace("\n", "\n        "), flush=True)

    @contextlib.contextmanager
    def stage(self, name):
        """Prints how long it took."""
        start = time.monotonic()
        try:
            yield
        finally:
            print(f"{time.monotonic() - start:6.1f} s {name}", flush=True)

    def succeeds(self, script):
        try:
            self.run(script)
            return True
        except Failed:
            return False

    def comes(self, script, timeout=300):
        """True as soon as a script succeeds."""
        try:
            self.machine.wait_for(script, timeout)
            return True
        except Failed:
            return False

    def answers(self):
        """True as soon as pipit answers over OSC."""
        return self.tablet.ask("/filter/cutoff", timeout=600) is not None

    def sound(self, values):
        """Turns some knobs; they are turned when this returns, since what was sent last is answered last."""
        for address, value in values.items():
            self.tablet.send(address, value)
        self.tablet.ask(address)

    def saves(self, name, until):
        """Saves a preset, and waits until a script succeeds, which may come late on a busy host."""
        self.tablet.send("/preset/save", name)
        self.machine.wait_for(until)

    def property(self, name):
        return self.run(f"systemctl show -p {name} --value pipit").strip()

    def version(self):
        return self.run("dpkg-query -W -f '${Version}' pipit").strip()

    def mixer(self):
        """What amixer says of the card's volume, as '74 [100%] [0.00dB] [on]'."""
        lines = self.run("amixer -c Intel sget Master").splitlines()
        return [line.split(": Playback ", 1)[1] for line in lines if ": Playback " in line and "%" in line][0]

    def heard(self, seconds, length=0.25):
        """What sounds some time from now on the sound card's own time line."""
        return self.recording.frames(self.recording.now() + int(seconds * 48000), length)
