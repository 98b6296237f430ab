"""Asks a running instrument as other programs do that speak OSCQuery: query.py PIPIT"""

import json
import socket
import sys
import time
import traceback

from instrument import Instrument, message, messages
from recorded import CHATAIGNE, LIBOSSIA, VDMX, answer, read
from walk import faults, nodes
from websocket import BINARY, PATIENCE, WebSocket


def root_of(instrument):
    return json.loads(instrument.get("/")[2])


def knobs(instrument):
    """The knobs of the part in focus and of the instrument, by their addresses."""
    return {node["FULL_PATH"]: node for node in nodes(root_of(instrument))
            if "KNOB" in node and not node["FULL_PATH"].startswith("/part/")}


def by_python_oscquery(instrument):
    """python-oscquery reads who is there, the whole tree, and one node of it."""
    from pythonoscquery.osc_query_client import OSCQueryClient
    from zeroconf import ServiceInfo

    client = OSCQueryClient(ServiceInfo("_oscjson._tcp.local.", "pipit._oscjson._tcp.local.", instrument.port,
                                        addresses=[socket.inet_aton("127.0.0.1")]))
    host = client.get_host_info()
    assert host and host.osc_port == instrument.port and host.osc_transport == "UDP", host
    tree = client.query_node("/")
    addresses = [node["FULL_PATH"] for node in nodes(root_of(instrument))]
    missing = [address for address in addresses if tree.find_subnode(address) is None]
    assert len(addresses) > 300 and not missing, missing[:10]
    instrument.send("/filter/cutoff", 0.25)
    assert eventually(lambda: instrument.value("/filter/cutoff") == 0.25), instrument.value("/filter/cutoff")
    cutoff = client.query_node("/filter/cutoff")
    assert cutoff.value == [0.25] and cutoff.access == 3 and not cutoff.is_container, cutoff.attributes
    assert client.query_node("/filter/nothing") is None


def without_faults(instrument):
    """The tree has no fault that other programs trip over, and each node's own answer is what the tree says of it."""
    root = root_of(instrument)
    wrong = faults(root, json.dumps(root))
    for node in nodes(root):
        if not node.get("FULL_PATH", "").startswith(("/part/2", "/part/3", "/status")):
            status, _, body = instrument.get(node["FULL_PATH"])
            alone = json.loads(body) if status == 200 else {}
            if {**alone, "CONTENTS": 0, "VALUE": 0} != {**node, "CONTENTS": 0, "VALUE": 0}:
                wrong.append(f"{node['FULL_PATH']} by itself is {str(alone)[:120]}, in the tree {str(node)[:120]}")
    assert not wrong, f"{len(wrong)} faults:\n  " + "\n  ".join(wrong[:40])


def attributes(instrument):
    """Each attribute can be asked for alone; unknown ones, unknown nodes and changes are answered as the text says."""
    wrong = []

    def expect(path, status, holds=lambda body: True, **more):
        found, _, body = instrument.get(path, **more)
        if found not in (status if isinstance(status, tuple) else (status,)) or not holds(body):
            wrong.append(f"{more.get('method', 'GET')} {path}: {found} {body[:120]}, not {status}")

    for name in ("FULL_PATH", "TYPE", "ACCESS", "VALUE", "RANGE", "DESCRIPTION", "CLIPMODE"):
        expect(f"/filter/cutoff?{name}", 200, lambda body, name=name: list(json.loads(body)) == [name])
    expect("/filter/cutoff?UNIT", 200, lambda body: json.loads(body) in ({}, {"UNIT": ["none"]}))
    expect("/filter?CONTENTS", 200, lambda body: "cutoff" in json.loads(body).get("CONTENTS", {}))
    expect("/panic?VALUE", 204)
    expect("/filter/cutoff?SOMETHING", 204)
    expect("/nothing", 404)
    expect("/filter/cutoff/hz", 200, lambda body: json.loads(body)["TYPE"] == "f")
    expect("/filter/cutoff/text?VALUE", 200, lambda body: isinstance(json.loads(body)["VALUE"][0], str))
    for path in ("/?HOST_INFO", "/filter/cutoff?HOST_INFO", "/?HOST_INFO=1"):
        expect(path, 200, lambda body: {"NAME", "EXTENSIONS", "OSC_PORT", "OSC_TRANSPORT", "WS_PORT"} <= set(json.loads(body)))
    for method in ("POST", "PUT", "DELETE"):
        expect("/filter/cutoff", (403, 405, 413), method=method, body="1")
    expect("/", 421, headers={"Host": "box.example"})
    expect("/", 403, headers={"Host": f"127.0.0.1:{instrument.port}", "Origin": "http://box.example"})
    assert not wrong, "\n  ".join(wrong)


