"""As much OSC as a tablet speaks: one address, one value."""

import re
import socket
import struct
import subprocess
import time


def effects(pipit):
    """The first words of the addresses of each effect, as the program's table has them."""
    table = subprocess.run([pipit, "parameters"], check=True, capture_output=True, text=True).stdout
    return re.findall(r"^/(\w+)/mix ", table, re.M)


def text(value):
    data = value.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def message(address, *values):
    tags, data = ",", b""
    for value in values:
        if isinstance(value, str):
            tags, data = tags + "s", data + text(value)
        elif isinstance(value, int):
            tags, data = tags + "i", data + struct.pack(">i", value)
        else:
            tags, data = tags + "f", data + struct.pack(">f", value)
    return text(address) + text(tags) + data


def messages(packet):
    """The messages of a packet, bundles opened, as (address, values)."""
    if packet.startswith(b"#bundle\0"):
        found, rest = [], packet[16:]
        while rest:
            size = struct.unpack(">i", rest[:4])[0]
            found += messages(rest[4:4 + size])
            rest = rest[4 + size:]
        return found

    def string(at):
        end = packet.index(b"\0", at)
        return packet[at:end].decode(), end + 4 - end % 4

    address, at = string(0)
    tags, at = string(at)
    values = []
    for tag in tags[1:]:
        if tag == "s":
            value, at = string(at)
        elif tag in "TFNI":
            value = {"T": True, "F": False}.get(tag)
        else:
            value, at = struct.unpack_from(">f" if tag == "f" else ">i", packet, at)[0], at + 4
        values.append(value)
    return [(address, values)]


class Tablet:
    """Sends to one UDP port of this machine, and hears what comes back to the port it sends from."""

    def __init__(self, port):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.destination = ("127.0.0.1", port)

    def send(self, address, *values):
        self.socket.sendto(message(address, *values), self.destination)

    def ask(self, address, timeout=60):
        """The values an address answers a query with, or None. It is asked each second, since datagrams may be lost."""
        end = time.monotonic() + timeout
        self.forget()
        while (left := end - time.monotonic()) > 0:
            self.send(address)
            if values := self.heard(address, min(1, left)):
                return values
        return None

    def heard(self, address, timeout):
        """The values of the next message to an address, or None."""
        end = time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                packet = self.socket.recv(65536)
            except TimeoutError:
                return None
            for answer, values in messages(packet):
                if answer == address:
                    return values
        return None

    def forget(self):
        """Late answers to earlier questions would be taken for those to the next."""
        self.socket.setblocking(False)
        try:
            while True:
                self.socket.recv(65536)
        except BlockingIOError:
            pass

    def until(self, address, holds, timeout=600):
        """The first value of an address that `holds` is true of; after ten minutes the last."""
        end = time.monotonic() + timeout
        while True:
            values = self.ask(address)
            if not values and time.monotonic() > end:
                raise TimeoutError(f"{address} is not answered")
            if values and (holds(values[0]) or time.monotonic() > end):
                return values[0]
            time.sleep(0.1)

    def turn(self, address, value):
        """Sets a number, and waits until pipit has it."""
        self.send(address, value)
        return self.until(address, lambda now: abs(now - value) < 1e-3)

    def lines(self, address, timeout=10):
        """The lines that a list answers with, each as its cells; none when it does not answer."""
        self.send(address)
        self.socket.settimeout(timeout)
        count, found = None, {}
        try:
            while count is None or len(found) < count:
                for answer, values in messages(self.socket.recv(65536)):
                    if answer == address:
                        count = values[0]
                    elif answer.startswith(address + "/"):
                        found[int(answer[len(address) + 1:])] = values[0].split("\t")
        except TimeoutError:
            return []
        return [found[number] for number in sorted(found)]

    def answer(self, address, *values, timeout=10):
        """What a message is answered with, in words; empty when it is not."""
        self.send(address, *values)
        self.socket.settimeout(timeout)
        try:
            while True:
                for answer, words in messages(self.socket.recv(65536)):
                    if answer in (address, "/error"):
                        return str(words[0]) if words else ""
        except TimeoutError:
            return ""
