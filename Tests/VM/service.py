"""pipit as a service in a machine, with the rights that the package gives it, and what it says of itself."""

import pathlib
import shutil

from osc import Tablet
from recording import Recording

PRESETS = pathlib.Path(__file__).resolve().parent.parent.parent / "presets"
UNIT = """
[Service]
ExecStart=/usr/local/bin/pipit serve {options}
StateDirectory=pipit
DynamicUser=yes
SupplementaryGroups=audio
LimitRTPRIO=95
LimitMEMLOCK=infinity
"""


class Service:
    """`pipit` is the release binary on the host. It is installed, and not started."""

    def __init__(self, machine, share, pipit, options="--period 4096"):
        self.machine, self.run, self.wait_for = machine, machine.run, machine.wait_for
        self.share = share
        self.recording = Recording(share / "card.wav")
        self.tablet = Tablet(machine.port)
        shutil.copy(pipit, share / "pipit")
        shutil.copytree(PRESETS, share / "presets")
        self.configure(options)
        self.run("""install -m 755 /share/pipit /usr/local/bin/
            mkdir /usr/share/pipit
            cp -r /share/presets /usr/share/pipit/""")

    def configure(self, options):
        """Sets the options of the next start."""
        (self.share / "pipit.service").write_text(UNIT.format(options=options))
        self.run("install -m 644 /share/pipit.service /etc/systemd/system/; systemctl daemon-reload")

    def start(self):
        """Starts it; true when it answers over OSC and plays on a card."""
        self.run("systemctl start pipit")
        answers = any(self.tablet.ask("/filter/cutoff", timeout=1) for _ in range(30))
        self.wait_for("journalctl --no-pager -o cat -u pipit | grep -q 'Playing on'")
        return answers

    def log(self, *options):
        """The lines that it has logged; `options` are journalctl's."""
        text = self.run(f"journalctl --no-pager -o cat -u pipit {' '.join(options)}")
        return [line.removeprefix("pipit: ") for line in text.splitlines() if line.startswith("pipit: ")]

    def values(self):
        """What `pipit status` says, by name."""
        return dict(line.split("=", 1) for line in self.run("pipit status --values || true").splitlines() if "=" in line)

    def memory(self):
        """Bytes that the process holds."""
        return 1024 * int(self.run("sed -n 's/^VmRSS:[^0-9]*\\([0-9]*\\).*/\\1/p' "
                                   "/proc/$(systemctl show -P MainPID pipit)/status"))
