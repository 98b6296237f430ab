import Synth

/// A channel message of a song. Data bytes are 0…127.
public enum Message: Equatable, Sendable {
  case noteOff(note: UInt8, velocity: UInt8)
  case noteOn(note: UInt8, velocity: UInt8)
  case notePressure(note: UInt8, value: UInt8)
  case controller(number: UInt8, value: UInt8)
  case program(UInt8)
  case pressure(UInt8)
  /// 0…16,383; the wheel rests at 8,192.
  case bend(Int16)

  /// Reads the data bytes that belong to `status`, 0x80…0xEF.
  init(status: UInt8, from cursor: inout Cursor) throws(SongError) {
    let first = try cursor.data()
    switch status & 0xF0 {
    case 0x80: self = .noteOff(note: first, velocity: try cursor.data())
    case 0x90: self = .noteOn(note: first, velocity: try cursor.data())
    case 0xA0: self = .notePressure(note: first, value: try cursor.data())
    case 0xB0: self = .controller(number: first, value: try cursor.data())
    case 0xC0: self = .program(first)
    case 0xD0: self = .pressure(first)
    default: self = .bend(Int16(first) | Int16(try cursor.data()) << 7)
    }
  }

  /// What the engine (or, for `controller` and `program`, the stage) is to do at `frame` when this comes from
  /// `source` on `channel` 0…15; nil for what pipit has no use for.
  public func event(frame: Int64, source: UInt8 = 0, channel: UInt8) -> Event? {
    func event(_ kind: Event.Kind, note: UInt8 = 0, _ value: Float = 0) -> Event {
      Event(frame: frame, kind: kind, source: source, target: channel, note: note, value: value)
    }
    switch self {
    case .noteOn(let note, 0): return event(.noteOff, note: note)
    case .noteOff(let note, let velocity): return event(.noteOff, note: note, Float(velocity) / 127)
    case .noteOn(let note, let velocity): return event(.noteOn, note: note, Float(velocity) / 127)
    case .notePressure: return nil
    case .pressure(let value): return event(.pressure, Float(value) / 127)
    case .program(let number): return event(.program, note: number)
    // Both ends are reached: there is one step less above the rest than below.
    case .bend(let value): return event(.bend, Float(value - 8192) / (value < 8192 ? 8192 : 8191))
    case .controller(let number, let value):
      let way = Float(value) / 127
      switch number {
      case 1: return event(.wheel, way)
      case 11: return event(.expression, way)
      // From 64 on a pedal is down, which is a little more than half.
      case 64: return event(.sustain, value >= 64 ? 1 : 0)
      case 120: return event(.allSoundOff)
      case 121: return event(.resetControllers)
      // Local control is a keyboard's own affair.
      case 122: return nil
      // The modes, omni and mono among them, end notes too, and are not switched to.
      case 123...127: return event(.allNotesOff)
      default: return event(.controller, note: number, way)
      }
    }
  }
}
