"""What the machine kept a program on one core from doing, whatever program it is."""

import ctypes
import gc
import mmap
import multiprocessing
import os
import re
import signal
import subprocess
import threading
import time

INTERVAL = 100  # between the wake-ups of cyclictest, microseconds
USUAL = 20  # how late a wake-up is when nothing is the matter, microseconds
PAGES = 100  # that the memory's control touches; pipit touches 79 in a block of 64 voices, without any message
TOUCH = 50e-6  # seconds that this takes at most when nothing is the matter; it usually takes 0.000005


class Wakes:
    """cyclictest (rt-tests), above pipit: when each of its wake-ups was how late."""

    def __init__(self, core):
        self.histogram = {}  # microseconds: how often
        self.late = []  # (seconds on the control's own time, microseconds), where that is more than usual
        self.begin = float("inf")  # of the control's own time, on time.monotonic()
        self.process = subprocess.Popen(
            ["cyclictest", "-v", "-m", "-p", "90", "-t", "1", "-a", str(core), "-i", str(INTERVAL)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        now = 0  # microseconds
        for line in self.process.stdout:
            fields = re.fullmatch(r"\s*0:\s*\d+:\s*(\d+)\s*", line)
            if not fields:
                continue
            late = int(fields[1])
            self.histogram[late] = self.histogram.get(late, 0) + 1
            if late > USUAL:
                self.late.append(((now + late) * 1e-6, late))
            # The line came at some time after what it tells: the earliest is the closest.
            self.begin = min(self.begin, time.monotonic() - (now + late) * 1e-6)
            # As cyclictest does, the wake-ups that a stall covers are left out.
            now += (1 + late // INTERVAL) * INTERVAL

    def end(self):
        """Ends it. Returns when the core was away: (from, to, for how long at most), seconds on time.monotonic()."""
        self.process.terminate()
        self.process.wait()
        self.reader.join()
        away, last = [], self.begin
        for at, late in self.late:
            # It may have gone at once after the wake-up before.
            end = self.begin + at
            start = max(last, end - (late + INTERVAL) * 1e-6)
            away.append((start, end, end - start))
            last = end
        return away


class Memory:
    """A program below pipit that touches as much memory as often as pipit does: a host may take a machine's memory
    away for a moment, and each page then costs microseconds of the core's own time."""

    def __init__(self, core):
        self.pipe, pipe = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=self.touch, args=(core, pipe))
        self.process.start()

    @staticmethod
    def touch(core, pipe):
        done = []
        signal.signal(signal.SIGTERM, lambda *_: done.append(True))
        os.sched_setaffinity(0, {core})
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(69))
        memory = mmap.mmap(-1, PAGES * 65536, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        ones = bytes(PAGES)
        memory[::65536] = ones
        ctypes.CDLL(None).mlockall(3)
        gc.disable()
        gone, last = [], time.monotonic()
        while not done:
            time.sleep(0.00133)
            before = time.thread_time()
            memory[::65536] = ones
            took = time.thread_time() - before
            now = time.monotonic()
            if took > TOUCH:
                gone.append((last, now, took))
            last = now
        pipe.send(gone)

    def end(self):
        """Ends it. Returns when memory was away: (from, to, for how long), seconds on time.monotonic()."""
        self.process.terminate()
        gone = self.pipe.recv()
        self.process.join()
        return gone


def behind(away, load, spare):
    """From when to when a program that needs the share `load` of its core was more than `spare` seconds behind,
    through no fault of its own: while the core or the memory is away it falls behind, and then makes up for it in
    the time that its load leaves."""
    found, lag, last = [], 0.0, 0.0
    for start, end, length in sorted(away):
        free = max(0.0, start - last)
        if lag > spare:
            found[-1][1] += min(free, (lag - spare) * load / (1 - load))
        lag = max(0.0, lag - free * (1 - load) / load)
        reached = start + max(0.0, spare - lag)
        lag += length
        last = max(last, end)
        if lag > spare:
            if found and found[-1][1] >= start:
                found[-1][1] = last
            else:
                found.append([min(reached, end), last])
    return found
