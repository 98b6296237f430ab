"""Fingers on a page, several at once, by the protocol of the browser's developer tools."""

import math


class Hands:
    def __init__(self, page, devtools):
        self.page, self.devtools = page, devtools

    def _send(self, kind, points):
        self.devtools.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y, "id": index} for index, (x, y) in enumerate(points)]})

    def down(self, *points):
        """Puts fingers down at points, all at once."""
        self._send("touchStart", points)

    def move(self, *points):
        self._send("touchMove", points)

    def up(self):
        self._send("touchEnd", [])

    def cancel(self):
        """The system takes the touch away, as for a gesture of its own."""
        self._send("touchCancel", [])

    def drag(self, *ways, steps=8):
        """Drags fingers, each from a point to a point, in the same time. On a busy host they may rest so long before they
        move that the page takes them for a hold, and opens a card: then the card is closed, and they are dragged again."""
        for _ in range(10):
            self._drag(ways, steps)
            if not self.close_cards():
                break

    def close_cards(self):
        """Closes what a hold has opened, one for each finger. True if there was one."""
        cards = self.page.locator("dialog[open]")
        were_open = cards.count() > 0
        while cards.count():
            self.page.keyboard.press("Escape")
            self.page.wait_for_timeout(50)
        return were_open

    def _drag(self, ways, steps):
        self.down(*[start for start, _ in ways])
        for step in range(1, steps + 1):
            self.move(*[tuple(a + (b - a) * step / steps for a, b in zip(*way)) for way in ways])
            self.page.wait_for_timeout(20)
        self.up()

    def tap(self, point):
        self.down(point)
        self.up()

    def middle(self, element):
        """The middle of an element, which is scrolled into sight."""
        element.scroll_into_view_if_needed()
        box = element.bounding_box()
        assert box, "it is not in sight"
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def beside(point, right=0, down=0):
    """The point that lies so many pixels beside another one."""
    return point[0] + right, point[1] + down


def distance(one, other):
    return math.dist(one, other)
