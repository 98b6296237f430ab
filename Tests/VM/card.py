"""A card with the image of packaging/build-image, and an emulated machine that starts from it.

The machine is not a Raspberry Pi: it has no firmware, so that this file does what the firmware would do with
config.txt, and other hardware. What it runs is what is on the card. Its time is counted (hardware.py): the host may
slow it down and cannot make it late.
"""

import hashlib
import os
import pathlib
import socket
import subprocess
import time

from machine import Failed, free_udp_port
from osc import Tablet

GAP = 1 << 20
ENVIRONMENT = os.environ | {"MTOOLS_SKIP_CHECK": "1"}


def free_tcp_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Card:
    """A copy of the image on a card of `size` bytes."""

    def __init__(self, image, path, size=1 << 30):
        self.path = pathlib.Path(path)
        with open(self.path, "wb") as file:
            subprocess.run(["zstd", "-q", "-d", "-c", image], stdout=file, check=True)
        self.written = self.path.stat().st_size
        os.truncate(self.path, size)
        self.partition = f"{self.path}@@{GAP}"

    def read(self, name):
        return subprocess.run(["mtype", "-i", self.partition, f"::{name}"], stdout=subprocess.PIPE, check=True,
                              env=ENVIRONMENT).stdout

    def write(self, name, content):
        subprocess.run(["mcopy", "-D", "o", "-i", self.partition, "-", f"::{name}"], input=content, check=True,
                       env=ENVIRONMENT)

    def system(self):
        """The folder, kernel, initrd and kernel's command line that config.txt names."""
        settings = {}
        for line in self.read("config.txt").decode().splitlines():
            if line.startswith("initramfs "):
                settings["initramfs"] = line.split()[1]
            elif "=" in line and not line.startswith("#"):
                name, value = line.split("=", 1)
                settings[name] = value
        return settings

    def partitions(self):
        """Start and size of both, in sectors."""
        table = self.path.open("rb").read(512)
        entries = [table[446 + 16 * index:462 + 16 * index] for index in range(2)]
        return [(int.from_bytes(entry[8:12], "little"), int.from_bytes(entry[12:16], "little")) for entry in entries]

    def boot_hash(self):
        """A hash of the whole boot partition, and with it of the root that is a file on it."""
        start, size = self.partitions()[0]
        with self.path.open("rb") as file:
            file.seek(start * 512)
            found, left = hashlib.sha256(), size * 512
            while left:
                piece = file.read(min(left, 1 << 20))
                found.update(piece)
                left -= len(piece)
        return found.hexdigest()

    def break_state(self):
        """Overwrite the beginning of the state with zeros."""
        start, _ = self.partitions()[1]
        with self.path.open("r+b") as file:
            file.seek(start * 512)
            file.write(bytes(4 << 20))


class Box:
    """The machine that starts from a card. `key` is the private key whose public part may be on the card."""

    def __init__(self, card, folder, key):
        self.card, self.folder, self.key = card, pathlib.Path(folder), key
        self.osc, self.ssh = free_udp_port(), free_tcp_port()
        self.tablet = Tablet(self.osc)
        system = card.system()
        prefix = system["os_prefix"]
        (self.folder / "kernel").write_bytes(subprocess.run(
            ["gzip", "-dc"], input=card.read(prefix + system["kernel"]), stdout=subprocess.PIPE, check=True).stdout)
        (self.folder / "initrd").write_bytes(card.read(prefix + system["initramfs"]))
        # The consoles of a Pi are not here.
        words = [word for word in card.read(prefix + system["cmdline"]).decode().split() if not word.startswith("console=")]
        forwarded = f"hostfwd=udp:127.0.0.1:{self.osc}-:8000,hostfwd=tcp:127.0.0.1:{self.ssh}-:22"
        self.command = f"""qemu-system-aarch64 -nodefaults -no-user-config -display none -no-reboot -M virt
            -cpu cortex-a72 -smp 1 -m 1024 -icount shift=1,sleep=off
            -drive file={card.path},format=raw,if=none,id=card,cache=unsafe -device virtio-blk-pci,drive=card
            -device virtio-rng-pci -netdev user,id=net,{forwarded} -device virtio-net-pci,netdev=net,romfile=
            -device qemu-xhci,id=usb -audiodev wav,id=sound,path={self.folder}/card.wav,out.frequency=48000
            -device usb-audio,audiodev=sound,bus=usb.0 -device i6300esb
            -serial file:{self.folder}/console.log -kernel {self.folder}/kernel -initrd {self.folder}/initrd""".split()
        self.command += ["-append", " ".join(["console=ttyAMA0", "mitigations=off"] + words)]

    def on(self):
        (self.folder / "card.wav").unlink(missing_ok=True)
        with open(self.folder / "qemu.log", "w") as log:
            self.qemu = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stderr=log)

    def off(self):
        """Cut the power."""
        self.qemu.kill()
        self.qemu.wait()

    def answers(self, timeout=900):
        """True as soon as pipit answers over OSC."""
        end = time.monotonic() + timeout
        while time.monotonic() < end and self.qemu.poll() is None:
            if self.tablet.ask("/filter/cutoff", timeout=1):
                return True
        return False

    def shell(self, script, timeout=120, key=None):
        """Run a shell script as root over ssh: its exit status, and what it says."""
        command = ["ssh", "-F", "/dev/null", "-i", key or self.key, "-p", str(self.ssh), "-o", "IdentitiesOnly=yes",
                   "-o", "IdentityAgent=none", "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=no",
                   "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "-o", "ConnectTimeout=300",
                   "root@127.0.0.1", script]
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, timeout=timeout)
        return ended.returncode, ended.stdout

    def run(self, script, timeout=120):
        status, said = self.shell(script, timeout)
        if status:
            raise Failed(f"exit status {status} of:\n{script}\n{said}")
        return said

    def console(self):
        return "\n".join((self.folder / "console.log").read_text(errors="replace").splitlines()[-30:])

    def __enter__(self):
        self.on()
        return self

    def __exit__(self, *_):
        self.off()
