"""USB-MIDI keyboards that are plugged into a machine, as guest/keyboard makes them."""

import shlex


class Keyboard:
    """One that is made now, and plugged into the first empty socket. What it sends and is sent goes through the kernel's
    device side at its own end and through the driver of any keyboard at the machine's."""

    def __init__(self, machine, name, product="", serial="", ports=1):
        self.run, self.name, self.product, self.ports = machine.run, name, product or name, ports
        self.run(f"keyboard create {name} {shlex.quote(self.product)} '{serial}' {ports}")
        self.find()

    def find(self):
        """Its own end, which is another card whenever it was switched on."""
        self.card = self.run(f"keyboard card {self.name}").strip()
        self.node = f"/dev/snd/midiC{self.card}D0"
        self.run(f"for i in $(seq 50); do [ -e {self.node} ] && break; sleep 0.1; done; [ -e {self.node} ]")

    def press(self, *data, port=0):
        """Has it send some bytes."""
        if port:
            self.run(f"amidi -p hw:{self.card},0,{port} -S '{bytes(data).hex(' ')}'")
        else:
            self.run(self.sending(*data))

    def sending(self, *data):
        """The shell's words for that."""
        return "printf '" + "".join(f"\\{byte:03o}" for byte in data) + f"' >{self.node}"

    def unplug(self):
        self.run(f"keyboard unplug {self.name}")

    def plug(self):
        self.run(f"keyboard plug {self.name}")

    def off(self):
        self.run(f"keyboard off {self.name}")

    def on(self, socket=""):
        self.run(f"keyboard on {self.name} {socket}")
        self.find()

    def listen(self, port=0):
        """From now on what it is sent on one port is kept. Nobody else may read its own end."""
        reader = f"amidi -p hw:{self.card},0,{port} -r /dev/stdout" if port else f"cat {self.node}"
        self.run(f"{reader} >/run/{self.name}.heard 2>/run/{self.name}.error & echo $! >/run/{self.name}.pid; sleep 0.2")

    def heard(self):
        """The bytes that it was sent since `listen`."""
        return bytes.fromhex(self.run(f"cat /run/{self.name}.error; od -An -v -tx1 /run/{self.name}.heard"))

    def deafen(self):
        self.run(f"kill $(cat /run/{self.name}.pid)")
