"""Whether a layout is one that TouchOSC takes: validate.py FILE.tosc"""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
import zlib

import py2tosc

with open(sys.argv[1], "rb") as file:
    packed = file.read()
text = zlib.decompress(packed).decode()
ids = re.findall(r"<node ID='([^']+)'", text)
assert len(ids) == len(set(ids)), "two controls have one identity"
assert re.findall(r"<lexml version='(.*?)'>", text) == ["3"], "not the version that the oldest app reads"
assert set(re.findall(r"<connections>(.*?)<", text)) == {"1" * 5}, "not every connection is used"
assert set(re.findall(r"<feedback>(.*?)<", text)) == {"0"}, "a control feeds back"

layout = py2tosc.load(sys.argv[1])
issues = layout.validate()
assert not issues, "\n".join(str(issue) for issue in issues)
# Read and written again it is the same: every element is one that this version has, in its order.
assert layout.dumps() == text, "py2tosc would write it otherwise"

# The scripts, in the Lua that TouchOSC has, of a control that is held for four seconds of sixty frames and then not.
# Texts of 2, 18, 18 and 80 letters; those of the third have two bytes each.
SHRINK = """
self = {values = {text = ''}, textSize = 0}
%s
for _, text in ipairs({'ab', ('a'):rep(18), ('\\195\\164'):rep(18), ('a'):rep(80)}) do
    self.values.text = text
    onValueChanged('text')
    print(self.textSize)
end
"""

HELD = """
local now, sent = 100000, {}
getMillis = function() return now end
sendOSC = function(address, value) table.insert(sent, address .. ' ' .. value) end
self = { values = { x = 0.7, touch = true } }
%s
for frame = 1, 480 do
    if frame == 241 then
        self.values = { x = 0, touch = false }
        if onValueChanged then onValueChanged('touch') end
    end
    update()
    now = now + 1000 / 60
end
print(table.concat(sent, ', '))
"""
tree = ET.fromstring(text)
scripts = {p.find("value").text for p in tree.iter("property") if p.find("key").text == "script"}
# The root's, which is given every message first, answers /who and leaves the others to the controls. Until one of these
# comes, it sends /here each half second.
ANSWER = """
local now, sent = 0, {}
getMillis = function() return now end
sendOSC = function(address, value) table.insert(sent, address .. ' ' .. value) end
local function run(seconds)
    for _ = 1, 60 * seconds do
        update()
        now = now + 1000 / 60
    end
end
%s
run(2.5)
local done = onReceiveOSC({'/who', {{tag = 's', value = 'aBc'}}}, {true})
run(1)
local other = onReceiveOSC({'/focus', {{tag = 'i', value = 1}}}, {true})
run(10)
print(table.concat(sent, ', ') .. tostring(done) .. tostring(other))
"""
root = next(s for s in scripts if "onReceiveOSC" in s)
assert root in {p.find("value").text for p in tree.find("node/properties")}, "not the root's"
said = subprocess.run(["lua5.1", "-"], input=ANSWER % root, text=True, check=True, stdout=subprocess.PIPE).stdout
expected = ", ".join(["/here 1"] * 5 + ["/here aBc"] + ["/here 1"] * 2)
assert said.strip() == expected + "truenil", f"{root}\nsays {said}"
scripts.remove(root)

