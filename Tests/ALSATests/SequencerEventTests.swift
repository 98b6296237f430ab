import CALSA
import MIDI
import Scenes
import Testing
@testable import ALSA

/// Sequencer events as the library hands them over.
private func event(_ type: snd_seq_event_type, _ fill: (inout snd_seq_event_t) -> Void) -> snd_seq_event_t {
  var event = snd_seq_event_t()
  event.type = UInt8(type.rawValue)
  fill(&event)
  return event
}

private func note(_ type: snd_seq_event_type, _ channel: UInt8, _ note: UInt8, _ velocity: UInt8)
  -> snd_seq_event_t
{
  event(type) {
    $0.data.note.channel = channel
    $0.data.note.note = note
    $0.data.note.velocity = velocity
  }
}

private func control(_ type: snd_seq_event_type, _ channel: UInt8, _ param: UInt32, _ value: Int32)
  -> snd_seq_event_t
{
  event(type) {
    $0.data.control.channel = channel
    $0.data.control.param = param
    $0.data.control.value = value
  }
}

private func channel(_ event: snd_seq_event_t) -> ChannelMessage? {
  if case .channel(let message)? = PortMessage(event) { message } else { nil }
}

@Suite("Sequencer events") struct SequencerEventTests {
  private func bytes(_ bytes: UInt8...) -> ChannelMessage? {
    var parser = MIDIParser()
    return bytes.compactMap { parser.parse($0) }.last
  }

  @Test("A sequencer event is read as the same channel message as its MIDI bytes") func sameAsBytes() {
    #expect(channel(note(SND_SEQ_EVENT_NOTEON, 5, 60, 127)) == bytes(0x95, 60, 127))
    #expect(channel(note(SND_SEQ_EVENT_NOTEON, 0, 60, 0)) == bytes(0x80, 60, 64))
    #expect(channel(note(SND_SEQ_EVENT_NOTEOFF, 5, 60, 1)) == bytes(0x85, 60, 1))
    #expect(channel(note(SND_SEQ_EVENT_KEYPRESS, 5, 60, 9)) == bytes(0xA5, 60, 9))
    for number in 0..<128 as Range<UInt8> {
      let controller = control(SND_SEQ_EVENT_CONTROLLER, 2, UInt32(number), 100)
      #expect(channel(controller) == bytes(0xB2, number, 100))
    }
    #expect(channel(control(SND_SEQ_EVENT_PGMCHANGE, 2, 0, 9)) == bytes(0xC2, 9))
    #expect(channel(control(SND_SEQ_EVENT_CHANPRESS, 2, 0, 9)) == bytes(0xD2, 9))
    #expect(channel(event(SND_SEQ_EVENT_RESET) { _ in }) == bytes(0xFF))
  }

  @Test("Pitch bend reaches both ends of its range and rests in the middle") func pitchBend() {
    for (raw, low, high) in [(-8192, 0, 0), (-1, 127, 63), (0, 0, 64), (8191, 127, 127)]
      as [(Int32, UInt8, UInt8)]
    {
      #expect(channel(control(SND_SEQ_EVENT_PITCHBEND, 0, 0, raw)) == bytes(0xE0, low, high))
    }
  }

