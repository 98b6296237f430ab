"""A card with the image of packaging/build-image, and an emulated machine that starts from it.

The machine is not a Raspberry Pi: it has no firmware, so that this file does what the firmware would do with
config.txt, and other hardware. What it runs is what is on the card. Its time is counted (hardware.py): the host may
slow it down and cannot make it late.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time

from machine import Failed, free_udp_port
from osc import Tablet

GAP = 1 << 20
ENVIRONMENT = os.environ | {"MTOOLS_SKIP_CHECK": "1"}


def free_tcp_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def path(words):
    return pathlib.Path(words).resolve()


def arguments(document):
    """What every program with a card is given."""
    parser = argparse.ArgumentParser(description=document.splitlines()[0])
    parser.add_argument("image", type=path, help="the .img.zst of packaging/build-image")
    parser.add_argument("--keep", metavar="FOLDER", type=path, help="a new folder, where the card and the logs are left")
    return parser


def run(main, parser):
    """Call `main` with what was given, and with a folder for the card and the logs; its result is the exit status."""
    given = vars(parser.parse_args())
    keep = given.pop("keep")
    with tempfile.TemporaryDirectory() as temporary:
        folder = keep or path(temporary)
        folder.mkdir(exist_ok=keep is None)
        sys.exit(main(folder=folder, **given))


def make_key(path):
    """Make a key for ssh: the path of its private part."""
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", path.name, "-f", path], check=True)
    return path


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

    def give(self, key, settings=""):
        """Write pipit.txt with a key for ssh, and a pipit.conf with a period that an emulated card keeps up with."""
        self.write("pipit.txt", f"{settings}ssh-key = {pathlib.Path(f'{key}.pub').read_text().strip()}\n".encode())
        self.write("pipit.conf", b"period = 4096\n")

    def break_state(self):
        """Overwrite the beginning of the state with zeros."""
        start, _ = self.partitions()[1]
        with self.path.open("r+b") as file:
            file.seek(start * 512)
            file.write(bytes(4 << 20))


class Box:
    """The machine that starts from a card. `key` is the private key whose public part may be on the card; `disks` are
    files that it has as /dev/vdb and so on. A card that is `locked` cannot be written to."""

    def __init__(self, card, folder, key, disks=(), locked=False):
        self.card, self.folder, self.key, self.disks = card, pathlib.Path(folder), key, disks
        self.lock = ",readonly=on" if locked else ""

    def on(self):
        """Switch it on: what the card's config.txt names starts."""
        self.osc, self.ssh, self.web = free_udp_port(), free_tcp_port(), free_tcp_port()
        self.tablet = Tablet(self.osc)
        card = self.card
        system = card.system()
        prefix = system["os_prefix"]
        (self.folder / "kernel").write_bytes(subprocess.run(
            ["gzip", "-dc"], input=card.read(prefix + system["kernel"]), stdout=subprocess.PIPE, check=True).stdout)
        (self.folder / "initrd").write_bytes(card.read(prefix + system["initramfs"]))
        # The consoles of a Pi are not here.
        words = [word for word in card.read(prefix + system["cmdline"]).decode().split() if not word.startswith("console=")]
        command = (f"qemu-system-aarch64 -nodefaults -display none -no-reboot -kernel {self.folder}/kernel"
                   f" -initrd {self.folder}/initrd -audiodev wav,id=sound,path={self.folder}/card.wav,out.frequency=48000"
                   f" -netdev user,id=net,hostfwd=udp:127.0.0.1:{self.osc}-:8000,hostfwd=tcp:127.0.0.1:{self.ssh}-:22"
                   f",hostfwd=tcp:127.0.0.1:{self.web}-:8000").split()
        command += self.hardware(prefix)
        command += ["-append", " ".join(self.WORDS + words)]
        (self.folder / "card.wav").unlink(missing_ok=True)
        with open(self.folder / "qemu.log", "w") as log:
            self.qemu = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=log)

    WORDS = ["console=ttyAMA0", "mitigations=off"]

    def hardware(self, prefix):
        """QEMU's options. `prefix` is the folder of the system that starts."""
        options = f"""-no-user-config -M virt -cpu cortex-a72 -smp 1 -m 1024 -icount shift=1,sleep=off
            -drive file={self.card.path},format=raw,if=none,id=card,cache=unsafe{self.lock} -device virtio-blk-pci,drive=card
            -device virtio-rng-pci -device virtio-net-pci,netdev=net,romfile= -device qemu-xhci,id=usb
            -device usb-audio,audiodev=sound,bus=usb.0 -device i6300esb -device virtio-gpu-pci
            -qmp unix:{self.folder}/qmp,server=on,wait=off -serial file:{self.folder}/console.log""".split()
        for number, disk in enumerate(self.disks):
            options += ["-drive", f"file={disk},format=raw,if=none,id=disk{number},readonly=on",
                        "-device", f"virtio-blk-pci,drive=disk{number}"]
        return options

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

    def shell(self, script, timeout=120, key=None, given=None):
        """Run a shell script as root over ssh, with a text as its input: its exit status, and what it says."""
        command = ["ssh", "-F", "/dev/null", "-i", key or self.key, "-p", str(self.ssh), "-o", "IdentitiesOnly=yes",
                   "-o", "IdentityAgent=none", "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=no",
                   "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "-o", "ConnectTimeout=300",
                   "root@127.0.0.1", script]
        ended = subprocess.run(command, input=given or "", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               timeout=timeout)
        return ended.returncode, ended.stdout

    def run(self, script, timeout=120, given=None):
        status, said = self.shell(script, timeout, given=given)
        if status:
            raise Failed(f"exit status {status} of:\n{script}\n{said}")
        return said

    def saves(self, name, seconds=60):
        """Save a preset: true as soon as it is on the disk, where a power failure leaves it."""
        end = time.monotonic() + seconds
        self.tablet.send("/preset/save", name)
        while time.monotonic() < end:
            if self.tablet.ask("/preset/name", timeout=1) == [name] and self.tablet.ask("/presets/waiting", timeout=1) == [0]:
                return True
        return False

    def grow(self):
        """Wait until the state has the rest of the card."""
        self.run("for n in $(seq 200); do [ $(systemctl show -P ActiveState pipit-grow) = inactive ] && exit; sleep 0.5; done; exit 1")

    def wait(self, pattern, timeout):
        """What the first group of `pattern` matches as soon as the console shows it; nothing in time is None."""
        end = time.monotonic() + timeout
        while time.monotonic() < end and self.qemu.poll() is None:
            if found := re.search(pattern, (self.folder / "console.log").read_text(errors="replace")):
                return found[1]
            time.sleep(0.5)
        return None

    def cable(self, is_plugged):
        """Plug the network cable in, or unplug it."""
        self.monitor("set_link", name="net", up=is_plugged)

    def screen(self):
        """A picture of what the screen shows: the path of a file."""
        path = self.folder / "screen.png"
        self.monitor("screendump", filename=str(path), format="png")
        return path

    def monitor(self, command, **arguments):
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(60)
            line.connect(str(self.folder / "qmp"))
            answers = line.makefile("r")
            answers.readline()
            for one in ({"execute": "qmp_capabilities"}, {"execute": command, "arguments": arguments}):
                line.sendall(json.dumps(one).encode() + b"\n")
                while "event" in (answer := json.loads(answers.readline())):
                    pass
                if "error" in answer:
                    raise Failed(f"{command}: {answer['error']['desc']}")

    def __enter__(self):
        self.on()
        return self

    def __exit__(self, *_):
        self.off()
