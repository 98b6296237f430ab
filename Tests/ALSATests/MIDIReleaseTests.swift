import CALSA
import Glibc
import MIDI
import Scenes
import Testing
@testable import ALSA

/// What ends the notes and pedals of a keyboard that cannot end them itself.
@Suite("Held notes and pedals end") struct MIDIReleaseTests {
  private let one = MIDIBench.one
  private let two = MIDIBench.two

  enum Loss: CaseIterable { case port, client, connection, denial, silence, restart }

  @Test("when their keyboard is lost, and those of another keyboard go on", arguments: Loss.allCases)
  func lost(_ loss: Loss) throws {
    let bench = try #require(MIDIBench.ofTwo())
    if loss == .silence { bench.send(0xFE) }
    // By the sustain pedal, by sostenuto, and by the key itself.
    bench.send(0xB0, 64, 127)
    bench.send(0x90, 60, 100)
    bench.send(0x80, 60, 64)
    bench.send(0x90, 62, 100)
    bench.send(0xB0, 66, 127)
    bench.send(0x90, 64, 100)
    bench.send(0x90, 72, 100, from: two)
    bench.read()
    #expect(bench.voices == 4)
    switch loss {
    case .port: bench.alsa.unplug(one)
    case .client: bench.alsa.unplug(one, as: SND_SEQ_EVENT_CLIENT_EXIT)
    case .connection: bench.alsa.subscribe(one, ends: true)
    case .denial: bench.set(one) { $0.isAllowed = false }
    case .silence: bench.alsa.now += 400_000_000
    case .restart: bench.send(0xFF)
    }
    bench.read()
    #expect(bench.voices == 1)
    let gone = bench.takeCommands().filter { $0.kind == .sourceGone }
    #expect(gone.map(\.source) == [0])

    // It comes again with no pedal down.
    switch loss {
    case .port, .client: bench.plug(one)
    case .connection: bench.alsa.subscribe(one)
    case .denial: bench.set(one) { $0.isAllowed = true }
    case .silence, .restart: break
    }
    bench.read()
    bench.send(0x90, 60, 100)
    bench.read()
    #expect(bench.voices == 2)
    bench.send(0x80, 60, 64)
    bench.read()
    #expect(bench.voices == 1)
    bench.send(0x80, 72, 64, from: two)
    bench.read()
    #expect(bench.voices == 0)
  }

  @Test("when another port of the same client is gone, only if they are that port's")
  func otherPort() throws {
    let bench = try #require(MIDIBench.ofTwo())
    let second = Device.Address(client: one.client, port: 1)
    bench.plug(second)
    bench.read()
    bench.send(0x90, 60, 100)
    bench.send(0x90, 64, 100, from: second)
    bench.send(0x90, 67, 100, from: two)
    bench.read()
    #expect(bench.voices == 3)
    bench.alsa.unplug(second)
    bench.read()
    #expect(bench.voices == 2)
    bench.plug(second)
    bench.read()
    bench.alsa.unplug(one, as: SND_SEQ_EVENT_CLIENT_EXIT)
    bench.read()
    #expect(bench.voices == 1)
    #expect(bench.sequencer.devices[one] == nil && bench.sequencer.devices[second] == nil)
    #expect(bench.sequencer.devices[two]?.source == 1)
  }

  @Test("400 ms after the last message of a keyboard with active sensing, and only then")
  func sensing() throws {
    let bench = try #require(MIDIBench.ofTwo())
    bench.send(0x90, 72, 100, from: two)
    bench.send(0x90, 60, 100)
    bench.read()
    // Nobody has promised anything.
    #expect(bench.reader.timeout == -1)
    bench.send(0xFE)
    bench.read(after: 10_000_000_000)
    #expect(bench.reader.timeout == 401)
    bench.send(0xB0, 1, 0)
    bench.read(after: 300_000_000)
    bench.read(after: 399_999_999)
    #expect(bench.voices == 2)
    #expect((0...1).contains(bench.reader.timeout))
    // What waited was a sign of life, however late it is read.
    bench.send(0xFE)
    bench.read(after: 2_000_000_000)
    #expect(bench.voices == 2)
    bench.read(after: 400_000_000)
    #expect(bench.voices == 1 && bench.reader.timeout == -1)
    #expect(bench.sequencer.devices[one]?.source == 0)
    // Said once, and it goes on playing.
    bench.send(0x90, 60, 100)
    bench.read(after: 1_000_000_000)
    #expect(bench.voices == 2)
  }