# A field of a choice opens a grid of names in place of the pages; a touched name sets the knob and closes it. Here the
# whole layout is a tree of Lua tables, in which each such script runs as in TouchOSC, and every field is touched.
TREE = """
local sent = {}
sendOSC = function(address, value) table.insert(sent, address .. ' ' .. value) end
local function find(node, name, deep)
    for _, child in ipairs(node.list) do
        if child.name == name then return child end
        local found = deep and find(child, name, true)
        if found then return found end
    end
end
local function tree(node, parent)
    node.parent = parent
    node.children = setmetatable({}, {__index = function(_, key)
        return type(key) == 'number' and node.list[key] or find(node, key)
    end})
    node.findByName = find
    node.notify = function(self, key, value) self.env.onReceiveNotify(key, value) end
    for _, child in ipairs(node.list) do tree(child, node) end
end
root = %s
tree(root)
local fields = {}
local function run(node)
    if node.script then
        node.env = setmetatable({self = node}, {__index = _G})
        setfenv(assert(loadstring(node.script)), node.env)()
        if node.name:sub(1, 1) == '/' then table.insert(fields, node) end
    end
    for _, child in ipairs(node.list) do run(child) end
end
run(root)
local function touch(node)
    for _, x in ipairs({1, 0}) do
        node.values.x = x
        node.env.onValueChanged('x')
    end
end
local function lit(node, found)
    if node.name:sub(1, 5) == 'lamp ' and node.visible then table.insert(found, node.name:sub(6)) end
    for _, child in ipairs(node.list) do lit(child, found) end
    return found
end
local function open()
    local grids = {}
    for _, child in ipairs(root.list) do
        if child.visible and (child.script or child.name == 'pages') then table.insert(grids, child) end
    end
    assert(#grids == 1, 'a grid or the pages are seen')
    return grids[1]
end
for _, field in ipairs(fields) do
    field.env.onValueChanged('touch')
    assert(open().name == 'pages')
    local names = {}
    local function buttons(node)
        if node.script and node.name ~= 'close' and node ~= open() then table.insert(names, node) end
        for _, child in ipairs(node.list) do buttons(child) end
    end
    local label = field.parent.children[field.name .. '/text']
    label.values.text = 'nothing'
    touch(field)
    assert(open().name ~= 'pages' and #lit(open(), {}) == 0)
    buttons(open())
    assert(#names > 2)
    touch(open().children.close)
    assert(open().name == 'pages' and #sent == 0)
    for _, name in ipairs(names) do
        label.values.text = name.name
        touch(field)
        local shown = lit(open(), {})
        assert(#shown == 1 and shown[1] == name.name)
        local words = field.name:sub(2):gsub('/', ' ') .. ': ' .. name.name
        assert(open():findByName('title', true).values.text == words:upper())
        touch(name)
        assert(open().name == 'pages')
        assert(table.remove(sent) == field.name .. ' ' .. name.name and #sent == 0)
    end
    print(field.name)
end
"""


def lua(node):
    """A control with its scripts of grids, as a table of Lua."""
    def property(key):
        return next((p.find("value").text or "" for p in node.iterfind("properties/property")
                     if p.find("key").text == key), "")
    script = property("script")
    fields = [f"name = [==[{property('name')}]==]", f"visible = {'true' if property('visible') == '1' else 'false'}",
              "values = {x = 0, text = ''}", f"list = {{{', '.join(map(lua, node.iterfind('children/node')))}}}"]
    if "otify" in script:
        fields.append(f"script = [==[{script}]==]")
    return "{" + ", ".join(fields) + "}"


def grids(tree):
    """Touches all fields and names; returns the addresses that can be set so, or what went wrong."""
    run = subprocess.run(["lua5.1", "-"], input=TREE % lua(tree), text=True, capture_output=True)
    return run.stderr or set(run.stdout.split())


touched = grids(tree.find("node"))
assert isinstance(touched, set) and {"/mod/1/target", "/mod/8/scale", "/lfo/2/sync", "/part/8/channel"} <= touched, touched
scripts = {script for script in scripts if "otify" not in script}
shrinking = {script for script in scripts if "textSize" in script}
scripts -= shrinking

# A title is as large as it fits, in characters and not in bytes, and never smaller than the least size.
for script in shrinking:
    sizes = subprocess.run(["lua5.1", "-"], input=SHRINK % script, text=True, check=True, stdout=subprocess.PIPE).stdout
    sizes = [int(size) for size in sizes.split()]
    assert sizes[0] > sizes[1] == sizes[2] > sizes[3] and sizes[0] >= 58, f"{script}\nsays {sizes}"
assert len(shrinking) == 1, "the title of the stage"

for script in scripts:
    said = subprocess.run(["lua5.1", "-"], input=HELD % script, text=True, check=True, stdout=subprocess.PIPE).stdout
    assert said.strip() == ", ".join(["/hold 5"] * 4), f"{script}\nsays {said}"
assert len(scripts) == 4, "a key or pedal, a plane, a bend and a wheel"

# The positive controls: a script that leaves the pages hidden; a property of the wrong type, and a label that fires on a value it has not.
wrong = text.replace("<property type='i'><key><![CDATA[steps]]>", "<property type='f'><key><![CDATA[steps]]>")
wrong = wrong.replace("<triggers><trigger><var><![CDATA[x]]>", "<triggers><trigger><var><![CDATA[text]]>")
with open(sys.argv[1] + ".wrong", "wb") as file:
    file.write(zlib.compress(wrong.encode()))
assert py2tosc.load(sys.argv[1] + ".wrong").validate(), "py2tosc finds nothing where there is something"
wrong = text.replace("root.children.pages.visible = not opens", "")
assert isinstance(grids(ET.fromstring(wrong).find("node")), str), "Lua finds nothing where there is something"
print(f"{len(ids)} controls, {len(packed)} bytes, {len(touched)} fields of names: nothing to complain of")
