import CALSA
import Synth

/// What sequencer events mean to the instrument. Keeps the bank that each source and channel chose last.
struct Translation {
  /// Where an event goes.
  enum Meaning {
    case nothing
    /// To the engine.
    case play(Event)
    /// To the control thread: a knob or a program change.
    case command(Event)
  }

  private var coarse = [UInt8](repeating: 0, count: Limits.sources * Limits.channels)
  private var fine = [UInt8](repeating: 0, count: Limits.sources * Limits.channels)

  /// Forgets the banks of a source that has gone.
  mutating func forget(_ source: UInt8) {
    for channel in 0..<Limits.channels {
      coarse[slot(source, channel)] = 0
      fine[slot(source, channel)] = 0
    }
  }

  /// The meaning of `event`, stamped with `frame`. Numbers out of MIDI's range lose their upper bits.
  mutating func meaning(of event: snd_seq_event_t, source: UInt8, frame: Int64) -> Meaning {
    func make(_ kind: Event.Kind, _ channel: UInt8, note: UInt8 = 0, value: Float = 0) -> Event {
      Event(
        frame: frame, kind: kind, source: source, target: channel & 15, note: note & 127, value: value)
    }
    let note = event.data.note
    let control = event.data.control
    let channel = control.channel & 15
    let value = UInt8(truncatingIfNeeded: control.value) & 127

    switch snd_seq_event_type(UInt32(event.type)) {
    case SND_SEQ_EVENT_NOTEON:
      let velocity = note.velocity & 127
      if velocity == 0 { return .play(make(.noteOff, note.channel, note: note.note)) }
      return .play(make(.noteOn, note.channel, note: note.note, value: Float(velocity) / 127))
    case SND_SEQ_EVENT_NOTEOFF:
      let velocity = Float(note.velocity & 127) / 127
      return .play(make(.noteOff, note.channel, note: note.note, value: velocity))
    case SND_SEQ_EVENT_PITCHBEND:
      let bend = max(-8192, min(control.value, 8191))
      return .play(make(.bend, channel, value: Float(bend) / (bend < 0 ? 8192 : 8191)))
    case SND_SEQ_EVENT_CHANPRESS:
      return .play(make(.pressure, channel, value: Float(value) / 127))
    case SND_SEQ_EVENT_CONTROLLER:
      let number = UInt8(truncatingIfNeeded: control.param) & 127
      return controller(number, value, source: source, make(.controller, channel, note: number))
    case SND_SEQ_EVENT_PGMCHANGE:
      let slot = slot(source, Int(channel))
      let bank = Int(coarse[slot]) * 128 + Int(fine[slot])
      return .command(make(.program, channel, note: value, value: Float(bank)))
    case SND_SEQ_EVENT_RESET:
      return .play(make(.sourceGone, 0))
    default:
      return .nothing
    }
  }

  private mutating func controller(
    _ number: UInt8, _ value: UInt8, source: UInt8, _ event: Event
  ) -> Meaning {
    var event = event
    event.value = Float(value) / 127
    switch number {
    case 0:
      coarse[slot(source, Int(event.target))] = value
      return .nothing
    case 32:
      fine[slot(source, Int(event.target))] = value
      return .nothing
    case 1: event.kind = .wheel
    case 11: event.kind = .expression
    case 64: event.kind = .sustain
    case 120: event.kind = .allSoundOff
    case 121: event.kind = .resetControllers
    // Local control is the keyboard's own affair.
    case 122: return .nothing
    // The modes, omni and mono among them, end notes too, and are not switched to.
    case 123...127: event.kind = .allNotesOff
    default: return .command(event)
    }
    event.note = 0
    return .play(event)
  }

  private func slot(_ source: UInt8, _ channel: Int) -> Int {
    min(Int(source), Limits.sources - 1) * Limits.channels + channel
  }
}
