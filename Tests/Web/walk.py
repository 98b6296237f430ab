"""The tree of OSCQuery, and what clients have been seen to trip over in one."""

import json


def nodes(node):
    """All nodes below and including one."""
    yield node
    for child in node.get("CONTENTS", {}).values():
        yield from nodes(child)


def faults(root, text):
    """What is wrong with a tree, as sentences."""
    found, paths = [], set()
    for node in nodes(root):
        path = node.get("FULL_PATH")
        if not path or path in paths:
            found.append(f"{path} is there twice, or has no FULL_PATH")
        paths.add(path)
        if "CONTENTS" in node:
            if "TYPE" in node:
                found.append(f"{path} has TYPE and CONTENTS: Chataigne ignores its value")
            found += wrong_contents(path, node["CONTENTS"])
        elif "TYPE" not in node:
            found.append(f"{path} has neither TYPE nor CONTENTS")
        else:
            found += wrong_value(path, node)
    # libossia's reader takes a number without a point for a whole one.
    for node in nodes(root):
        if set(node.get("TYPE", "")) == {"f"} and any(isinstance(one, int) for one in node.get("VALUE", [])):
            found.append(f"{node['FULL_PATH']}: a float without a point")
    return found


def wrong_contents(path, contents):
    names = [child.get("DESCRIPTION", name) for name, child in contents.items()]
    for child_name, child in contents.items():
        if child.get("FULL_PATH") != f"{path.rstrip('/')}/{child_name}":
            yield f"{child_name} in {path} has the FULL_PATH {child.get('FULL_PATH')}"
    for name in sorted({one for one in names if names.count(one) > 1}):
        # Chataigne shows the description as the name.
        yield f"{path} has two children called {name!r}"


def wrong_value(path, node):
    kinds = {"i": int, "f": (int, float), "s": str, "T": bool, "F": bool, "N": type(None), "I": type(None)}
    tags, values, ranges = node["TYPE"], node.get("VALUE"), node.get("RANGE")
    if node.get("ACCESS", 0) & 1 and values is None:
        yield f"{path} can be read and has no VALUE"
    if values is not None:
        if len(values) != len(tags):
            yield f"{path} has {len(values)} values of type {tags}"
        for tag, value in zip(tags, values):
            if value is not None and not isinstance(value, kinds[tag]):
                yield f"{path} is {tag} and has the value {value!r}"
    if ranges is not None:
        if len(ranges) != len(tags):
            yield f"{path} has {len(ranges)} ranges for type {tags}"
        for value, bound in zip(values or [], ranges):
            if bound and value is not None and "VALS" in bound and value not in bound["VALS"]:
                yield f"{path} is {value!r}, none of {json.dumps(bound['VALS'])[:60]}"
            if bound and value is not None and "MIN" in bound and not bound["MIN"] - 1e-6 <= value <= bound["MAX"] + 1e-6:
                yield f"{path} is {value}, not in {bound['MIN']}…{bound['MAX']}"
    if "s" in tags and ranges and any(bound is not None and not bound.get("VALS") for bound in ranges):
        yield f"{path}: a text with a RANGE without VALS disappears in Chataigne"
    # A unit of libossia decides how a value is converted: 0…1 is no frequency.
    if node.get("UNIT") and ranges and ranges[0] and ranges[0].get("MAX") == 1.0 and ranges[0].get("MIN") == 0.0:
        yield f"{path} is 0…1 and has the unit {node['UNIT']}"
