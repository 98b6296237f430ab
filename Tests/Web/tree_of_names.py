"""The page as a screen reader gets it: roles and names from the browser's accessibility tree."""

# What a person can operate.
CONTROLS = {"button", "slider", "checkbox", "radio", "switch", "textbox", "searchbox", "combobox", "spinbutton", "link", "tab",
            "menuitem", "option", "listbox"}


def controls(devtools):
    """Role, name and value of every control."""
    devtools.send("Accessibility.enable")
    found = []
    for node in devtools.send("Accessibility.getFullAXTree")["nodes"]:
        role = node.get("role", {}).get("value", "")
        if node.get("ignored") or role not in CONTROLS:
            continue
        properties = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
        found.append((role, node.get("name", {}).get("value", "").strip(), properties.get("valuetext")))
    return found