  @Test("when a keyboard of MIDI 2.0 falls silent, and not once it is gone or has lost its promise")
  func sensingOfPackets() throws {
    let bench = try #require(MIDIBench.ofTwo())
    bench.alsa.send(packet: 0x4090_3C00, 0x8000_0000, from: one)
    bench.alsa.send(packet: 0x10FE_0000, from: one)
    bench.read()
    #expect(bench.voices == 1 && bench.reader.timeout == 401)
    bench.read(after: 400_000_000)
    #expect(bench.voices == 0)
    bench.alsa.send(packet: 0x10FE_0000, from: one)
    bench.read()
    bench.alsa.unplug(one)
    bench.plug(one)
    bench.send(0x90, 60, 100)
    bench.read()
    #expect(bench.reader.timeout == -1)
    bench.read(after: 1_000_000_000)
    #expect(bench.voices == 1)
  }

  @Test("when the ring was full, as soon as there is room, asked for every 10 ms")
  func fullRing() throws {
    let bench = try #require(MIDIBench.ofTwo())
    bench.send(0x90, 60, 100)
    bench.send(0x90, 72, 100, from: two)
    bench.read()
    _ = (bench.takeEvents(), bench.takeCommands())
    bench.fillRing()
    // The end of one note is lost; that of the other would be as well, had it come.
    bench.send(0x80, 60, 64)
    bench.read()
    let lost = bench.link.midi.dropped
    #expect(bench.reader.timeout == 10)
    bench.read()
    #expect(bench.link.midi.dropped == lost + 1)
    bench.read(after: 9_999_999)
    #expect(bench.link.midi.dropped == lost + 1)
    _ = bench.takeEvents()
    bench.read()
    #expect(bench.takeEvents().isEmpty && bench.takeCommands().isEmpty)
    bench.read(after: 1)
    let events = bench.takeEvents()
    #expect(events.map(\.kind) == [.sourceGone, .sourceGone] && Set(events.map(\.source)) == [0, 1])
    #expect(Set(bench.takeCommands().map(\.source)) == [0, 1])
    #expect(bench.reader.timeout == -1)
    // Both are there as before.
    bench.send(0x90, 60, 100)
    bench.send(0x90, 72, 100, from: two)
    bench.read()
    #expect(bench.takeEvents().map(\.source) == [0, 1] && bench.link.midi.dropped == lost + 1)
  }

  @Test("when a keyboard is unplugged while the ring is full, and the next of its number knows nothing of it")
  func unpluggedWithFullRing() throws {
    let bench = try #require(MIDIBench.ofTwo())
    bench.send(0xB0, 0, 3)
    bench.send(0x90, 60, 100)
    bench.read()
    bench.fillRing()
    bench.alsa.unplug(one)
    bench.read()
    #expect(bench.reader.timeout == 10)
    _ = bench.takeEvents()
    bench.plug(one)
    bench.read(after: 10_000_000)
    #expect(bench.takeEvents().filter { $0.kind == .sourceGone }.map(\.source) == [0])
    bench.send(0xC0, 5)
    bench.read()
    // The bank that the first had chosen is forgotten.
    let programs = bench.takeCommands().filter { $0.kind == .program }
    #expect(programs.map(\.value) == [0])
  }

  @Test("and the next keyboard of the same number knows nothing of the one that was, the ring full or not")
  func successor() throws {
    let bench = try #require(MIDIBench.ofTwo())
    for (number, value) in [(101, 0), (100, 6), (6, 7), (0, 3)] as [(UInt8, UInt8)] {
      bench.send(0xB0, number, value)
    }
    bench.read()
    _ = (bench.takeEvents(), bench.takeCommands())
    bench.fillRing()
    bench.alsa.unplug(one)
    bench.read()
    let third = Device.Address(client: 30, port: 0)
    bench.plug(third)
    bench.read()
    #expect(bench.sequencer.devices[third]?.source == 0)
    _ = bench.takeEvents()
    bench.read(after: 10_000_000)
    #expect(Set(bench.takeEvents().map(\.kind)) == [.sourceGone])
    bench.send(0xC0, 5, from: third)
    bench.read()
    #expect(bench.takeCommands().filter { $0.kind == .program }.map(\.value) == [0])
  }

