"""The package put into a clean machine as the README says; the next boot; and an evening's playing."""

import re
import shutil
import time

import readme
from recording import brightness, cents, hertz, level, pitch, until

# A plain saw, whatever preset pipit starts with.
SOUND = {
    "/osc/1/wave": "saw", "/osc/1/octave/octaves": 0, "/osc/1/level": 0.7, "/osc/2/level": 0.0,
    "/filter/cutoff": 0.9, "/filter/resonance": 0.0, "/filter/amount/octaves": 0, "/amp/attack": 0.0,
    "/amp/sustain": 1.0, "/amp/release": 0.05, "/lfo/1/pitch": 0.0, "/lfo/1/cutoff": 0.0, "/lfo/1/level": 0.0,
}
README = readme.section("Install")


def install(box):
    shutil.copy(box.deb, box.share / "pipit.deb")
    shutil.copy(box.deb, box.share / box.deb.name)
    box.run(f"cp /share/{box.deb.name} .")
    for line in readme.commands(README):
        start = time.monotonic()
        box.run(readme.script(line), timeout=1800)
        box.check(True, f"README: {line} ({time.monotonic() - start:.1f} s)")
    box.check(box.answers(), f"pipit {box.version()} answers after it")
    box.check(box.property("UnitFileState") == "enabled", "the service is enabled")
    box.check(box.run("grep -c '<port>8000<' /etc/avahi/services/pipit.service").strip() == "3", "and announced")
    # Its port may open later than that of OSC.
    box.comes("busybox wget -qO- http://127.0.0.1:8000/ >/dev/null")
    page = box.run("busybox wget -qO- --header 'Accept: text/html' http://127.0.0.1:8000/ || true")
    box.check("<title>" in page and "/app/main.js" in page, "the page is there")
    for file in ["main.js", "pipit.tosc?size=phone", "qr.svg"]:
        box.check(box.succeeds(f"busybox wget -qO- 'http://127.0.0.1:8000/app/{file}' >/dev/null"), f"with {file}")
    box.run("pipit backup /root/box.tar.gz && pipit restore /root/box.tar.gz")
    box.check(box.answers(), "a backup is made and restored")
    # An emulated card runs dry with short periods.
    box.run("echo 'period = 4096' >>/etc/pipit/pipit.conf")


def boot(box):
    """The first boot of a Debian that has pipit and has never stored the state of a sound card, as from an image."""
    box.run("systemctl stop pipit; rm -f /var/lib/alsa/asound.state /var/lib/pipit/presets.sqlite*")
    box.machine.reboot(cut=True)
    box.check(box.answers(), "after the next boot it answers")
    box.run("systemctl is-system-running --wait >/dev/null || true")
    box.comes("journalctl --no-pager -b -o cat -u pipit | grep -q 'Playing on'")
    began = int(box.property("ExecMainStartTimestampMonotonic")) / 1e6
    ready = int(box.property("ActiveEnterTimestampMonotonic")) / 1e6
    plays = re.search(r"\[ *([\d.]+)\].*Playing on", box.run("journalctl --no-pager -b -o short-monotonic -u pipit"))
    box.say(box.run("systemd-analyze time").split("\n")[0])
    box.check(plays, f"the kernel's seconds: pipit started at {began:.2f}, ready at {ready:.2f}, on its card at "
              + (plays[1] if plays else "no time"))
    for words, script in readme.mentions(README):
        box.check(box.succeeds(script), f"README: {words}")
    box.say(box.run("pipit doctor || true"))
    box.check(box.property("ActiveState") == "active" and box.succeeds("systemctl is-active alsa-restore"),
              "alsa-restore has run without a stored state")
    volume(box, "0.00dB", "after the first boot")


def volume(box, wanted, when):
    """What the sound card's volume is once a boot is over."""
    box.run("systemctl is-system-running --wait >/dev/null || true; sleep 2")
    box.comes(f"amixer -c Intel sget Master | grep -qF '[{wanted}] [on]'")
    for line in box.run("journalctl --no-pager -b -o short-monotonic -u pipit -u alsa-restore").splitlines():
        if "Mixer of" in line or "alsa" in line:
            box.say(line)
    found = box.mixer()
    box.check(f"[{wanted}] [on]" in found, f"{when} the card stands at {found}")


