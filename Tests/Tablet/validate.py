"""Whether a layout is one that TouchOSC takes: validate.py FILE.tosc"""

import re
import sys
import zlib

import py2tosc

with open(sys.argv[1], "rb") as file:
    packed = file.read()
text = zlib.decompress(packed).decode()
ids = re.findall(r"<node ID='([^']+)'", text)
assert len(ids) == len(set(ids)), "two controls have one identity"
assert set(re.findall(r"<connections>(.*?)<", text)) == {"1" * 10}, "not every connection is used"
assert set(re.findall(r"<feedback>(.*?)<", text)) == {"0"}, "a control feeds back"

issues = py2tosc.load(sys.argv[1]).validate()
assert not issues, "\n".join(str(issue) for issue in issues)

# The positive control: a property of the wrong type, and a label that fires on a value it has not.
wrong = text.replace("<property type='i'><key><![CDATA[steps]]>", "<property type='f'><key><![CDATA[steps]]>")
wrong = wrong.replace("<triggers><trigger><var><![CDATA[x]]>", "<triggers><trigger><var><![CDATA[text]]>")
with open(sys.argv[1] + ".wrong", "wb") as file:
    file.write(zlib.compress(wrong.encode()))
assert py2tosc.load(sys.argv[1] + ".wrong").validate(), "py2tosc finds nothing where there is something"
print(f"{len(ids)} controls, {len(packed)} bytes, {len(zlib.compress(packed))} packed: nothing to complain of")
