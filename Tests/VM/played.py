"""What a keyboard says, heard: pitches, pedals, pressure, fingers, system exclusive messages, its silence, its clock, a flood."""

from recording import cents, hertz, onsets, pitch

LOW, HIGH = 57, 64  # A at 220 Hz, and a fifth above


def bend(room):
    """The range of the bend, as the keyboard sets it."""
    left = room.keyboard("left")

    def off(expected):
        found = pitch(room.hear())
        return abs(cents(found, expected)) if found else 999

    left.press(0xB0, 101, 0, 100, 0, 6, 12, 38, 0, 0x90, LOW, 100, 0xE0, 127, 127)
    up = off(hertz(LOW) * 2 ** (8191 / 8192))
    left.press(0xB0, 6, 7)
    held = off(hertz(LOW) * 2 ** (7 / 12 * 8191 / 8192))
    left.press(0xE0, 0, 0)
    down = off(hertz(LOW) * 2 ** (-7 / 12))
    left.press(0xE0, 0, 64, 0xB0, 101, 0, 100, 1, 6, 96)
    tuned = off(hertz(LOW) * 2 ** (0.5 / 12))
    room.check(up < 2, f"RPN 0 of 12 semitones: the wheel at its top is {up:.2f} cents from an octave")
    room.check(held < 2 and down < 2, f"of 7 under the held note: {held:.2f} and {down:.2f} cents off, up and down")
    room.check(tuned < 2, f"RPN 1 tunes it by half a semitone, {tuned:.2f} cents off")


def pedals(room):
    """Sostenuto holds what is down when it is pressed, and nothing else."""
    left = room.keyboard("left")
    left.press(0x90, LOW, 100, 0xB0, 66, 127, 0x80, LOW, 0, 0x90, HIGH, 100)
    both = [room.loudness(hertz(key)) for key in (LOW, HIGH)]
    left.press(0x80, HIGH, 0)
    held = [room.loudness(hertz(key)) for key in (LOW, HIGH)]
    left.press(0xB0, 66, 0)
    none = [room.loudness(hertz(key)) for key in (LOW, HIGH)]
    room.check(min(both) > -40, f"a key under sostenuto and one that is down sound ({both[0]:.0f} and {both[1]:.0f} dB)")
    room.check(held[0] > -40 and held[1] < -70, f"the later one ends when it is let go ({held[0]:.0f} and {held[1]:.0f} dB)")
    room.check(max(none) < -70, f"and the other with the pedal ({none[0]:.0f} and {none[1]:.0f} dB)")


def pressure(room):
    """Pressure on one of two keys."""
    room.tablet.send("/mod/1/source", "key-pressure")
    room.tablet.send("/mod/1/target", "amp-level")
    room.tablet.send("/mod/1/amount/percent", -50)
    left = room.keyboard("left")
    left.press(0x90, LOW, 100, HIGH, 100)
    before = [room.loudness(hertz(key)) for key in (LOW, HIGH)]
    left.press(0xA0, LOW, 127)
    after = [room.loudness(hertz(key)) for key in (LOW, HIGH)]
    room.check(after[0] < before[0] - 3 and abs(after[1] - before[1]) < 1,
               f"poly pressure moves its key from {before[0]:.1f} to {after[0]:.1f} dB, "
               f"the other from {before[1]:.1f} to {after[1]:.1f}")


def fingers(room):
    """A keyboard that says it has a channel for each finger."""
    left = room.keyboard("left")
    # A zone of 15 members, and a bend of 12 semitones for all of them by one.
    left.press(0xB0, 101, 0, 100, 6, 6, 15, 0xB1, 101, 0, 100, 0, 6, 12)
    left.press(0x91, LOW, 100, 0x92, LOW, 100, 0xE2, 0, 96)
    up = hertz(LOW) * 2 ** 0.5
    both = [room.loudness(frequency) for frequency in (hertz(LOW), up)]
    left.press(0x81, LOW, 0)
    one = [room.loudness(frequency) for frequency in (hertz(LOW), up)]
    room.check(min(both) > -40, f"one key on two channels is two notes, one of them bent by six semitones "
               f"({both[0]:.0f} and {both[1]:.0f} dB)")
    room.check(one[0] < -60 and one[1] > -40, f"each is let go by its own channel ({one[0]:.0f} and {one[1]:.0f} dB)")


def parts(room):
    """A keyboard that another part than that of its channel is to hear."""
    for address, value in room.plain.items():
        room.tablet.send("/part/2" + address, value)
    room.tablet.send("/part/2/osc/1/octave/octaves", 1)
    left, right = room.keyboard("left"), room.keyboard("right")
    room.run("pipit devices set left parts 2")
    left.press(0x90, LOW, 100)
    second = [room.loudness(frequency) for frequency in (hertz(LOW), 2 * hertz(LOW))]
    left.press(0x80, LOW, 0)
    right.press(0x90, LOW, 100)
    first = [room.loudness(frequency) for frequency in (hertz(LOW), 2 * hertz(LOW))]
    room.check(second[0] < -60 and second[1] > -40 and first[0] > -40 and first[1] < -60,
               f"part 2 plays it an octave higher ({second[0]:.0f} and {second[1]:.0f} dB), part 1 the other "
               f"({first[0]:.0f} and {first[1]:.0f} dB)")


