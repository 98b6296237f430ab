"""A pipit that plays against the clock: its state is in a temporary folder, its ports are free ones."""

import contextlib
import http.client
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "VM"))
from osc import Tablet, message, messages  # noqa: E402

# The name that the browser uses. An address would be trusted more than a home's page is.
HOST = "box.local"
PRESETS = pathlib.Path(__file__).resolve().parents[2] / "presets"


def free_port():
    """A port that neither TCP nor UDP uses; OSC and the page share its number, as they do by default."""
    while True:
        with socket.socket() as stream, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagram:
            stream.bind(("127.0.0.1", 0))
            try:
                datagram.bind(stream.getsockname())
                return stream.getsockname()[1]
            except OSError:
                continue


class Instrument:
    """Starts in `__enter__` and ends in `__exit__`; `kill` and `start` between are a crash and a restart."""

    def __init__(self, pipit, *options):
        self.pipit, self.options = str(pipit), options
        self.port = free_port()
        self.folder = tempfile.mkdtemp(prefix="pipit-web-")
        self.log = open(f"{self.folder}/log", "w+", encoding="utf-8")
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        self.log.close()
        shutil.rmtree(self.folder)

    @property
    def state(self):
        return f"{self.folder}/state"

    @property
    def card(self):
        """The folder in which the services of the card image describe the machine."""
        return f"{self.folder}/card"

    def start(self, wait=120):
        os.makedirs(self.state, exist_ok=True)
        self.process = subprocess.Popen(
            [self.pipit, "serve", "--device", "clock", "--osc-port", str(self.port), "--web-port", str(self.port),
             "--web-names", HOST, "--state", self.state, "--presets", PRESETS, *self.options], stderr=self.log, stdout=self.log,
            env={"PATH": os.environ["PATH"], "HOME": self.folder, "PIPIT_CARD_IMAGE": f"{self.folder}/card"})
        end = time.monotonic() + wait
        while True:
            try:
                if self.get("/?HOST_INFO")[0] == 200:
                    break
            except OSError:
                pass
            if time.monotonic() > end or self.process.poll() is not None:
                raise RuntimeError(f"pipit does not serve the page:\n{self.logged()}")
            time.sleep(0.02)
        self.tablet = Tablet(self.port)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(120)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self):
        """Ends it as a crash or a power failure would."""
        self.process.kill()
        self.process.wait(120)

    def open_access_point(self, *lines):
        """What the card image does when it has opened its Wi-Fi network."""
        os.makedirs(self.card, exist_ok=True)
        pathlib.Path(self.card, "access-point").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def session(self):
        """The session as it is on the disk, as text."""
        with contextlib.closing(sqlite3.connect(f"file:{self.state}/presets.sqlite?mode=ro", uri=True, timeout=60)) as database:
            found = database.execute("SELECT text FROM documents WHERE kind = 'session'").fetchone()
        return found[0] if found else ""

    @contextlib.contextmanager
    def held(self):
        """Keeps the disk busy: another program holds the database meanwhile, and nothing is written."""
        with contextlib.closing(sqlite3.connect(f"{self.state}/presets.sqlite", isolation_level=None, timeout=60)) as database:
            database.execute("BEGIN EXCLUSIVE")
            yield
            database.execute("COMMIT")

    def logged(self):
        return pathlib.Path(self.log.name).read_text(encoding="utf-8")

    def get(self, path, headers=None, method="GET", body=None):
        """Status, fields and body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request(method, path, body=body, headers=headers or {"Accept": "application/json"})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def ask(self, address, wait=120):
        """The values of an address, asked over OSC; None without an answer."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.settimeout(0.2)
            end = time.monotonic() + wait
            while time.monotonic() < end:
                client.sendto(message(address), ("127.0.0.1", self.port))
                try:
                    for found, values in messages(client.recv(65536)):
                        if found == address:
                            return values
                except (socket.timeout, ConnectionError):
                    pass
        return None

    def value(self, address):
        values = self.ask(address)
        return values[0] if values else None

    def send(self, address, *values):
        """Sends a message as another hand, a tablet's."""
        self.tablet.send(address, *values)
