"""An LV2 plug-in that makes two channels of two, without a program around it: Debian's lilv (liblilv-0-0) by ctypes.

`lv2apply` of lilv-utils cannot run those that have ports for events, such as Dragonfly's.
"""

import ctypes
import ctypes.util
import warnings
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_float, c_int32, c_uint32, c_void_p

import numpy as np

# Some plug-ins switch denormal numbers off for the whole thread, and numpy wonders about it.
warnings.filterwarnings("ignore", message=".*smallest subnormal")

BLOCK, EVENT_BYTES = 256, 8192
LV2 = "http://lv2plug.in/ns/"
MapFunction = CFUNCTYPE(c_uint32, c_void_p, c_char_p)
HandleFunction = CFUNCTYPE(None, c_void_p)
WorkFunction = CFUNCTYPE(ctypes.c_int, c_void_p, c_uint32, c_void_p)


class Feature(Structure):
    _fields_ = [("uri", c_char_p), ("data", c_void_p)]


class Map(Structure):
    _fields_ = [("handle", c_void_p), ("map", MapFunction)]


class Schedule(Structure):
    _fields_ = [("handle", c_void_p), ("schedule", WorkFunction)]


class Option(Structure):
    _fields_ = [("context", c_int32), ("subject", c_uint32), ("key", c_uint32), ("size", c_uint32),
                ("type", c_uint32), ("value", c_void_p)]


class Descriptor(Structure):
    _fields_ = [("uri", c_char_p), ("instantiate", c_void_p),
                ("connect", CFUNCTYPE(None, c_void_p, c_uint32, c_void_p)), ("activate", HandleFunction),
                ("run", CFUNCTYPE(None, c_void_p, c_uint32)), ("deactivate", HandleFunction)]


class Instance(Structure):
    _fields_ = [("descriptor", POINTER(Descriptor)), ("handle", c_void_p)]


class AtomSequence(Structure):
    _fields_ = [("size", c_uint32), ("type", c_uint32), ("room", ctypes.c_uint8 * EVENT_BYTES)]


def library():
    lilv = ctypes.CDLL(ctypes.util.find_library("lilv-0") or "liblilv-0.so.0")
    for name in ("world_new", "world_get_all_plugins", "new_uri", "plugins_get_by_uri", "plugin_get_port_by_index",
                 "port_get_symbol"):
        getattr(lilv, "lilv_" + name).restype = c_void_p
    lilv.lilv_node_as_string.restype = c_char_p
    lilv.lilv_node_as_float.restype = c_float
    lilv.lilv_port_is_a.restype = ctypes.c_bool
    lilv.lilv_plugin_instantiate.restype = POINTER(Instance)
    lilv.lilv_plugin_instantiate.argtypes = [c_void_p, ctypes.c_double, c_void_p]
    return lilv


class Plugin:
    """A plug-in by its URI, with its ports at their defaults but for some, by their symbols."""

    def __init__(self, uri, ports, rate=48000):
        self.lilv = lilv = library()
        self.world = c_void_p(lilv.lilv_world_new())
        lilv.lilv_world_load_all(self.world)
        plugins = c_void_p(lilv.lilv_world_get_all_plugins(self.world))
        plugin = c_void_p(lilv.lilv_plugins_get_by_uri(plugins, self.node(uri)))
        if not plugin:
            raise SystemExit(f"there is no plug-in {uri}")
        self.uris = {}
        self.make_features()
        instance = lilv.lilv_plugin_instantiate(plugin, rate, self.features)
        if not instance:
            raise SystemExit(f"the plug-in {uri} does not start")
        self.handle, self.descriptor = instance.contents.handle, instance.contents.descriptor.contents
        self.buffers, self.inputs, self.outputs, self.events = [], [], [], []
        for index in range(lilv.lilv_plugin_get_num_ports(plugin)):
            self.connect(plugin, index, ports)
        if ports:
            raise SystemExit(f"the plug-in {uri} has no port {', '.join(ports)}")
        self.descriptor.activate(self.handle)

    def node(self, uri):
        return c_void_p(self.lilv.lilv_new_uri(self.world, uri.encode()))

    def number(self, uri):
        """What stands for a URI among the plug-in's events."""
        return self.uris.setdefault(uri, len(self.uris) + 1)

    def make_features(self):
        self.map = Map(None, MapFunction(lambda _, uri: self.number(uri.decode())))
        self.length = c_int32(BLOCK)
        kind = self.number(LV2 + "ext/atom#Int")
        names = ("minBlockLength", "maxBlockLength", "nominalBlockLength")
        self.options = (Option * (len(names) + 1))(*(
            Option(0, 0, self.number(f"{LV2}ext/buf-size#{name}"), 4, kind, ctypes.addressof(self.length))
            for name in names))
        # Work for another thread is what comes of events; there are none.
        self.schedule = Schedule(None, WorkFunction(lambda *_: 0))
        data = [("ext/urid#map", ctypes.addressof(self.map)), ("ext/options#options", ctypes.addressof(self.options)),
                ("ext/worker#schedule", ctypes.addressof(self.schedule)),
                ("ext/buf-size#boundedBlockLength", None)]
        self.kept = [Feature((LV2 + name).encode(), value) for name, value in data]
        self.features = (POINTER(Feature) * (len(data) + 1))(*(ctypes.pointer(each) for each in self.kept))

    def connect(self, plugin, index, ports):
        lilv, port = self.lilv, c_void_p(self.lilv.lilv_plugin_get_port_by_index(plugin, index))
        is_input, is_audio, is_control = (
            lilv.lilv_port_is_a(plugin, port, self.node(f"{LV2}lv2core#{kind}Port"))
            for kind in ("Input", "Audio", "Control"))
        if is_audio:
            buffer = np.zeros(BLOCK, np.float32)
            (self.inputs if is_input else self.outputs).append(buffer)
            place = buffer.ctypes.data
        elif is_control:
            symbol = lilv.lilv_node_as_string(c_void_p(lilv.lilv_port_get_symbol(plugin, port))).decode()
            normal = c_void_p()
            lilv.lilv_port_get_range(plugin, port, byref(normal), None, None)
            value = lilv.lilv_node_as_float(normal) if normal else 0
            buffer = c_float(ports.pop(symbol, value))
            place = ctypes.addressof(buffer)
        else:
            buffer = AtomSequence()
            self.events.append((buffer, is_input))
            place = ctypes.addressof(buffer)
        self.buffers.append(buffer)
        self.descriptor.connect(self.handle, index, place)

    def process(self, sound):
        """What it makes of a sound, an array of frames by channels."""
        result = np.zeros(sound.shape, np.float32)
        for at in range(0, len(sound), BLOCK):
            frames = min(BLOCK, len(sound) - at)
            for buffer, channel in zip(self.inputs, sound[at:at + frames].T):
                buffer[:frames] = channel
            for events, is_input in self.events:
                events.size = 8 if is_input else EVENT_BYTES
                events.type = self.number(LV2 + "ext/atom#" + ("Sequence" if is_input else "Chunk"))
            self.descriptor.run(self.handle, frames)
            for channel, buffer in zip(result[at:at + frames].T, self.outputs):
                channel[:] = buffer[:frames]
        return result
