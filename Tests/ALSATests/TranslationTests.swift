import CALSA
import Synth
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

/// A translation that remembers.
private final class Ears {
  var translation = Translation()

  func played(_ event: snd_seq_event_t, source: UInt8 = 3) -> Event? {
    if case .play(let event) = translation.meaning(of: event, source: source, frame: 77) { return event }
    return nil
  }

  func commanded(_ event: snd_seq_event_t, source: UInt8 = 3) -> Event? {
    if case .command(let event) = translation.meaning(of: event, source: source, frame: 77) { return event }
    return nil
  }
}

@Suite struct TranslationTests {
  private let ears = Ears()

  @Test func aNoteCarriesItsFrameSourceChannelAndVelocity() throws {
    let on = try #require(ears.played(note(SND_SEQ_EVENT_NOTEON, 5, 60, 127)))
    #expect(on.kind == .noteOn && on.frame == 77 && on.source == 3 && on.target == 5)
    #expect(on.note == 60 && on.value == 1)
    let off = try #require(ears.played(note(SND_SEQ_EVENT_NOTEOFF, 5, 60, 0)))
    #expect(off.kind == .noteOff && off.note == 60)
  }

  @Test func velocityZeroIsANoteOff() throws {
    #expect(ears.played(note(SND_SEQ_EVENT_NOTEON, 0, 60, 0))?.kind == .noteOff)
  }

  @Test func numbersOutOfRangeComeInside() throws {
    let on = try #require(ears.played(note(SND_SEQ_EVENT_NOTEON, 255, 200, 255)))
    #expect(on.target == 15 && on.note == 72 && on.value == 1)
    let wheel = try #require(ears.played(control(SND_SEQ_EVENT_CONTROLLER, 99, 1, -1)))
    #expect(wheel.kind == .wheel && wheel.value == 1 && wheel.target == 3)
    let bend = try #require(ears.played(control(SND_SEQ_EVENT_PITCHBEND, 0, 0, .max)))
    #expect(bend.value == 1)
    let program = try #require(ears.commanded(control(SND_SEQ_EVENT_PGMCHANGE, 0, 0, 300)))
    #expect(program.note == 44)
  }

  @Test func theBendReachesBothEndsAndRestsAtZero() throws {
    for (raw, value) in [(-8192, -1), (0, 0), (8191, 1)] as [(Int32, Float)] {
      let bend = try #require(ears.played(control(SND_SEQ_EVENT_PITCHBEND, 0, 0, raw)))
      #expect(bend.kind == .bend && bend.value == value)
    }
  }

  @Test(
    arguments: [
      (1, .wheel), (11, .expression), (64, .sustain), (120, .allSoundOff), (121, .resetControllers),
      (123, .allNotesOff), (124, .allNotesOff), (125, .allNotesOff), (126, .allNotesOff), (127, .allNotesOff),
    ] as [(UInt32, Event.Kind)])
  func thePlayersControllersGoToTheEngine(number: UInt32, kind: Event.Kind) throws {
    let event = try #require(ears.played(control(SND_SEQ_EVENT_CONTROLLER, 2, number, 127)))
    #expect(event.kind == kind && event.target == 2 && event.value == 1)
  }

  @Test func otherControllersGoToTheControlThread() throws {
    for number in [2, 7, 10, 71, 74, 119] as [UInt32] {
      let event = try #require(ears.commanded(control(SND_SEQ_EVENT_CONTROLLER, 2, number, 127)))
      #expect(event.kind == .controller && event.note == UInt8(number) && event.value == 1)
    }
    #expect(ears.played(control(SND_SEQ_EVENT_CONTROLLER, 2, 122, 0)) == nil)
  }

  @Test func aProgramCarriesTheBankOfItsSourceAndChannel() throws {
    _ = ears.commanded(control(SND_SEQ_EVENT_CONTROLLER, 2, 0, 1))
    _ = ears.commanded(control(SND_SEQ_EVENT_CONTROLLER, 2, 32, 5))
    let program = control(SND_SEQ_EVENT_PGMCHANGE, 2, 0, 9)
    #expect(ears.commanded(program)?.value == 133)
    #expect(ears.commanded(program)?.note == 9)
    #expect(ears.commanded(program, source: 4)?.value == 0)
    #expect(ears.commanded(control(SND_SEQ_EVENT_PGMCHANGE, 3, 0, 9))?.value == 0)
    ears.translation.forget(3)
    #expect(ears.commanded(program)?.value == 0)
  }
}

@Suite struct SourceTableTests {
  @Test func portsGetNumbersFromZeroAndKeepThem() {
    var table = SourceTable()
    let first = SourceTable.Port(client: 20, port: 0)
    let second = SourceTable.Port(client: 20, port: 1)
    #expect(table.number(of: first) == 0)
    #expect(table.number(of: second) == 1)
    #expect(table.number(of: first) == 0)
    #expect(table.ports(of: 20).count == 2 && table.ports(of: 21).isEmpty)
  }

  @Test func aNumberIsUsedAgainWhenItsPortHasGone() {
    var table = SourceTable()
    for port in 0..<3 { _ = table.number(of: .init(client: 20, port: UInt8(port))) }
    #expect(table.remove(.init(client: 20, port: 1)) == 1)
    #expect(table.remove(.init(client: 20, port: 1)) == nil)
    #expect(table.number(of: .init(client: 30, port: 0)) == 1)
  }

  @Test func portsBeyondTheLastNumberShareIt() {
    var table = SourceTable()
    let last = UInt8(Limits.oscSources - 1)
    for port in 0..<Limits.oscSources + 4 { _ = table.number(of: .init(client: 20, port: UInt8(port))) }
    #expect(table.number(of: .init(client: 20, port: last)) == last)
    #expect(table.number(of: .init(client: 20, port: last + 4)) == last)
    #expect(table.removeAll().count == Limits.oscSources)
    #expect(table.inUse.isEmpty)
  }
}
