"""Draws the pages of a TouchOSC layout as SVG, with the values that an instrument has sent to its controls."""

import xml.etree.ElementTree as ET
import zlib
from xml.sax.saxutils import escape

FONT = "Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
MOMENTS = ("/status/", "/notice")


def read(path):
    """The root control of a .tosc file, which is XML in a zlib stream."""
    with open(path, "rb") as file:
        return Control(ET.fromstring(zlib.decompress(file.read())).find("node"))


def color(c, by=1.0):
    return "#%02x%02x%02x" % tuple(round(255 * by * c[k]) for k in "rgb")


class Control:
    """A control of the layout: its properties, its values, and the messages that set them."""

    def __init__(self, element):
        self.kind = element.get("type")
        self.properties = {p.find("key").text: prop(p) for p in element.iterfind("properties/property")}
        self.values = {v.find("key").text: v.find("default").text or "" for v in element.iterfind("values/value")}
        self.received = [m for m in map(message, element.iterfind("messages/osc")) if m]
        self.children = [Control(child) for child in element.iterfind("children/node")]
        self.visible = self.properties["visible"] == 1

    def __iter__(self):
        yield self
        for child in self.children:
            yield from child

    def take(self, sent):
        """Sets the values that the instrument sent; returns the addresses of a value that it sent nothing for."""
        missing = {}
        for address, name, low, high in self.received:
            if address not in sent:
                missing.setdefault(name, []).append(address)
            elif name == "text":
                self.values[name] = sent[address]
            else:
                self.values[name] = (float(sent[address]) - low) / (high - low)
        # A label of notices also shows errors, which there are none of.
        for address, name, _, _ in self.received:
            if address in sent:
                missing.pop(name, None)
        return [address for addresses in missing.values() for address in addresses]

    def draw(self, out):
        if not self.visible:
            return
        p, f, c = self.properties, self.properties["frame"], self.properties["color"]
        w, h = f["w"], f["h"]
        line = f' stroke="{color(c)}"' if p["outline"] else ""

        def box(fill, x=0, y=0, w=w, h=h, line=line):
            out.append(f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="{p["cornerRadius"]:g}" '
                       f'fill="{fill}"{line}/>')

        # Figures and notices of the moment are marked, so that two pictures can be compared without them.
        mark = ' class="moment"' if any(address.startswith(MOMENTS) for address, *_ in self.received) else ""
        out.append(f'<g{mark} transform="translate({f["x"]:g},{f["y"]:g})">')
        if self.kind == "BOX":
            box(color(c))
        elif self.kind == "BUTTON":
            box(self.shade(c, float(self.values["x"]) > 0))
        elif self.kind == "RADIO":
            steps = int(p["steps"])
            for step in range(steps):
                lit = step == round(float(self.values["x"]))
                fill = self.shade(c, lit)
                if p["orientation"] == 1:
                    box(fill, x=step * w / steps, w=w / steps)
                else:
                    box(fill, y=(steps - 1 - step) * h / steps, h=h / steps)
        elif self.kind == "FADER":
            self.fader(box, w, h)
        elif self.kind == "XY":
            self.plane(box, out, w, h)
        elif self.kind == "LABEL":
            self.label(out, w, h)
        for child in self.children:
            child.draw(out)
        out.append("</g>")

    def shade(self, c, is_lit):
        return color(c) if is_lit else color(c, 0.32) if self.properties["background"] else "none"

    def fader(self, box, w, h):
        p, c, x = self.properties, self.properties["color"], float(self.values["x"])
        box(color(c, 0.2) if p["background"] else "none")
        steps = int(p["gridSteps"]) if p["grid"] else 0
        low, high = (min(x, 0.5), max(x, 0.5)) if p.get("centered") else (0, x)
        grid = [step / steps for step in range(1, steps)]
        if p["orientation"] == 1:
            box(color(c, 0.6), x=low * w, w=(high - low) * w, line="")
            for at in grid:
                box("#000", x=at * w, w=1, line="")
            box(color(c), x=x * (w - 5), w=5, line="")
        else:
            box(color(c, 0.6), y=(1 - high) * h, h=(high - low) * h, line="")
            for at in grid:
                box("#000", y=at * h, h=1, line="")
            box(color(c), y=(1 - x) * (h - 5), h=5, line="")

    def plane(self, box, out, w, h):
        p, c = self.properties, self.properties["color"]
        box(color(c, 0.2) if p["background"] else "none")
        for step in range(1, int(p["gridStepsX"])):
            box("#000", x=step * w / p["gridStepsX"], w=1, line="")
        for step in range(1, int(p["gridStepsY"])):
            box("#000", y=step * h / p["gridStepsY"], h=1, line="")
        x, y = float(self.values["x"]) * w, (1 - float(self.values["y"])) * h
        out.append(f'<path d="M{x:g} 0V{h:g}M0 {y:g}H{w:g}" stroke="{color(c, 0.6)}"/>')
        out.append(f'<circle cx="{x:g}" cy="{y:g}" r="14" fill="{color(c)}"/>')

    def label(self, out, w, h):
        p, words = self.properties, self.values["text"]
        if not words:
            return
        size = p["textSize"]
        x, anchor = {1: (2, "start"), 2: (w / 2, "middle"), 3: (w - 2, "end")}[int(p["textAlignH"])]
        out.append(f'<svg width="{w:g}" height="{h:g}"><text x="{x:g}" y="{h / 2 + size * 0.36:g}" '
                   f'font-size="{size:g}" text-anchor="{anchor}" fill="{color(p["textColor"])}">{escape(words)}'
                   "</text></svg>")