def later_boots(box):
    """The volume is what it was left at, after a shutdown and after the plug was pulled; and it is heard."""
    box.machine.reboot()
    box.check(box.answers(), "after the second boot it answers")
    volume(box, "0.00dB", "after the second boot")
    box.sound(SOUND)

    def loudness():
        # A busy host leaves holes in some windows; one without is what the card plays.
        return max(level(box.heard(0.3)) for _ in range(8))

    box.tablet.send("/note/57", 1.0)
    until(lambda: level(box.heard(0.1)), lambda found: found > -40)
    loud = loudness()
    said = box.run("pipit volume -37").strip()
    # QEMU's card has 74 steps of 1 dB and multiplies by the step: from all of them to half is 6 dB, from -20 dB 3.3.
    quiet = until(loudness, lambda found: -7 < found - loud < -4.5, tries=5)
    box.tablet.send("/note/57", 0)
    box.check(-7 < quiet - loud < -4.5, f"a key is heard at {loud:.1f} dB, and at {quiet:.1f} with pipit volume {said}")
    # A slow disk is written to every five seconds.
    box.check(box.comes("grep -aqs '^card -3700 ' /var/lib/pipit/presets.sqlite*"), "the volume comes to the disk")
    box.machine.reboot(cut=True)
    box.check(box.answers(), "after its plug was pulled it answers")
    volume(box, "-37.00dB", "whatever alsactl has stored before,")
    box.run("pipit volume 0")


def play(box):
    box.run("keyboard create keys")
    box.machine.wait_for("aconnect -l | grep -A 3 \"'keys'\" | grep -q 'Connecting To'")
    box.sound(SOUND)
    box.run('amidi -p hw:$(keyboard card keys),0 -S "90 39 64"')
    off = until(lambda: abs(cents(pitch(box.heard(0.1)) or 1, hertz(0x39))), lambda found: found < 5)
    box.check(off < 5, f"a key of the keyboard is heard, {off:.1f} cents off")
    # The least of some windows: an emulated card may run dry in one, which adds harmonics and takes none away.
    bright = min(brightness(box.heard(0.1), hertz(0x39)) for _ in range(4))
    box.tablet.turn("/filter/cutoff", 0.3)
    dull = until(lambda: brightness(box.heard(0.1), hertz(0x39)), lambda found: found < bright - 20)
    box.check(dull < bright - 20, f"a fader of the tablet closes the filter ({bright:.0f} to {dull:.0f} dB)")
    box.run('amidi -p hw:$(keyboard card keys),0 -S "80 39 00"')
    box.saves("Machine", "pipit presets --state /var/lib/pipit | grep -q Machine")


def sandbox(box):
    """What the service may and may not."""
    threads = box.run("ps -L -o cls=,rtprio= -p $(systemctl show -p MainPID --value pipit)")
    box.check("FF" in threads, "the audio thread has real-time priority in the sandbox")
    score = re.search(r"([\d.]+) [A-Z]+", box.run(
        "systemd-analyze security --no-pager pipit | tail -n 1").split(":")[1])
    box.check(float(score[1]) <= 2.0, f"systemd-analyze security: {score[0]}")
    # The kernel counts these pages one by one; what "status" says may be some hundred kilobytes off.
    pages = box.run("cat /proc/$(systemctl show -p MainPID --value pipit)/smaps_rollup")
    total, own, huge = (int(re.search(rf"^{name}: +(\d+)", pages, re.MULTILINE)[1])
                        for name in ("Rss", "Anonymous", "AnonHugePages"))
    box.check(total < 20 * 1024,
              f"it holds {total} kB of memory: {own} of its own, {total - own} of files")
    box.check(huge == 0, f"{huge} kB of them are in huge pages, which it has declined")
