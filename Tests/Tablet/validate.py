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
# The root's, which is given every message first, answers /who and leaves the others to the controls.
ANSWER = """
local sent = {}
sendOSC = function(address, value) table.insert(sent, address .. ' ' .. value) end
%s
local done = onReceiveOSC({'/who', {{tag = 's', value = 'aBc'}}}, {true})
local other = onReceiveOSC({'/focus', {{tag = 'i', value = 1}}}, {true})
print(table.concat(sent, ', ') .. tostring(done) .. tostring(other))
"""
root = next(s for s in scripts if "onReceiveOSC" in s)
assert root in {p.find("value").text for p in tree.find("node/properties")}, "not the root's"
said = subprocess.run(["lua5.1", "-"], input=ANSWER % root, text=True, check=True, stdout=subprocess.PIPE).stdout
assert said.strip() == "/here aBctruenil", f"{root}\nsays {said}"
scripts.remove(root)

for script in scripts:
    said = subprocess.run(["lua5.1", "-"], input=HELD % script, text=True, check=True, stdout=subprocess.PIPE).stdout
    assert said.strip() == ", ".join(["/hold 5"] * 4), f"{script}\nsays {said}"
assert len(scripts) == 4, "a key or pedal, a plane, a bend and a wheel"

# The positive control: a property of the wrong type, and a label that fires on a value it has not.
wrong = text.replace("<property type='i'><key><![CDATA[steps]]>", "<property type='f'><key><![CDATA[steps]]>")
wrong = wrong.replace("<triggers><trigger><var><![CDATA[x]]>", "<triggers><trigger><var><![CDATA[text]]>")
with open(sys.argv[1] + ".wrong", "wb") as file:
    file.write(zlib.compress(wrong.encode()))
assert py2tosc.load(sys.argv[1] + ".wrong").validate(), "py2tosc finds nothing where there is something"
print(f"{len(ids)} controls, {len(packed)} bytes, {len(scripts)} scripts: nothing to complain of")
