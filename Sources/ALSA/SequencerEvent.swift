import CALSA
import MIDI

extension ClockMessage {
  /// The message in an event of the sequencer; nil for an event that holds none.
  init?(_ event: snd_seq_event_t) {
    let value = UInt32(bitPattern: event.data.control.value)
    switch snd_seq_event_type(UInt32(event.type)) {
    case SND_SEQ_EVENT_CLOCK: self = .tick
    case SND_SEQ_EVENT_START: self = .start
    case SND_SEQ_EVENT_CONTINUE: self = .resume
    case SND_SEQ_EVENT_STOP: self = .stop
    case SND_SEQ_EVENT_SONGPOS: self = .position(Int(value & 0x3FFF))
    default: return nil
    }
  }
}

extension ChannelMessage {
  /// The message in an event of the sequencer; nil for an event that holds none. It is put together as bytes, since
  /// what those mean stands in one place. Numbers out of range lose their upper bits, a bend stops at its end.
  init?(_ event: snd_seq_event_t) {
    let (note, control) = (event.data.note, event.data.control)
    let (number, value) = (control.param, control.value)
    let bend = UInt32(max(-8192, min(value, 8191)) + 8192)
    let status: UInt8
    let bytes: (UInt32, UInt32)
    switch snd_seq_event_type(UInt32(event.type)) {
    case SND_SEQ_EVENT_NOTEOFF: (status, bytes) = (0x80, (UInt32(note.note), UInt32(note.velocity)))
    case SND_SEQ_EVENT_NOTEON: (status, bytes) = (0x90, (UInt32(note.note), UInt32(note.velocity)))
    case SND_SEQ_EVENT_KEYPRESS: (status, bytes) = (0xA0, (UInt32(note.note), UInt32(note.velocity)))
    case SND_SEQ_EVENT_CONTROLLER: (status, bytes) = (0xB0, (number, UInt32(bitPattern: value)))
    case SND_SEQ_EVENT_PGMCHANGE: (status, bytes) = (0xC0, (UInt32(bitPattern: value), 0))
    case SND_SEQ_EVENT_CHANPRESS: (status, bytes) = (0xD0, (UInt32(bitPattern: value), 0))
    case SND_SEQ_EVENT_PITCHBEND: (status, bytes) = (0xE0, (bend, bend >> 7))
    case SND_SEQ_EVENT_CONTROL14 where number < 32:
      self.init(note.channel & 15, .pair(UInt8(number), MIDIValue(UInt32(bitPattern: value), bits: 14)))
      return
    case SND_SEQ_EVENT_REGPARAM, SND_SEQ_EVENT_NONREGPARAM:
      let isRegistered = UInt32(event.type) == SND_SEQ_EVENT_REGPARAM.rawValue
      let all = MIDIValue(UInt32(bitPattern: value), bits: 14)
      self.init(
        note.channel & 15, .parameter(UInt16(number & 0x3FFF), isRegistered: isRegistered, all))
      return
    case SND_SEQ_EVENT_RESET:
      self.init(0, .reset)
      return
    default: return nil
    }
    // Both structures of the union begin with the channel.
    self.init(
      status: status | note.channel & 15, UInt8(truncatingIfNeeded: bytes.0),
      UInt8(truncatingIfNeeded: bytes.1))
  }
}
