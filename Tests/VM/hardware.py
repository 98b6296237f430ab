"""What the test machine is made of: the command that starts QEMU."""

import os
import pathlib
import platform

# Unless it is to have a mixer of its own, the card starts at full level; with one it starts as its driver leaves it.
DEVICES = """-device virtio-blk-pci,drive=disk -device virtio-rng-pci -device virtio-serial-pci
    -device virtserialport,chardev=host,name=host -device virtio-net-pci,netdev=net,romfile=
    -device intel-hda -device hda-output,audiodev=card,mixer={mixer}"""
# Under emulation "cpu max" must stay whole: with QEMU 7.2 features taken from it break system calls.
PROCESSORS = {
    "amd64": ("x86_64", "q35", "max", "ttyS0"),
    "arm64": ("aarch64", "virt", "cortex-a72", "ttyAMA0"),
}


def accelerator(architecture):
    """"kvm" where Debian's kernel boots under it, else "tcg"; a /dev/kvm of kvm_pvm offers it and does not."""
    here = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine())
    loaded = here == "arm64" or any(pathlib.Path("/sys/module", name).exists() for name in ("kvm_intel", "kvm_amd"))
    return "kvm" if here == architecture and loaded and os.access("/dev/kvm", os.R_OK | os.W_OK) else "tcg"


# An emulated processor that counts: each instruction takes two nanoseconds of the machine's time, however long the host
# needs for it. What else the host does then slows the machine down, sound card and all, and makes nothing in it late.
COUNTED = {"": [], "counted": ["-icount", "shift=1,sleep=on"], "skipping": ["-icount", "shift=1,sleep=off"]}


# A USB socket for a sound card of its own, recorded too, and QEMU's own control to plug it in.
USB = """-device qemu-xhci,id=usb -audiodev wav,id=usbcard,path={share}/usb.wav,out.frequency=48000
    -qmp unix:{control},server=on,wait=off"""


def command(architecture, image, disk, share, agent, port, udp, console, quiet, mixer, clock="", control=""):
    """`agent` is the socket of the machine's agent, `port` the host's port for `udp` of the machine, `control` the socket
    of QEMU's control, if there is to be a USB socket."""
    name, board, processor, terminal = PROCESSORS[architecture]
    kind = accelerator(architecture)
    counted = COUNTED[clock] if kind == "tcg" else []
    processors = 1 if counted else 2
    arguments = f"""qemu-system-{name} -nodefaults -no-user-config -display none -no-reboot
        -machine {board},accel={kind} -cpu {"host" if kind == "kvm" else processor} -smp {processors} -m 1024
        -kernel {image}/kernel -initrd {image}/initrd
        -drive file={disk},format=qcow2,if=none,id=disk,cache=unsafe
        -chardev socket,id=host,path={agent}
        -netdev user,id=net,hostfwd=udp:127.0.0.1:{port}-:{udp}
        -audiodev wav,id=card,path={share}/card.wav,out.frequency=48000
        -virtfs local,path={share},mount_tag=share,security_model=none
        -serial {console} {DEVICES.format(mixer="on" if mixer else "off")}""".split()
    usb = USB.format(share=share, control=control).split() if control else []
    # With "panic=-1" and "-no-reboot" a kernel that panics ends QEMU, which tells more than a machine that never answers.
    kernel = f"root=/dev/vda rw console={terminal} net.ifnames=0 mitigations=off audit=0 lsm=yama panic=-1"
    return arguments + counted + usb + ["-append", kernel + (" quiet" if quiet else "")]
