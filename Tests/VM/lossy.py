"""A tablet on a network that loses packets."""

import random
import time

from osc import Tablet, messages

LOSS = 0.2
dice = random.Random(1)


class LossyTablet(Tablet):
    """Loses a fifth of what it sends and of what it is sent, and remembers what it shows."""

    def __init__(self, port):
        super().__init__(port)
        self.shown = {}

    def say(self, address, *values):
        if dice.random() > LOSS:
            self.send(address, *values)

    def listen(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                packet = self.socket.recv(65536)
            except TimeoutError:
                return
            if dice.random() < LOSS:
                continue
            for address, values in messages(packet):
                if address == "/who":
                    self.send("/here", values[0])
                elif values:
                    self.shown[address] = values[0]