def other(node, now):
    """Another value for a knob, as an argument of OSC."""
    if node["TYPE"] == "s":
        return next(one for one in node["RANGE"][0]["VALS"] if one != now)
    if node["TYPE"] in "TF":
        return 0 if now else 1
    low, high = node["RANGE"][0]["MIN"], node["RANGE"][0]["MAX"]
    if node["TYPE"] == "i":
        return low if now != low else high
    return low + (high - low) * (0.2 if now > (low + high) / 2 else 0.8)


def heard(frames):
    """The last values of addresses in the frames of a connection, and whether each frame was one message."""
    found = {}
    for kind, data in frames:
        if kind == BINARY:
            assert not data.startswith(b"#bundle"), "a bundle, which Chataigne does not read"
            for address, values in messages(data):
                found[address] = values
    return found


def until_told(client, holds):
    """The frames until `holds` is true of them, or of some minutes."""
    return client.frames(PATIENCE, holds)


def until_answered(client):
    """The frames before the answer to a question. What a connection has asked for before, and what it is told of before,
    comes before that."""
    client.send(message("/status/process"))
    found = until_told(client, lambda found: found and "/status/process" in heard(found[-1:]))
    assert found and "/status/process" in heard(found[-1:]), "a question is not answered"
    return found[:-1]


def listening(instrument):
    """A bare client listens to every knob, is told each value at once, and then each change, as the tree types it."""
    wanted = knobs(instrument)
    with WebSocket(instrument.port) as client:
        assert client.status == 101, client.status
        for address in wanted:
            client.send(json.dumps({"COMMAND": "LISTEN", "DATA": address}))
        first = heard(until_told(client, lambda found: len(found) >= len(wanted) and set(wanted) <= set(heard(found))))
        until_answered(client)
        missing = sorted(set(wanted) - set(first))
        assert not missing, f"{len(missing)} of {len(wanted)} are not told at once: {missing[:8]}"
        # One by one, since a knob may set another one free: nothing may be lost. A busy machine keeps only so many.
        for index, (address, node) in enumerate(wanted.items()):
            instrument.send(address, other(node, node["VALUE"][0]))
            if index % 10 == 9:
                instrument.ask("/status/process")
        instrument.ask("/status/process")
        # A part that was switched off or a tuning may have changed what others are; the tree knows.
        now = knobs(instrument)

        def untold(changed):
            return [f"{address}: told {changed.get(address)}, is {now[address]['VALUE']}" for address in wanted
                    if now[address]["VALUE"] != wanted[address]["VALUE"] and not same(changed.get(address), now[address]["VALUE"])]

        changed, end = {}, time.monotonic() + PATIENCE
        while (wrong := untold(changed)) and time.monotonic() < end:
            changed.update(heard(client.frames(0.5)))
        changed.update(heard(until_answered(client)))
        moved = sum(now[address]["VALUE"] != wanted[address]["VALUE"] for address in wanted)
        assert moved > 0.95 * len(wanted), f"only {moved} of {len(wanted)} were changed"
        assert not wrong, f"{len(wrong)} changes were not told:\n  " + "\n  ".join(wrong[:20])
        strangers = set(changed) - set(wanted)
        assert not strangers, f"told without LISTEN: {sorted(strangers)[:8]}"
        client.send(json.dumps({"COMMAND": "IGNORE", "DATA": "/filter/cutoff"}))
        until_answered(client)
        # It is told of another knob that is turned after that one.
        found = told_after(instrument, client, "/filter/cutoff", 0.9, "/filter/resonance")
        assert "/filter/cutoff" not in found, "IGNORE is ignored"


def told_after(instrument, client, address, value, beside):
    """What a client is told when a knob is turned, and then, twice, another one that it listens to."""
    instrument.send(address, value)
    assert eventually(lambda: same(instrument.ask(address), [value])), f"{address} is not turned"
    found = {}
    for other_value in (0.31, 0.57):
        instrument.send(beside, other_value)
        frames = until_told(client, lambda found: same(heard(found).get(beside), [other_value]))
        assert same(heard(frames).get(beside), [other_value]), f"{beside} is not told"
        found.update(heard(frames))
    return found