  @Test("when the kernel has dropped events, which is said once, and every port is connected anew")
  func overrun() throws {
    let bench = try #require(MIDIBench.ofTwo())
    bench.send(0x90, 60, 100)
    bench.send(0xB0, 64, 127, from: two)
    bench.send(0x90, 72, 100, from: two)
    bench.read()
    #expect(bench.voices == 2 && bench.sequencer.overruns == 0)
    // One came meanwhile, and its announcement is among what was dropped.
    let third = Device.Address(client: 28, port: 0)
    bench.plug(third, isAnnounced: false)
    bench.alsa.fail(ENOSPC)
    bench.send(0x90, 76, 100, from: third)
    #expect(bench.read())
    #expect(bench.sequencer.overruns == 1 && bench.voices == 1)
    #expect(bench.alsa.connected == [one, two, third])
    #expect(bench.sequencer.devices[third]?.source == 2)
    bench.alsa.fail(ENOSPC)
    bench.send(0x90, 60, 100)
    bench.read()
    #expect(bench.sequencer.overruns == 2 && bench.voices == 1)
    #expect(bench.log.filter { $0.hasPrefix("<4>") }.count == 1)
    #expect(bench.log.filter { $0.contains("connected Keys 20") }.count == 1)
    // No pedal is down.
    bench.send(0x80, 60, 64)
    bench.read()
    #expect(bench.voices == 0)
  }

  @Test("when the kernel has dropped events, and each keyboard keeps its own number and what it has said")
  func numbersAfterOverrun() throws {
    let bench = try #require(MIDIBench())
    // Plugged in another order than that of their addresses.
    bench.plug(two)
    bench.read()
    bench.plug(one)
    bench.read()
    // The bend range of one of them.
    for (controller, value) in [(101, 0), (100, 0), (6, 12)] as [(UInt8, UInt8)] {
      bench.send(0xB0, controller, value, from: two)
    }
    bench.read()
    let before = [one, two].map { bench.sequencer.devices[$0]?.source }
    #expect(before == [1, 0])
    bench.alsa.fail(ENOSPC)
    bench.read()
    #expect([one, two].map { bench.sequencer.devices[$0]?.source } == before)
    // Data entry goes on with the parameter that this keyboard has chosen, and with none at the other.
    _ = (bench.takeEvents(), bench.takeCommands())
    bench.send(0xB0, 6, 7, from: one)
    bench.send(0xB0, 6, 5, from: two)
    bench.read()
    let ranges = bench.takeEvents().filter { $0.kind == .bendRange }
    #expect(ranges.map(\.source) == [0] && ranges.map(\.value) == [5])
  }

  @Test("when another keyboard has the address of one that was unplugged in an overrun, and its own settings")
  func replacedInOverrun() throws {
    let bench = try #require(MIDIBench.ofTwo())
    bench.set(one) { $0.hasClock = true }
    bench.send(0x90, 60, 100)
    bench.read()
    let known = bench.sequencer.devices[one]?.id
    bench.alsa.unplug(one, as: nil)
    bench.alsa.plug(one, MIDIBench.port(one, "Pads"), isAnnounced: false)
    bench.alsa.fail(ENOSPC)
    bench.read()
    let device = try #require(bench.sequencer.devices[one])
    #expect(device.id != known && device.identity.client == "Pads" && !device.settings.hasClock)
    #expect(bench.voices == 0)
  }

