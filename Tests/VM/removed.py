"""The package removed, installed again and purged, after which nothing of it is left; and beside a desktop."""

# Every file that is there, but what runs, what is logged, and what the package system knows.
FILES = r"""find / -xdev \( -path /share -o -path /tmp -o -path /var/log -o -path /var/lib/dpkg -o -path /var/lib/apt \
    -o -path /var/cache -o -path /root -o -path /var/lib/systemd -o -path /var/backups -o -path /var/lib/alsa \
    -o -path /usr/lib/modules -o -path '/etc/*-' \) -prune -o -print"""


def files(box):
    return set(box.run(FILES).splitlines())


def remove(box):
    box.run("dpkg -r pipit")
    box.check(not box.succeeds("pgrep -x pipit"), "removed, it is gone")
    box.check(box.succeeds("test -f /etc/pipit/pipit.conf -a -f /var/lib/pipit/presets.sqlite"),
              "and its configuration and presets stay")
    box.check(not box.succeeds("test -e /etc/avahi/services/pipit.service"), "and it is not announced any more")


def reinstall(box, version):
    box.run("dpkg -i /share/pipit.deb </dev/null")
    box.check(box.version() == version and box.answers(), "installed again, an older version too, it runs")
    box.check("Machine" in box.run("pipit presets --state /var/lib/pipit"), "with the presets of before")


def purge(box, before):
    box.run("dpkg -P pipit")
    box.run("systemctl daemon-reload")
    left = sorted(files(box) - before)
    box.check(not left, "purged, it leaves nothing behind" + "".join("\n        " + path for path in left))


def desktop(box):
    """A desktop's sound server keeps its card."""
    box.run("printf '#!/bin/sh\\n' >/usr/bin/wireplumber; chmod +x /usr/bin/wireplumber")
    told = box.run("dpkg -i /share/pipit.deb 2>&1")
    box.check("not enabled" in told and box.property("ActiveState") == "inactive",
              "beside a sound server it is installed, but does not take the card")
    box.run("systemctl enable --now pipit")
    box.check(box.answers(), "and does when the player says so")