  /// As the kernel makes them of what a MIDI 2.0 keyboard sends.
  @Test("RPN, NRPN and 14-bit controller events carry their whole value") func aParameterComesWithItsValue() {
    let range = MIDIValue(12 << 7, bits: 14)
    #expect(
      channel(control(SND_SEQ_EVENT_REGPARAM, 2, 0, 12 << 7))
        == ChannelMessage(2, .parameter(0, isRegistered: true, range)))
    #expect(
      channel(control(SND_SEQ_EVENT_NONREGPARAM, 2, 130, 12 << 7))
        == ChannelMessage(2, .parameter(130, isRegistered: false, range)))
    #expect(
      channel(control(SND_SEQ_EVENT_CONTROL14, 2, 0, 12 << 7)) == ChannelMessage(2, .pair(0, range)))
    #expect(channel(control(SND_SEQ_EVENT_CONTROL14, 2, 64, 127)) == bytes(0xB2, 64, 127))
  }

  @Test("Channels, notes and values out of range are brought into range") func outOfRange() {
    #expect(channel(note(SND_SEQ_EVENT_NOTEON, 255, 200, 255)) == bytes(0x9F, 72, 127))
    #expect(channel(control(SND_SEQ_EVENT_CONTROLLER, 99, 1, -1)) == bytes(0xB3, 1, 127))
    #expect(channel(control(SND_SEQ_EVENT_PITCHBEND, 0, 0, .max)) == bytes(0xE0, 127, 127))
    #expect(channel(control(SND_SEQ_EVENT_PITCHBEND, 0, 0, .min)) == bytes(0xE0, 0, 0))
    #expect(channel(control(SND_SEQ_EVENT_PGMCHANGE, 0, 0, 300)) == bytes(0xC0, 44))
  }

  @Test("Clock, song position, active sensing and system exclusive events are told apart")
  func systemMessages() {
    let position = control(SND_SEQ_EVENT_SONGPOS, 0, 0, 0x2_4001)
    #expect(PortMessage(position) == .clock(.position(1)))
    #expect(PortMessage(control(SND_SEQ_EVENT_SONGPOS, 0, 0, 16_383)) == .clock(.position(16_383)))
    for (type, message) in [
      (SND_SEQ_EVENT_CLOCK, .clock(.tick)), (SND_SEQ_EVENT_START, .clock(.start)),
      (SND_SEQ_EVENT_CONTINUE, .clock(.resume)), (SND_SEQ_EVENT_STOP, .clock(.stop)),
      (SND_SEQ_EVENT_SENSING, .activeSensing), (SND_SEQ_EVENT_SYSEX, .exclusive),
      (SND_SEQ_EVENT_QFRAME, nil), (SND_SEQ_EVENT_TICK, nil), (SND_SEQ_EVENT_TUNE_REQUEST, nil),
    ] as [(snd_seq_event_type, PortMessage?)] {
      #expect(PortMessage(event(type) { _ in }) == message)
    }
  }

  @Test("An event that is no channel message yields none, and every channel message has a valid channel")
  func otherEvents() {
    for type in [SND_SEQ_EVENT_CLOCK, SND_SEQ_EVENT_SENSING, SND_SEQ_EVENT_SYSEX, SND_SEQ_EVENT_PORT_START] {
      #expect(channel(event(type) { _ in }) == nil)
    }
    for type in 0...255 as ClosedRange<UInt8> {
      var any = snd_seq_event_t()
      any.type = type
      if let message = channel(any) { #expect(message.channel < 16) }
    }
  }
}

@Suite("The table of sources") struct SourceTableTests {
  @Test("Ports get source numbers from zero upwards and keep these numbers") func portNumbers() {
    var table = SourceTable()
    let first = SourceTable.Port(client: 20, port: 0)
    let second = SourceTable.Port(client: 20, port: 1)
    #expect(table.number(of: first) == 0)
    #expect(table.number(of: second) == 1)
    #expect(table.number(of: first) == 0)
    #expect(table.ports(of: 20).count == 2 && table.ports(of: 21).isEmpty)
  }

  @Test("The source number of a removed port is given to the next new port") func reusedNumber() {
    var table = SourceTable()
    for port in 0..<3 { _ = table.number(of: .init(client: 20, port: UInt8(port))) }
    #expect(table.remove(.init(client: 20, port: 1)) == 1)
    #expect(table.remove(.init(client: 20, port: 1)) == nil)
    #expect(table.number(of: .init(client: 30, port: 0)) == 1)
  }

  @Test("Ports beyond the last source number get none until another is removed") func noNumberLeft() {
    var table = SourceTable()
    let ports = (0..<UInt8(Limits.surfaceSources + 1)).map { SourceTable.Port(client: 20, port: $0) }
    for (index, port) in ports.dropLast().enumerated() { #expect(table.number(of: port) == UInt8(index)) }
    #expect(table.hasRoom(for: ports[0]) && !table.hasRoom(for: ports[Limits.surfaceSources]))
    #expect(table.number(of: ports[Limits.surfaceSources]) == nil)
    #expect(table.remove(ports[3]) == 3)
    #expect(table.hasRoom(for: ports[Limits.surfaceSources]))
    #expect(table.number(of: ports[Limits.surfaceSources]) == 3)
    #expect(table.removeAll().count == Limits.surfaceSources)
    #expect(table.inUse.isEmpty)
  }
}
