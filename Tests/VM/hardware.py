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


def command(architecture, image, disk, share, agent, port, udp, console, quiet, mixer):
    """`agent` is the socket of the machine's agent, `port` the host's port for `udp` of the machine."""
    name, board, processor, terminal = PROCESSORS[architecture]
    kind = accelerator(architecture)
    arguments = f"""qemu-system-{name} -nodefaults -no-user-config -display none -no-reboot
        -machine {board},accel={kind} -cpu {"host" if kind == "kvm" else processor} -smp 2 -m 1024
        -kernel {image}/kernel -initrd {image}/initrd
        -drive file={disk},format=qcow2,if=none,id=disk,cache=unsafe
        -chardev socket,id=host,path={agent}
        -netdev user,id=net,hostfwd=udp:127.0.0.1:{port}-:{udp}
        -audiodev wav,id=card,path={share}/card.wav,out.frequency=48000
        -virtfs local,path={share},mount_tag=share,security_model=none
        -serial {console} {DEVICES.format(mixer="on" if mixer else "off")}""".split()
    return arguments + ["-append", f"root=/dev/vda rw console={terminal} net.ifnames=0 mitigations=off audit=0 lsm=yama"
                        + (" quiet" if quiet else "")]
