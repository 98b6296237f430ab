"""Newer and older versions over the installed one, and disks that are not as they were."""

import pathlib
import re
import subprocess
import tempfile

CONFIGURATION = "/etc/pipit/pipit.conf"
TEMPLATE = "usr/share/pipit/pipit.conf"


def repack(box, version, line):
    """The package as another version whose template of the configuration has another line: a stand-in for releases to
    come."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["dpkg-deb", "-R", box.deb, f"{folder}/pipit"], check=True)

        def edit(name, change):
            path = pathlib.Path(folder, "pipit", name)
            path.write_text(change(path.read_text()))

        edit("DEBIAN/control", lambda text: re.sub(r"(?m)^Version: .*", f"Version: {version}", text))
        edit("DEBIAN/preinst", lambda text: re.sub(r' gt "[^"]*"', f' gt "{version}"', text))
        edit(TEMPLATE, lambda text: f"{text}{line}\n")
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "-b", f"{folder}/pipit",
                        box.share / f"pipit-{version}.deb"], check=True, stdout=subprocess.DEVNULL)


def upgrade(box):
    """The player's lines stay, and nothing is asked."""
    before = box.run(f"cat {CONFIGURATION}")
    repack(box, "9.1", "#new = line")
    box.run("dpkg -i /share/pipit-9.1.deb </dev/null")
    box.check(box.version() == "9.1" and box.answers(), "an upgrade leaves it running")
    box.check("Machine" in box.run("pipit presets --state /var/lib/pipit"), "what was saved is there after it")
    box.check(box.run(f"cat {CONFIGURATION}") == before and "period = 4096" in before,
              "and keeps the configuration that the player has changed, without a question")


def configuration(box):
    box.run(f"""echo 'period = 2048' >{CONFIGURATION}.d/player.conf
        echo 'osc-port = 8000' >>{CONFIGURATION}.d/player.conf; systemctl restart pipit""")
    box.check(box.tablet.until("/card/period", lambda now: now == 2048) == 2048,
              "a line of a file in pipit.conf.d counts before one of pipit.conf")
    box.run(f"rm {CONFIGURATION}.d/player.conf; systemctl restart pipit")
    box.check(box.tablet.until("/card/period", lambda now: now == 4096) == 4096, "until it is taken away")
    refused = box.run("dpkg -i /share/pipit.deb 2>&1 && exit 1 || true")
    box.check("nothing was changed" in refused and box.version() == "9.1", "a downgrade is refused")
    box.check(box.run("dpkg --audit").strip() == "" and box.answers(), "and leaves all as it was, and running")


def disks(box):
    """A disk that may not be written to, and state in another place."""
    box.run("""systemctl stop pipit
        mount -t tmpfs -o mode=750,uid=$(id -u pipit),gid=$(id -g pipit) data /var/lib/pipit
        mount -o remount,ro /var/lib/pipit
        systemctl start pipit""")
    box.check(box.answers(), "it plays from a disk that may not be written to")
    box.saves("Nowhere", "journalctl --no-pager -o cat -u pipit -n 10 | grep -q /var/lib/pipit/")
    said = [line for line in box.run("journalctl --no-pager -o cat -u pipit -n 10").splitlines()
            if "/var/lib/pipit/" in line]
    box.check(said, "and says so: " + "".join(said[:1]))
    box.run("""systemctl stop pipit
        umount /var/lib/pipit
        mkdir -p /data /etc/systemd/system/pipit.service.d
        mount -t tmpfs data /data
        install -d -o pipit -g pipit /data/pipit
        printf '[Unit]\\nRequiresMountsFor=/data/pipit\\n[Service]\\nReadWritePaths=/data/pipit\\n' \\
            >/etc/systemd/system/pipit.service.d/state.conf
        printf 'state = /data/pipit\\n' >>/etc/pipit/pipit.conf
        systemctl daemon-reload
        systemctl start pipit""")
    box.answers()
    box.saves("Elsewhere", "pipit presets --state /data/pipit | grep -q Elsewhere")
    box.check(True, "state can lie in another place")
    box.run("""systemctl stop pipit
        rm -r /etc/systemd/system/pipit.service.d
        systemctl daemon-reload
        umount /data
        rmdir /data
        sed -i '/^state/d' /etc/pipit/pipit.conf""")
