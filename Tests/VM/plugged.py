"""Keyboards that are plugged in and pulled out at random while all of them play."""

import math
import operator
import random

from recording import RATE

KEYS = (69, 81, 88, 93)  # one for each keyboard: 440, 880, 1319, 1760 Hz
BLOCK = 480
# The player of all four, in the machine, where time is the machine's. A keyboard plays as soon as pipit has its port, which
# the kernel knows: the client of a card has the number 16 + 4 times the card's.
PLAYER = """
sleep 0.5
connected() {
  for card in /sys/devices/platform/dummy_hcd.$1/usb*/*-1/*-1:1.*/sound/card*; do
    [ -e $card ] || return 1
    client=" $((16 + 4 * ${card##*/card})) : "
    ours=
    while read -r line; do
      case $line in
        Client*"$client"*) ours=1 ;;
        Client*) ours= ;;
        "Connecting To: "*"$PIPIT:"*) [ -z "$ours" ] || return 0 ;;
      esac
    done </proc/asound/seq/clients
  done
  return 1
}
cable() { echo $2 >$(echo /sys/devices/platform/dummy_hcd.$1/usb*/*-0:1.0/usb*-port1/disable); }
act() {
  case $1 in
    in) cable $2 0; eval "there$2=1" ;;
    out) cable $2 1; eval "there$2= ready$2=" ;;
  esac
}
look() {
  for one in 0 1 2 3; do
    eval "[ -z \\"\\$there$one\\" ] || [ -n \\"\\$ready$one\\" ]" || ! connected $one || eval "ready$one=1"
  done
}
strike() {
  for one in 0 1 2 3; do
    eval "is=\\$ready$one key=\\$key$one node=\\$node$one"
    [ -n "$is" ] || continue
    printf "\\\\220\\\\$key\\\\144" >$node
    echo note $one
  done
}
let_go() {
  for one in 0 1 2 3; do
    eval "is=\\$ready$one key=\\$key$one node=\\$node$one"
    [ -z "$is" ] || printf "\\\\200\\\\$key\\\\000" >$node
  done
}
"""


def schedule(seed, actions):
    """So many times a random keyboard is plugged in or pulled out, each time in a random moment: under a held note or
    between two."""
    chance = random.Random(seed)
    there = [True] * len(KEYS)
    lines = []
    for number in range(actions):
        one = chance.randrange(len(KEYS))
        act = f"act {'out' if there[one] else 'in'} {one}"
        there[one] = not there[one]
        under = chance.random() < 0.5
        lines += ["look; strike; sleep 0.09"] + [act] * under + ["let_go; sleep 0.09"] + [act] * (not under)
        # Now and then as long as a keyboard takes to come.
        for _ in range(chance.choice((0, 0, 0, 3))):
            lines.append("look; strike; sleep 0.09; let_go; sleep 0.09")
    return lines, there


def loudness(samples, key):
    """The amplitude of one key in each hundredth of a second."""
    step = 2 * math.pi * 440 * 2 ** ((key - 69) / 12) / RATE
    window = [1 - math.cos(2 * math.pi * i / (2 * BLOCK)) for i in range(2 * BLOCK)]
    real = [w * math.cos(step * i) for i, w in enumerate(window)]
    imaginary = [w * math.sin(step * i) for i, w in enumerate(window)]
    found = []
    for at in range(0, len(samples) - 2 * BLOCK, BLOCK):
        part = samples[at:at + 2 * BLOCK]
        found.append(math.hypot(sum(map(operator.mul, part, real)), sum(map(operator.mul, part, imaginary))) / BLOCK)
    return found


def notes(loud, full):
    """The loudest of each note: it begins above half of the full level, and has ended when it was below a tenth for longer
    than the emulated card may run dry, 80 ms. Between two that are played lies more."""
    found, silent = [], 8
    for amplitude in loud:
        if amplitude > full / 2 and silent >= 8:
            found.append(0)
        silent = silent + 1 if amplitude < full / 10 else 0 if amplitude > full / 2 else silent
        if found and not silent:
            found[-1] = max(found[-1], amplitude)
    return found


def plugged(room):
    """Four keyboards of one model are plugged in and pulled out at random while they play: each note is heard once, and ends."""
    keyboards = [room.keyboard(f"key{one}", "Key", count=one + 1) for one in range(len(KEYS))]
    lines, there = schedule(room.options.seed, room.options.actions)
    client = room.run("sed -n 's/^Client \\([0-9]*\\) : \"pipit\".*/\\1/p' /proc/asound/seq/clients").strip()
    head = "".join(f"there{one}=1; key{one}={key:03o}; node{one}={keyboard.node}\n"
                   for one, (key, keyboard) in enumerate(zip(KEYS, keyboards)))
    memory, descriptors = room.service.memory(), descriptors_of(room)
    start, late = room.recording.now(), room.value("/status/xruns")
    played = room.run(f"PIPIT={client}\n{PLAYER}{head}" + "\n".join(lines) + "\nsleep 1", 3600).split("\n")
    heard = room.recording.frames(start, (room.recording.now() - start) / RATE - 0.1)
    print(f"        {len(heard) / RATE:.0f} s; plugged in at the end: {there}")
    sent = [played.count(f"note {one}") for one in range(len(KEYS))]
    curves = [loudness(heard, key) for key in KEYS]
    full = [sorted(curve)[int(0.98 * len(curve))] for curve in curves]
    found = [notes(curve, level) for curve, level in zip(curves, full)]
    counts = [len(each) for each in found]
    late = room.value("/status/xruns") - late
    room.check(counts == sent and min(sent) > 0,
               f"{sum(sent)} notes of four keyboards, {sent}: heard {counts}; {late} blocks were too late")
    highest = max((max(each) / level for each, level in zip(found, full) if each), default=1)
    room.check(highest < 1.3, f"none is doubled: the loudest is {20 * math.log10(highest):.1f} dB above the usual")
    left = max(max(curve[-50:]) / level for curve, level in zip(curves, full))
    voices = room.value("/status/voices")
    room.check(voices == 0 and left < 0.01, f"nothing sounds at the end: {voices} voices, {20 * math.log10(left + 1e-6):.0f} dB")
    states = [line[1] for line in sorted(room.devices("Key"), key=lambda line: line[3])]
    room.check(states == ["played" if is_there else "not there" for is_there in there], f"the list is right: {states}")
    dropped = room.value("/status/events/dropped")
    room.check(dropped == 0, f"{dropped} events found no room")
    grown, more = room.service.memory() - memory, descriptors_of(room) - descriptors
    room.check(grown < 512 * 1024 and more == 0, f"the process holds {grown // 1024} KiB and {more} descriptors more")
    print(f"        {len(room.service.log())} lines were logged")


def descriptors_of(room):
    return int(room.run("ls /proc/$(systemctl show -P MainPID pipit)/fd | wc -l"))


SCENES = [plugged]
