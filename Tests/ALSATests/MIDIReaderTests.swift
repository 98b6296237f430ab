import CALSA
import Glibc
import MIDI
import Scenes
import Testing
@testable import ALSA

/// What becomes of the events that the MIDI thread reads.
@Suite("What a keyboard sends") struct MIDIReaderTests {
  private let one = MIDIBench.one
  private let two = MIDIBench.two
  private let masterVolume: [UInt8] = [0xF0, 0x7F, 0x7F, 4, 1, 127, 127, 0xF7]

  /// The clock reads frame 1,000 a millisecond before now; what comes now is heard a block of 64 frames later.
  private func bench() throws -> MIDIBench {
    let bench = try #require(MIDIBench.ofTwo())
    _ = (bench.takeEvents(), bench.takeCommands())
    bench.link.clock.publish(
      frame: 1_000, nanoseconds: bench.alsa.now - 1_000_000, latency: 64, rate: 48_000)
    return bench
  }
  private let frame: Int64 = 1_000 + 64 + 48

  @Test("is stamped with the frame of the moment when it is read, whatever it is")
  func frames() throws {
    let bench = try bench()
    bench.set(one) { $0.hasClock = true }
    bench.read()
    bench.send(0x90, 60, 100)
    bench.alsa.send(exclusive: masterVolume, from: one)
    bench.alsa.send(packet: 0x4090_3E00, 0x8000_0000, from: two)
    bench.alsa.send(packet: 0x3006_7F7F, 0x0401_7F7F, from: two)
    bench.send(0xC0, 3)
    bench.send(0xFA)
    bench.alsa.send(packet: 0x10FA_0000, from: one)
    bench.read()
    let (events, commands) = (bench.takeEvents(), bench.takeCommands())
    #expect(events.map(\.kind) == [.noteOn, .masterVolume, .noteOn, .masterVolume])
    #expect(events.map(\.source) == [0, 0, 1, 1] && events.allSatisfy { $0.frame == frame })
    #expect(commands.map(\.kind) == [.program, .songCommand, .songCommand])
    #expect(commands.allSatisfy { $0.frame == frame && $0.source == 0 })
    #expect(bench.sequencer.events == 7)
    // One frame, and a nanosecond more or less.
    for (later, frames) in [(20_833, 0), (1, 1), (20_832, 1), (1, 2)] as [(Int64, Int64)] {
      bench.send(0x90, 60, 100)
      bench.read(after: later)
      #expect(bench.takeEvents().map(\.frame) == [frame + frames])
    }
    bench.alsa.unplug(one)
    bench.read()
    #expect(bench.takeEvents().filter { $0.kind == .sourceGone }.map(\.frame) == [frame + 2])
  }

  @Test("may be a system exclusive message in pieces, each keyboard's by itself")
  func pieces() throws {
    let bench = try bench()
    bench.alsa.send(exclusive: Array(masterVolume[..<4]), from: one)
    bench.alsa.send(exclusive: Array(masterVolume[..<5]), from: two)
    bench.alsa.send(exclusive: Array(masterVolume[4...]), from: one)
    bench.read()
    #expect(bench.takeEvents().map(\.source) == [0])
    bench.alsa.send(exclusive: Array(masterVolume[5...]), from: two)
    bench.read()
    #expect(bench.takeEvents().map(\.source) == [1])
  }

  @Test("is answered where it asks who this is, at its own port")
  func identity() throws {
    let bench = try bench()
    bench.alsa.send(exclusive: [0xF0, 0x7E, 0x7F, 6, 1, 0xF7], from: two)
    bench.read()
    #expect(bench.alsa.messages == [Identity.answer(device: 127, version: "1.2.3")])
    #expect(bench.alsa.sent == ["exclusive to 24:0"] && bench.alsa.reached == [two])
    #expect(bench.takeEvents().isEmpty)
  }

  @Test("of MIDI 2.0 begins with the pitch of a stroke, then the note")
  func stroke() throws {
    let bench = try bench()
    bench.alsa.send(packet: 0x4092_3C03, 0xFFFF_7A80, from: one)
    bench.read()
    #expect(bench.takeEvents().map(\.kind) == [.strokePitch, .noteOn])
  }

