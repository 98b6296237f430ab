import CALSA
import MIDI

extension PortMessage {
  /// The message in a sequencer event; nil for an event without one. Numbers that are too large lose their upper
  /// bits; a pitch bend is limited to its range.
  init?(_ event: snd_seq_event_t) {
    let (note, control) = (event.data.note, event.data.control)
    let value = UInt32(bitPattern: control.value)
    let message: MIDIMessage
    switch snd_seq_event_type(UInt32(event.type)) {
    case SND_SEQ_EVENT_CONTROL14 where control.param < 32:
      message = .pair(UInt8(control.param), MIDIValue(value, bits: 14))
    case SND_SEQ_EVENT_NOTEON: message = .noteOn(note.note & 0x7F, sevenBits: note.velocity & 0x7F)
    case SND_SEQ_EVENT_NOTEOFF:
      message = .noteOff(note: note.note & 0x7F, velocity: MIDIValue(UInt32(note.velocity), bits: 7))
    case SND_SEQ_EVENT_KEYPRESS:
      message = .notePressure(note: note.note & 0x7F, MIDIValue(UInt32(note.velocity), bits: 7))
    // From 32 on, controllers have no second byte, and the kernel sends the value's lower seven bits to a cable.
    case SND_SEQ_EVENT_CONTROLLER, SND_SEQ_EVENT_CONTROL14:
      message = .controller(UInt8(control.param & 0x7F), MIDIValue(value, bits: 7))
    case SND_SEQ_EVENT_PGMCHANGE: message = .program(UInt8(value & 0x7F), bank: nil)
    case SND_SEQ_EVENT_CHANPRESS: message = .pressure(MIDIValue(value, bits: 7))
    case SND_SEQ_EVENT_PITCHBEND:
      message = .bend(MIDIValue(UInt32(max(-8192, min(control.value, 8191)) + 8192), bits: 14))
    case SND_SEQ_EVENT_REGPARAM:
      message = .parameter(
        UInt16(control.param & 0x3FFF), isRegistered: true, MIDIValue(value, bits: 14))
    case SND_SEQ_EVENT_NONREGPARAM:
      message = .parameter(
        UInt16(control.param & 0x3FFF), isRegistered: false, MIDIValue(value, bits: 14))
    case let other:
      self.init(system: other, value)
      return
    }
    // Both structures of the union begin with the channel.
    self = .channel(ChannelMessage(note.channel & 15, message))
  }

  /// A MIDI system message.
  private init?(system type: snd_seq_event_type, _ value: UInt32) {
    switch type {
    case SND_SEQ_EVENT_CLOCK: self = .clock(.tick)
    case SND_SEQ_EVENT_START: self = .clock(.start)
    case SND_SEQ_EVENT_CONTINUE: self = .clock(.resume)
    case SND_SEQ_EVENT_STOP: self = .clock(.stop)
    case SND_SEQ_EVENT_SONGPOS: self = .clock(.position(Int(value & 0x3FFF)))
    case SND_SEQ_EVENT_SENSING: self = .activeSensing
    case SND_SEQ_EVENT_SYSEX: self = .exclusive
    case SND_SEQ_EVENT_RESET: self = .channel(ChannelMessage(0, .reset))
    default: return nil
    }
  }
}
