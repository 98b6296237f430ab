"""The first requests of programs that speak OSCQuery, as their sources make them."""

import json
import socket

# Chataigne names the address without a slash, which its library adds.
CHATAIGNE = [
    "GET /?HOST_INFO HTTP/1.1\r\nHost: {host}\r\nUser-Agent: Chataigne\r\nConnection: close\r\nAccept: */*\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: {host}\r\nUser-Agent: Chataigne\r\nConnection: close\r\nAccept: */*\r\n\r\n",
]
# libossia asks both ways.
LIBOSSIA = [
    "GET /?HOST_INFO HTTP/1.1\r\nHost: {host}\r\nAccept: */*\r\nConnection: close\r\n\r\n",
    "GET /?HOST_INFO=1 HTTP/1.1\r\nHost: {host}\r\nAccept: */*\r\nConnection: close\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: {host}\r\nAccept: */*\r\nConnection: close\r\n\r\n",
]
# VDMX and the Vidvox browser, by the system's library.
VDMX = [
    "GET /?HOST_INFO HTTP/1.1\r\nHost: {host}\r\nAccept: */*\r\nUser-Agent: VDMX5/8.9 CFNetwork/1494 Darwin/23.4.0\r\n"
    "Accept-Language: en-GB,en;q=0.9\r\nAccept-Encoding: gzip, deflate\r\nConnection: keep-alive\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: {host}\r\nAccept: */*\r\nUser-Agent: VDMX5/8.9 CFNetwork/1494 Darwin/23.4.0\r\n"
    "Accept-Language: en-GB,en;q=0.9\r\nAccept-Encoding: gzip, deflate\r\nConnection: keep-alive\r\n\r\n",
]


def answer(port, request):
    """Status, fields in lower case, and body of the answer to the bytes of a request."""
    with socket.create_connection(("127.0.0.1", port), timeout=120) as connection:
        connection.sendall(request.format(host=f"127.0.0.1:{port}").encode())
        data = b""
        while b"\r\n\r\n" not in data:
            data += received(connection)
        head, body = data.split(b"\r\n\r\n", 1)
        lines = head.decode().split("\r\n")
        fields = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines[1:])}
        while len(body) < int(fields["content-length"]):
            body += received(connection)
        return int(lines[0].split()[1]), fields, body


def received(connection):
    data = connection.recv(65536)
    if not data:
        raise ConnectionError("the server closed the connection in the middle of an answer")
    return data


def read(port, request):
    """The JSON of an answer that must be one."""
    status, fields, body = answer(port, request)
    assert status == 200, f"{status} for {request.splitlines()[0]}: {body[:100]}"
    assert fields["content-type"].startswith("application/json"), fields
    return json.loads(body)