def prop(element):
    value, kind = element.find("value"), element.get("type")
    if kind in "rc":
        return {part.tag: float(part.text) for part in value}
    return value.text or "" if kind == "s" else float(value.text)


def message(element):
    """The address that sets a value of a control, the value's name, and what its 0 and 1 are sent as."""
    argument = element.find("arguments/partial")
    if element.find("receive").text != "1":
        return None
    return (element.find("path/partial/value").text, argument.find("value").text,
            float(argument.find("scaleMin").text), float(argument.find("scaleMax").text))


def pages(control):
    """The indexes of the tabs that lead to each page, and the titles on the way."""
    pager = next((child for child in control.children if child.kind == "PAGER"), None)
    if pager is None:
        return [((), ())]
    return [((index, *path), (page.properties["tabLabel"], *titles))
            for index, page in enumerate(pager.children) for path, titles in pages(page)]


def grids(root):
    """The pages of each grid of names, which a touch opens in place of the pages."""
    pager = next(child for child in root.children if child.kind == "PAGER")
    for grid in [child for child in root.children if not child.visible]:
        pager.visible, grid.visible = False, True
        address = grid.properties["name"].split()[-1]
        for label in [child for child in root if child.properties["name"] == f"{address}/text"][:1]:
            opened(grid, label.values["text"])
        for path, titles in pages(grid):
            yield (grid.properties["name"].replace("/", " "), *(str(number + 1) for number in path)), page(root, path)
        pager.visible, grid.visible = True, False


def opened(grid, value):
    """Shows the value of a knob as the script of the grid does."""
    for child in grid:
        if child.properties["name"] == "title":
            child.values["text"] += ": " + value.upper()
        elif child.properties["name"] == f"lamp {value}":
            child.visible = True


def page(root, path):
    """The page that these tabs lead to, as lines of SVG."""
    f = root.properties["frame"]
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {f["w"]:g} {f["h"]:g}" font-family="{FONT}">',
           f'<rect width="{f["w"]:g}" height="{f["h"]:g}" fill="{color(root.properties["color"])}"/>']
    inside(root, path, out)
    return "\n".join(out + ["</svg>", ""])


def inside(control, path, out):
    """What a control holds; of a pager the page that the path names first."""
    for child in control.children:
        f = child.properties["frame"]
        if not child.visible or child.kind not in ("PAGER", "GROUP"):
            child.draw(out)
            continue
        if child.kind == "GROUP":
            out.append(f'<g transform="translate({f["x"]:g},{f["y"]:g})">')
            inside(child, path, out)
            out.append("</g>")
            continue
        out.append(f'<g transform="translate({f["x"]:g},{f["y"]:g})">')
        tabs(child, path[0], out)
        chosen = child.children[path[0]]
        g = chosen.properties["frame"]
        out.append(f'<g transform="translate({g["x"]:g},{g["y"]:g})">')
        inside(chosen, path[1:], out)
        out.append("</g></g>")


def tabs(pager, number, out):
    """The tabs of a pager; the one of the page that is shown is lit."""
    width, height = pager.properties["frame"]["w"] / len(pager.children), pager.properties["tabbarSize"]
    for index, tab in enumerate(pager.children):
        state = "On" if index == number else "Off"
        size = pager.properties["textSize" + state]
        out.append(f'<rect x="{index * width + 1:g}" width="{width - 2:g}" height="{height:g}" '
                   f'fill="{color(tab.properties["tabColor" + state])}"/>')
        out.append(f'<text x="{(index + 0.5) * width:g}" y="{height / 2 + size * 0.36:g}" font-size="{size:g}" '
                   f'text-anchor="middle" fill="{color(tab.properties["textColor" + state])}">'
                   f'{escape(tab.properties["tabLabel"])}</text>')