  @Test("when a keyboard was unplugged and its announcement is among what the kernel dropped")
  func unpluggedInOverrun() throws {
    let bench = try #require(MIDIBench.ofTwo())
    bench.set(one) { $0.routes = ChannelRoutes("1") ?? ChannelRoutes() }
    bench.send(0x90, 60, 100)
    bench.read()
    bench.alsa.unplug(one, as: nil)
    bench.alsa.fail(ENOSPC)
    bench.read()
    #expect(bench.voices == 0)
    #expect(bench.sequencer.devices[one] == nil && bench.log.contains("MIDI: Keys 20 MIDI 1 is gone"))
    // What is set for it is nobody else's.
    let source = try #require(bench.sequencer.devices[two]?.source)
    #expect(bench.sequencer.devices.device(source: source)?.address == two)
    #expect(bench.sequencer.routed[source] == nil)
    bench.plug(one)
    bench.read()
    #expect(bench.sequencer.devices[one]?.source != source)
  }

  @Test("and a promise of active sensing does not outlive an overrun")
  func sensingAfterOverrun() throws {
    let bench = try #require(MIDIBench.ofTwo())
    bench.send(0xFE)
    bench.alsa.fail(ENOSPC)
    bench.send(0x90, 60, 100)
    bench.read()
    bench.read(after: 1_000_000_000)
    #expect(bench.voices == 1)
  }

  @Test("when the reader ends")
  func end() throws {
    let bench = try #require(MIDIBench.ofTwo())
    bench.send(0x90, 60, 100)
    bench.send(0x90, 72, 100, from: two)
    bench.read()
    #expect(bench.voices == 2)
    bench.reader.releaseAll()
    bench.reader.detachAll()
    #expect(bench.voices == 0)
    #expect(bench.sequencer.devices.devices.allSatisfy { $0.address == nil && $0.source == nil })
  }

  @Test("once what holds them is bound to something else")
  func bound() throws {
    let bench = try #require(MIDIBench.ofTwo())
    bench.send(0xB0, 64, 127)
    bench.send(0x90, 60, 100)
    bench.send(0x80, 60, 64)
    bench.send(0x90, 72, 100, from: two)
    bench.read()
    #expect(bench.voices == 2)
    bench.set(one) { $0.bind(Binding(.controller, 64, to: "/tempo/tap", .press)) }
    bench.read()
    #expect(bench.reader.timeout == -1 && bench.voices == 1)
  }

  @Test("and a keyboard that plays by MPE still does")
  func zones() throws {
    let bench = try #require(MIDIBench.ofTwo(mpe: .lower(7)))
    #expect(bench.takeEvents().filter { $0.kind == .mpeZone && $0.note == 7 }.map(\.source) == [0, 1])
    bench.send(0xFE)
    bench.send(0x91, 60, 100)
    bench.read()
    bench.read(after: 400_000_000)
    let events = bench.takeEvents().drop { $0.kind != .sourceGone }
    #expect(events.filter { $0.kind == .mpeZone && $0.note == 7 }.map(\.source) == [0])
    // One that is plugged in anew does as well.
    bench.alsa.unplug(one)
    bench.read()
    _ = bench.takeEvents()
    bench.plug(one)
    bench.read()
    #expect(bench.takeEvents().filter { $0.kind == .mpeZone && $0.note == 7 }.map(\.source) == [0])
  }

  @Test("and its zones are told again when the ring had room for the end alone")
  func zonesAndFullRing() throws {
    let bench = try #require(MIDIBench.ofTwo(mpe: .lower(7)))
    bench.send(0xFE)
    bench.read()
    bench.fillRing()
    bench.link.midi.drop()
    bench.read(after: 400_000_000)
    _ = bench.takeEvents()
    bench.read(after: 10_000_000)
    let events = bench.takeEvents()
    #expect(events.map(\.kind).contains(.sourceGone))
    #expect(events.filter { $0.kind == .mpeZone && $0.source == 0 && $0.note == 7 }.count == 1)
  }

  @Test("and what keyboards have chosen outlives an overrun, as their numbers do")
  func choicesAfterOverrun() throws {
    let bench = try #require(MIDIBench.ofTwo())
    bench.send(0xB0, 0, 3)
    bench.alsa.fail(ENOSPC)
    bench.send(0xC0, 5)
    bench.read()
    #expect(bench.takeCommands().filter { $0.kind == .program }.map(\.value) == [384])
  }
}
