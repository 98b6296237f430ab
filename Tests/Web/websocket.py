"""A WebSocket client of the bare minimum, its frames by hand (RFC 6455), to say things that a library would not."""

import base64
import os
import socket
import struct
import time

# Seconds in which the server says something when it has to.
PATIENCE = 120
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class WebSocket:
    def __init__(self, port, path="/", fields=(), host=None, source=None):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE, source_address=source)
        self.rest = b""
        request = [f"GET {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{port}'}", "Upgrade: websocket",
                   "Connection: Upgrade", f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
                   "Sec-WebSocket-Version: 13", *fields]
        self.socket.sendall("\r\n".join([*request, "", ""]).encode())
        while b"\r\n\r\n" not in self.rest:
            self.rest += self._receive()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        self.status = int(head.split()[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def _receive(self):
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError("the server has closed the connection")
        return data

    def _bytes(self, count):
        while len(self.rest) < count:
            self.rest += self._receive()
        data, self.rest = self.rest[:count], self.rest[count:]
        return data

    def send(self, data, kind=BINARY):
        if isinstance(data, str):
            data, kind = data.encode(), TEXT
        mask = os.urandom(4)
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        body = bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
        self.socket.sendall(bytes([0x80 | kind]) + size + mask + body)

    def frame(self):
        """The next frame: its kind and its data. Pings are answered and returned."""
        first, size = self._bytes(2)
        assert first & 0x80 and not size & 0x80, "the server sends fragments, or masks its frames"
        if size == 126:
            size = struct.unpack(">H", self._bytes(2))[0]
        elif size == 127:
            size = struct.unpack(">Q", self._bytes(8))[0]
        kind, data = first & 15, self._bytes(size)
        if kind == PING:
            self.send(data, PONG)
        return kind, data

    def frames(self, seconds, enough=lambda found: False):
        """The frames of some time, or until there are enough."""
        found, end = [], time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not enough(found):
            self.socket.settimeout(left)
            try:
                found.append(self.frame())
            except socket.timeout:
                break
        self.socket.settimeout(PATIENCE)
        return found
