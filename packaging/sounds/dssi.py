"""A synthesizer that is a DSSI plugin, played without a sound card."""

import ctypes as c
import struct

import numpy as np

BLOCK = 64
IS_AUDIO = 8
NOTE_ON, NOTE_OFF = 6, 7  # of the ALSA sequencer


class _Ladspa(c.Structure):
    _fields_ = [
        ("id", c.c_ulong), ("label", c.c_char_p), ("properties", c.c_int), ("name", c.c_char_p), ("maker", c.c_char_p),
        ("copyright", c.c_char_p), ("count", c.c_ulong), ("kinds", c.POINTER(c.c_int)), ("names", c.POINTER(c.c_char_p)),
        ("hints", c.c_void_p), ("data", c.c_void_p), ("instantiate", c.CFUNCTYPE(c.c_void_p, c.c_void_p, c.c_ulong)),
        ("connect", c.CFUNCTYPE(None, c.c_void_p, c.c_ulong, c.c_void_p)), ("activate", c.CFUNCTYPE(None, c.c_void_p)),
        ("run", c.c_void_p), ("run_adding", c.c_void_p), ("gain", c.c_void_p), ("deactivate", c.c_void_p),
        ("cleanup", c.CFUNCTYPE(None, c.c_void_p))]


class _Dssi(c.Structure):
    _fields_ = [
        ("version", c.c_int), ("ladspa", c.POINTER(_Ladspa)), ("configure", c.c_void_p), ("get_program", c.c_void_p),
        ("select_program", c.c_void_p), ("controller", c.c_void_p),
        ("run_synth", c.CFUNCTYPE(None, c.c_void_p, c.c_ulong, c.c_void_p, c.c_ulong))]


class Plugin:
    """The plugin in a file."""

    def __init__(self, path):
        library = c.CDLL(str(path))
        library.dssi_descriptor.restype = c.POINTER(_Dssi)
        self.run = library.dssi_descriptor(0).contents.run_synth
        self.ladspa = library.dssi_descriptor(0).contents.ladspa
        self.plugin = self.ladspa.contents
        self.names = [self.plugin.names[port].decode() for port in range(self.plugin.count)]

    def play(self, values, notes, seconds, rate):
        """Left and right of notes (start, end, key, velocity; seconds) with values of controls by name."""
        handle = self.plugin.instantiate(c.cast(self.ladspa, c.c_void_p), rate)
        outputs, ports = [], []
        for port, name in enumerate(self.names):
            is_audio = self.plugin.kinds[port] & IS_AUDIO
            memory = (c.c_float * BLOCK)() if is_audio else (c.c_float * 1)(values[name])
            ports.append(memory)
            if is_audio:
                outputs.append(memory)
            self.plugin.connect(handle, port, c.cast(memory, c.c_void_p))
        if self.plugin.activate:
            self.plugin.activate(handle)
        events = sorted((round(moment * rate), kind, key, velocity) for start, end, key, velocity in notes
                        for moment, kind in ((start, NOTE_ON), (end, NOTE_OFF)))
        sound = []
        for begin in range(0, round(seconds * rate), BLOCK):
            due = [_event(frame - begin, *rest) for frame, *rest in events if begin <= frame < begin + BLOCK]
            self.run(handle, BLOCK, c.cast(c.create_string_buffer(b"".join(due) + bytes(28)), c.c_void_p), len(due))
            sound.append(np.array([list(side) for side in outputs]))
        self.plugin.cleanup(handle)
        left, right = np.concatenate(sound, axis=1)
        return left, right


def _event(frame, kind, key, velocity):
    """An event of the ALSA sequencer, 28 bytes: kind, time, addresses, and a note."""
    return struct.pack("<B3xI8xBBB9x", kind, frame, 0, key, velocity)