  @Test(
    "is the control thread's where it is a knob or a program, and the engine's besides where both need it")
  func control() throws {
    let bench = try bench()
    let wakes = bench.wakeCount
    bench.send(0xB0, 71, 9)
    bench.read()
    #expect(bench.takeEvents().isEmpty && bench.takeCommands().map(\.kind) == [.controller])
    #expect(bench.wakeCount == wakes + 1)
    bench.send(0xB0, 74, 127)
    bench.read()
    #expect(bench.takeEvents().map(\.kind) == [.timbre] && bench.takeCommands().map(\.kind) == [.controller])
    bench.send(0xB0, 4, 127)
    bench.read()
    #expect(
      bench.takeEvents().map(\.kind) == [.assignable] && bench.takeCommands().map(\.kind) == [.controller])
    bench.alsa.send(exclusive: [0xF0, 0x7E, 0x7F, 9, 1, 0xF7], from: one)
    bench.send(0xFF)
    bench.read()
    let kinds: [Event.Kind] = [.setUp, .sourceGone]
    #expect(bench.takeEvents().map(\.kind) == kinds && bench.takeCommands().map(\.kind) == kinds)
    bench.send(0x90, 60, 100)
    bench.read()
    #expect(bench.takeCommands().isEmpty)
  }

  @Test("tells the control thread of keys that are struck and let go, while it waits for one")
  func keyWatch() throws {
    let bench = try bench()
    bench.link.keyWatch.isOn = true
    bench.send(0x90, 60, 100)
    bench.send(0x80, 60, 64)
    bench.send(0xB0, 1, 64)
    bench.read()
    #expect(bench.takeEvents().map(\.kind) == [.noteOn, .noteOff, .wheel])
    #expect(bench.takeCommands().map(\.kind) == [.noteOn, .noteOff])
  }

  @Test("tells it of a key of an MPE zone as one on the channel of the zone's manager")
  func keyWatchOfMPE() throws {
    let bench = try #require(MIDIBench.ofTwo(mpe: .lower(5)))
    bench.link.keyWatch.isOn = true
    _ = bench.takeEvents()
    bench.send(0x93, 60, 100)
    bench.send(0x96, 61, 100)
    bench.read()
    let (members, heard): ([UInt8], [UInt8]) = ([3, 6], [0, 6])
    #expect(bench.takeEvents().map(\.target) == members && bench.takeCommands().map(\.target) == heard)
  }

  @Test("is with the engine before the control thread is told of it")
  func engineFirst() throws {
    let bench = try bench()
    bench.sequencer.setLearning(true)
    bench.send(0x90, 60, 100)
    bench.read()
    #expect(bench.sequencer.takeMovements().map(\.number) == [60])
    #expect(bench.link.midi.given == bench.eventsAtWake)
    bench.sequencer.setLearning(false)
    bench.link.keyWatch.isOn = true
    bench.send(0x90, 60, 100)
    bench.send(0xFF)
    bench.read()
    #expect(bench.link.midi.given == bench.eventsAtWake && bench.sequencer.takeMovements().isEmpty)
  }

  @Test("moves what it is bound to, and is played no more; other channels and keyboards are played")
  func bound() throws {
    let bench = try bench()
    bench.set(one) { $0.bind(Binding(.note, 36, channel: 9, to: "/panic", .press)) }
    bench.read()
    bench.send(0x99, 36, 100)
    bench.send(0x98, 36, 100)
    bench.send(0x99, 36, 100, from: two)
    bench.read()
    #expect(bench.takeEvents().filter { $0.kind == .noteOn }.map(\.source) == [0, 1])
    #expect(bench.sequencer.takeMovements().map(\.number) == [36])
    // And for every keyboard.
    bench.sequencer.bind([Binding(.controller, 20, to: "/filter/cutoff", .jump)])
    bench.read()
    bench.send(0xB3, 20, 5, from: two)
    bench.read()
    #expect(bench.takeCommands().filter { $0.kind == .controller }.isEmpty)
    #expect(bench.sequencer.takeMovements().map(\.source) == [1])
  }

  @Test("sets the tempo where its clock is to be followed, until it is not or the keyboard is gone")
  func clock() throws {
    let bench = try bench()
    func tempos(_ place: Device.Address) -> [Float] {
      for _ in 0..<26 {
        bench.send(0xF8, from: place)
        bench.read(after: 25_000_000)
      }
      return bench.takeCommands().filter { $0.kind == .tempo }.map(\.value)
    }
    #expect(tempos(one).isEmpty)
    bench.set(one) { $0.hasClock = true }
    bench.read()
    #expect(Set(tempos(one)) == [100] && tempos(two).isEmpty)
    bench.set(one) { $0.hasClock = false }
    bench.read()
    #expect(tempos(one).isEmpty)
    bench.set(one) { $0.hasClock = true }
    bench.read()
    bench.alsa.unplug(one)
    bench.plug(two)
    bench.read()
    // The number of the one that is gone, which another gets, is followed no more.
    let third = Device.Address(client: 30, port: 0)
    bench.plug(third)
    bench.read()
    #expect(bench.sequencer.devices[third]?.source == 0 && tempos(third).isEmpty)
  }

  @Test("is read in rounds of a bounded length, however much there is; the next round does not wait")
  func flood() throws {
    let bench = try bench()
    var left = 3 * MIDIReader.mostEvents
    bench.alsa.reads = {
      left -= 1
      if left > 0 { bench.alsa.send([0xB0, 1, UInt8(left & 127)], from: bench.alsa.ports()[0]) }
    }
    #expect(bench.read() && bench.sequencer.events == UInt64(MIDIReader.mostEvents))
    #expect(bench.reader.timeout == 0)
    // What is set meanwhile holds in the next round.
    bench.set(two) { $0.isAllowed = false }
    bench.read()
    #expect(!bench.alsa.connected.contains(two) && bench.alsa.connected.contains(one))
    while left > 0 { bench.read() }
    bench.read()
    #expect(bench.reader.timeout != 0)
  }

  @Test("is read to its end, whatever interrupts; another error ends the reader")
  func errors() throws {
    let bench = try bench()
    bench.alsa.fail(EINTR)
    bench.alsa.fail(EPERM)
    bench.send(0x90, 60, 100)
    #expect(bench.read() && bench.takeEvents().count == 1)
    bench.alsa.fail(ENODEV)
    #expect(!bench.read())
    #expect(bench.log.last?.contains("Reading from the ALSA sequencer") == true)
    // A descriptor that is none.
    bench.alsa.descriptor = 100_000
    #expect(!bench.read())
  }
}
