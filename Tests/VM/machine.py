"""A disposable Debian machine with what a build machine lacks: a kernel with ALSA, a sound card that is
recorded to a WAV, a USB-MIDI keyboard that can be pulled out, systemd.

    with Machine(share) as machine:
        print(machine.run("aplay -l"))

Nothing on the host is mounted or changed, and the disk forgets everything when the machine is turned off.
Run as a program, it opens a root shell in such a machine: python3 machine.py FOLDER [SUITE [ARCHITECTURE]].
"""

import json
import pathlib
import select
import socket
import subprocess
import sys
import tempfile
import time

import hardware

HERE = pathlib.Path(__file__).resolve().parent
# Seconds that a machine may stand still, by its `time`.
PATIENCE = 300


def free_udp_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Failed(Exception):
    """A command in the machine failed, or the machine did not answer."""


class Machine:
    """`share` is a folder of the host; it is /share in the machine, and `card.wav` there is what its sound
    card played. UDP port `udp` of the machine is `self.port` on the host's 127.0.0.1; the machine reaches
    the host's 127.0.0.1 as 10.0.2.2. With `mixer` the sound card has one, at 0 % and off. The time of an emulated
    machine is its own with the `clock` "counted" (hardware.py): the host may slow it down and cannot make it late; with
    "skipping" the time in which nothing happens takes none. With `usb` it has a socket for a sound card, recorded
    to `usb.wav`."""

    def __init__(self, share, suite=None, architecture="amd64", purpose="", udp=8000, shell=False, mixer=False,
                 clock="", usb=False):
        self.share = pathlib.Path(share).resolve()
        (self.share / "run").mkdir(parents=True, exist_ok=True)
        self.port = free_udp_port()
        self.count = 0
        self.accelerator = hardware.accelerator(architecture)
        # The host's own Debian release, unless another is asked for.
        image = subprocess.check_output([HERE / "image", suite or "", architecture, purpose], text=True).strip()

        self.folder = tempfile.TemporaryDirectory()
        agent, disk = f"{self.folder.name}/host", f"{self.folder.name}/disk"
        subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-b", f"{image}/disk", "-F", "raw", disk], check=True)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(agent)
        self.listener.listen()
        self.shell = shell
        console = "mon:stdio" if shell else f"file:{self.share}/console.log"
        self.command = hardware.command(
            architecture, image, disk, self.share, agent, self.port, udp, console, quiet=not shell, mixer=mixer,
            clock=clock, control=f"{self.folder.name}/qmp" if usb else "")
        self.on()

    def on(self):
        """Start the machine. An emulated processor may stop for ever while its kernel starts: then the console is
        printed, which tells whether it was that, and the machine is started once more."""
        try:
            self.boot()
        except Failed as failed:
            print(f"{failed}; its console:\n{self.console()}\nThe machine is started once more.", flush=True)
            self.boot()

    def boot(self):
        with open(self.share / "qemu.log", "w") as log:
            self.qemu = subprocess.Popen(self.command, stdin=None if self.shell else subprocess.DEVNULL,
                                         stderr=None if self.shell else log)
        self.kept_waiting, self.is_lost = 0.0, False
        try:
            self.agent = self.connection()
            self.answers = self.agent.makefile("r")
            if not self.shell:
                self.answer(200)
        except BaseException:
            self.end()
            raise

    def connection(self):
        """The agent's socket, which QEMU opens before it starts the machine."""
        self.listener.settimeout(1)
        end = self.time() + PATIENCE
        while self.qemu.poll() is None and self.time() < end:
            try:
                return self.listener.accept()[0]
            except TimeoutError:
                pass
        raise Failed(f"QEMU does not start the machine; see {self.share}/qemu.log")

    def time(self):
        """Seconds that pass for the machine: those in which the host had no processor for its busiest thread do not count. A
        host with load 12 has been seen to give it a twentieth of a processor."""
        for path in pathlib.Path(f"/proc/{self.qemu.pid}/task").glob("*/schedstat"):
            try:
                self.kept_waiting = max(self.kept_waiting, int(path.read_text().split()[1]) / 1e9)
            except (OSError, IndexError): # the thread has ended
                pass
        return time.monotonic() - self.kept_waiting

    def console(self):
        """The last lines that the machine's kernel and init wrote."""
        return "\n".join((self.share / "console.log").read_text(errors="replace").splitlines()[-40:])

    def answer(self, timeout):
        end = self.time() + timeout
        while not self.is_lost and not select.select([self.agent], [], [], 1)[0]:
            self.is_lost = self.time() > end
        if self.is_lost: # nor is what is asked next answered
            raise Failed(f"no answer from the machine in {timeout} s")
        line = self.answers.readline().strip()
        if not line:
            raise Failed(f"the machine stopped; see {self.share}/console.log")
        return line

    def run(self, script, timeout=PATIENCE):
        """Run a shell script as root in the machine and return its output; raise `Failed` if it fails."""
        self.count += 1
        path = self.share / "run" / f"{self.count:03}"
        path.write_text(script + "\n")
        try:
            self.agent.sendall(f"{path.name}\n".encode())
        except OSError as error:
            raise Failed(f"the machine is off: {error}") from None
        status = self.answer(timeout)
        output = path.with_suffix(".log").read_text(errors="replace")
        if status != "0":
            raise Failed(f"exit status {status} of:\n{script}\n{output}")
        return output

    def wait_for(self, script, timeout=PATIENCE):
        """Repeat a script until it succeeds."""
        end = self.time() + timeout
        while True:
            try:
                return self.run(script)
            except Failed:
                if self.is_lost or self.time() > end or self.qemu.poll() is not None:
                    raise
                time.sleep(0.2)

    def plug(self, is_there):
        """Plug the USB sound card in, or pull it out."""
        with socket.socket(socket.AF_UNIX) as control:
            control.connect(f"{self.folder.name}/qmp")
            answers = control.makefile("r")
            answers.readline()
            device = {"id": "usbsound"} | ({"driver": "usb-audio", "bus": "usb.0", "audiodev": "usbcard"} if is_there else {})
            for command, arguments in (("qmp_capabilities", {}), ("device_add" if is_there else "device_del", device)):
                control.sendall(json.dumps({"execute": command, "arguments": arguments}).encode())
                for line in answers:
                    answer = json.loads(line)
                    if "error" in answer:
                        raise Failed(f"{command}: {answer['error']['desc']}")
                    if "return" in answer:
                        break

    def reboot(self, cut=False):
        """Shut the machine down, or cut its power, and start it again. Its disk goes on, and the recording begins anew."""
        command = "sync; echo b >/proc/sysrq-trigger" if cut else "systemctl --no-block reboot"
        (self.share / "run" / "reboot").write_text(command + "\n")
        self.agent.sendall(b"reboot\n")
        # In a QEMU of its own: after a reset an emulated processor is several times slower.
        end = self.time() + PATIENCE
        while self.qemu.poll() is None:
            if self.time() > end:
                raise Failed(f"the machine does not shut down; see {self.share}/console.log")
            time.sleep(0.1)
        self.on()

    def off(self):
        """Turn the machine off. The sound card's WAV gets its header now."""
        self.end()
        self.folder.cleanup()

    def end(self):
        self.qemu.terminate()
        try:
            self.qemu.wait(10)
        except subprocess.TimeoutExpired:
            self.qemu.kill()
            self.qemu.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.off()


if __name__ == "__main__":
    shell = Machine(*sys.argv[1:4], shell=True)
    shell.qemu.wait()
    shell.off()