def exclusive(room):
    """System exclusive messages, longer than the kernel's pieces, and an answer."""
    left = room.keyboard("left")
    tuning = [0xF0, 0x7E, 0x7F, 0x08, 0x01, 0x00, *b"Half a semitone.", *(b for key in range(128) for b in (key, 64, 0)), 0, 0xF7]
    left.press(*tuning)
    left.press(0x90, LOW, 100)
    found = pitch(room.hear()) or 1
    off = cents(found, hertz(LOW + 0.5))
    room.check(abs(off) < 2, f"a tuning of {len(tuning)} bytes is heard: {found:.2f} Hz, {off:.2f} cents off")
    left.listen()
    left.press(0xF0, 0x7E, 0x7F, 0x06, 0x01, 0xF7)
    room.run("sleep 0.5")
    answer = left.heard()
    room.check(answer[:2] == b"\xf0\x7e" and answer[3:6] == b"\x06\x02\x7d" and answer[-1:] == b"\xf7",
               f"who it is, it says at the keyboard's own end: {answer.hex(' ')}")


def silence(room):
    """Active sensing: a keyboard that dies is let go."""
    left = room.keyboard("left")
    start = room.recording.now()
    sign = left.sending(0xFE)
    said = room.run(f"""{sign}; sleep 0.2; now() {{ date +%s.%N; }}
        now; {left.sending(0x90, LOW, 100)}
        for i in $(seq 10); do sleep 0.2; now; {sign}; done
        sleep 1.5; now""").split()
    lived, dead = float(said[-2]) - float(said[0]), float(said[-1]) - float(said[-2])
    room.run("sleep 0.5")
    heard = room.recording.frames(start, (room.recording.now() - start) / 48000 - 0.1)
    blocks = [max(map(abs, heard[at:at + 480])) > 0.01 for at in range(0, len(heard) - 480, 480)]
    lasted = sum(blocks) / 100
    room.check(len(onsets(heard)) == 1 and lived < lasted < lived + 0.8 < lived + dead,
               f"a note is held while signs of life come ({lived:.2f} s), and ended after them: it lasted {lasted:.2f} s")
    left.press(0x90, HIGH, 100)
    loud = room.loudness(hertz(HIGH))
    room.check(loud > -40, f"a keyboard that comes to life again plays ({loud:.0f} dB)")


def clock(room):
    """The tempo follows a keyboard's clock, if it is to."""
    left = room.keyboard("left")
    # The tempo is that of the last four quarter notes. A shell keeps no steady time, so those are measured.
    ticks = f"""exec 3>{left.node}
        for i in $(seq 96); do printf '\\370' >&3; sleep 0.03; done; date +%s.%N
        for i in $(seq 96); do printf '\\370' >&3; sleep 0.03; done; date +%s.%N"""
    before = room.value("/tempo/bpm")
    room.run(ticks, 120)
    alone = room.value("/tempo/bpm")
    room.tablet.answer("/device/set", "left", "clock", "on")
    began, ended = map(float, room.run(ticks, 120).split())
    found, expected = room.value("/tempo/bpm"), 60 * 4 / (ended - began)
    (room.share / "beat.mid").write_bytes(b"MThd\0\0\0\6\0\0\0\1\0\x60MTrk\0\0\0\x0d\0\x90\x40\x40\xa0\0\x80\x40\0\0\xff\x2f\0")
    room.run("install -D -m 644 /share/beat.mid /var/lib/private/pipit/songs/beat.mid")
    room.tablet.send("/song/play", "beat")
    room.until(lambda: room.value("/song/playing") == 1, "the song to play")
    playing = []
    for message in (0xFC, 0xFA, 0xFC, 0xFB):
        left.press(message, 0xF8)
        room.run("sleep 0.3")
        playing.append(room.value("/song/playing"))
    room.check(playing == [0, 1, 0, 1], f"stop, start, stop and continue do so to a song: {playing}")
    room.check(alone == before, f"a clock that nobody asked for changes nothing ({before:.1f})")
    room.check(abs(found / expected - 1) < 0.02, f"one that is followed does: {found:.1f} beats of {expected:.1f} sent")


def flood(room):
    """More than the kernel keeps for pipit comes at once."""
    left, right = room.keyboard("left"), room.keyboard("right")
    right.press(0x90, HIGH, 100)
    (room.share / "flood").write_bytes(b"".join(bytes((0x90, key % 100 + 20, 1, 0xB0, 1, key % 128)) for key in range(20000)))
    room.run(f"kill -STOP $(systemctl show -P MainPID pipit); cat /share/flood >{left.node}; sleep 0.5; "
             "kill -CONT $(systemctl show -P MainPID pipit); sleep 2")
    said = [line for line in room.service.log() if "faster than it could be read" in line]
    voices = room.value("/status/voices")
    room.check(len(said) == 1 and voices == 0, f"events were lost, which was said, and nothing hangs: {voices} voices")
    left.press(0x90, LOW, 100)
    right.press(0x90, HIGH, 100)
    loud = [room.loudness(hertz(key)) for key in (LOW, HIGH)]
    room.check(min(loud) > -40, f"both keyboards play on ({loud[0]:.0f} and {loud[1]:.0f} dB)")


SCENES = [bend, pedals, pressure, fingers, parts, exclusive, silence, clock, flood]
