/// A message of a MIDI clock.
public enum ClockMessage: Sendable, Equatable {
  /// A pulse; 24 of them are a quarter note.
  case tick
  /// Start from the beginning.
  case start
  /// Continue from the current position.
  case resume
  case stop
  /// The song position, in sixteenths from the beginning, 0…16,383.
  case position(Int)

  /// The message for a status byte; nil for a byte that is not a clock message. `data` is the song position, lower
  /// half first.
  @_noLocks
  public init?(status: UInt8, _ lower: UInt8 = 0, _ upper: UInt8 = 0) {
    switch status {
    case 0xF2: self = .position(Int(lower & 127) | Int(upper & 127) << 7)
    case 0xF8: self = .tick
    case 0xFA: self = .start
    case 0xFB: self = .resume
    case 0xFC: self = .stop
    default: return nil
    }
  }
}