def same(told, values):
    return told is not None and len(told) == len(values) and all(
        abs(one - other) < 1e-5 if isinstance(one, float) else one == other for one, other in zip(told, values))


def of_a_part(instrument):
    """A client that listens to an address of a part hears its changes there, and those only."""
    with WebSocket(instrument.port) as client:
        client.send(json.dumps({"COMMAND": "LISTEN", "DATA": "/part/3/filter/cutoff"}))
        assert "/part/3/filter/cutoff" in heard(until_told(client, bool))
        until_answered(client)
        # What else is sent for a change comes before the next one is told.
        instrument.send("/part/3/filter/resonance", 0.44)
        told = told_after(instrument, client, "/part/3/filter/cutoff", 0.61, "/part/3/filter/cutoff")
        assert list(told) == ["/part/3/filter/cutoff"] and same(told["/part/3/filter/cutoff"], [0.57]), told


def sending(instrument):
    """Values that are sent over the WebSocket are set; the sender is told its own value once at most, another listener
    each change."""
    with WebSocket(instrument.port) as sender, WebSocket(instrument.port) as listener:
        for client in (sender, listener):
            client.send(json.dumps({"COMMAND": "LISTEN", "DATA": "/filter/resonance"}))
            first = [*until_told(client, bool), *until_answered(client)]
            assert len(first) == 1, f"the value is told {len(first)} times after LISTEN"
        for step in range(20):
            sender.send(message("/filter/resonance", 0.2 + step / 100))
            time.sleep(0.02)
        heard_by_listener = heard(until_told(listener, lambda found: same(heard(found).get("/filter/resonance"), [0.39])))
        assert same(heard_by_listener.get("/filter/resonance"), [0.39]), heard_by_listener
        told = [values for kind, data in until_answered(sender) if kind == BINARY for _, values in messages(data)]
        assert len(told) <= 1, f"the hand hears its own values: {told}"
        # The same program may send by UDP while it listens here, as Chataigne does.
        assert same(instrument.ask("/filter/resonance"), [0.39])


def held_notes(instrument):
    """A note that a connection holds ends with the connection."""
    instrument.send("/amp/release", 0.0)
    with WebSocket(instrument.port) as client:
        client.send(message("/note/60", 0.8))
        assert eventually(lambda: instrument.value("/status/voices") == 1), "no voice"
    assert eventually(lambda: instrument.value("/status/voices") == 0), "the note hangs"


def eventually(holds, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def recorded(instrument):
    """The first requests of Chataigne, libossia and VDMX are answered with what each of them needs."""
    for name, requests in (("Chataigne", CHATAIGNE), ("libossia", LIBOSSIA), ("VDMX", VDMX)):
        for request in requests:
            found = read(instrument.port, request)
            if "HOST_INFO" in request:
                # libossia takes an answer for HOST_INFO by its NAME, and Chataigne listens only where it is promised.
                assert found["NAME"] and found["EXTENSIONS"]["LISTEN"] is True, f"{name}: {found}"
                assert found["OSC_TRANSPORT"] == "UDP" and found["OSC_PORT"] == instrument.port == found["WS_PORT"], found
                assert "OSC_IP" not in found and found["EXTENSIONS"].get("OSC_STREAMING") is not True, found
            else:
                assert found["FULL_PATH"] == "/" and "filter" in found["CONTENTS"] and "NAME" not in found, name
    with WebSocket(instrument.port, fields=["User-Agent: Chataigne", "Sec-WebSocket-Protocol: chat"]) as client:
        assert client.status == 101, "Chataigne opens its WebSocket at /"
    status, fields, _ = answer(instrument.port, VDMX[1])
    assert status == 200 and fields.get("content-encoding", "gzip") == "gzip", fields


CHECKS = [by_python_oscquery, without_faults, attributes, listening, of_a_part, sending, held_notes, recorded]


def main():
    passed = 0
    for check in CHECKS:
        # Each with its own instrument, since listening turns everything.
        with Instrument(sys.argv[1]) as instrument:
            words = " ".join(check.__doc__.split())
            try:
                check(instrument)
                passed += 1
                print(f"ok    {words}", flush=True)
            except Exception as error:
                print(f"FAIL  {words}\n  {error or type(error).__name__}", flush=True)
                if not isinstance(error, AssertionError):
                    traceback.print_exc(limit=4)
    print(f"{passed} passed, {len(CHECKS) - passed} failed")
    sys.exit(passed != len(CHECKS))


main()
