"""A flattened device tree, read as far as it tells what a device depends on."""

import struct

BEGIN, END, PROPERTY, NOTHING, LAST = 1, 2, 3, 4, 9
# Properties that refer to other nodes, and the property of those that tells how many numbers follow a reference.
REFERENCES = {
    "clocks": "#clock-cells", "dmas": "#dma-cells", "gpio": "#gpio-cells", "gpios": "#gpio-cells",
    "resets": "#reset-cells", "power-domains": "#power-domain-cells", "mmc-pwrseq": None, "iommus": "#iommu-cells",
    "interrupt-parent": None,
}


class Node:
    def __init__(self, name, parent):
        self.name, self.parent, self.properties, self.children = name, parent, {}, []

    @property
    def path(self):
        return self.parent.path.rstrip("/") + "/" + self.name if self.parent else "/"

    def strings(self, name):
        return [part.decode() for part in self.properties.get(name, b"").rstrip(b"\0").split(b"\0") if part]

    def numbers(self, name):
        data = self.properties.get(name, b"")
        return list(struct.unpack(f">{len(data) // 4}I", data[:len(data) // 4 * 4]))

    @property
    def enabled(self):
        on = self.strings("status") in ([], ["okay"], ["ok"])
        return on and (self.parent is None or self.parent.enabled)

    def all(self):
        yield self
        for child in self.children:
            yield from child.all()


class DeviceTree:
    def __init__(self, data):
        magic, _, structure, strings = struct.unpack(">4I", data[:16])
        if magic != 0xD00DFEED:
            raise ValueError("not a device tree")
        at, node, self.root = structure, None, None
        while True:
            token, = struct.unpack_from(">I", data, at)
            at += 4
            if token == BEGIN:
                end = data.index(b"\0", at)
                child = Node(data[at:end].decode(), node)
                if node:
                    node.children.append(child)
                else:
                    self.root = child
                node, at = child, (end + 4) // 4 * 4
            elif token == END:
                node = node.parent
            elif token == PROPERTY:
                size, name = struct.unpack_from(">II", data, at)
                end = data.index(b"\0", strings + name)
                node.properties[data[strings + name:end].decode()] = data[at + 8:at + 8 + size]
                at = (at + 8 + size + 3) // 4 * 4
            elif token == LAST:
                break
        self.by_handle = {node.numbers("phandle")[0]: node for node in self.root.all() if "phandle" in node.properties}

    def references(self, node):
        """The nodes that a node's driver needs: its bus, supplies, clocks, pins and the like."""
        for name in node.properties:
            numbers = node.numbers(name)
            if name.endswith("-supply") or name.startswith("pinctrl-") and name[8:].isdigit():
                yield from (self.by_handle[number] for number in numbers if number in self.by_handle)
                continue
            kind = "gpios" if name.endswith("-gpios") or name.endswith("-gpio") else name
            if kind not in REFERENCES:
                continue
            while numbers:
                target = self.by_handle.get(numbers.pop(0))
                if target is None:
                    continue
                yield target
                cells = target.numbers(REFERENCES[kind]) if REFERENCES[kind] else []
                del numbers[:cells[0] if cells else 0]
        if node.parent:
            yield node.parent

    def needs(self, node):
        """A node and all that it depends on, each once."""
        found, left = [], [node]
        while left:
            node = left.pop()
            if node not in found:
                found.append(node)
                left += self.references(node)
        return found

    def card_slots(self):
        """The enabled controllers of memory cards. One whose device cannot be removed has Wi-Fi."""
        return [node for node in self.root.all()
                if node.enabled and node.name.split("@")[0] in ("mmc", "mmcnr", "sdhci")
                and "non-removable" not in node.properties]
