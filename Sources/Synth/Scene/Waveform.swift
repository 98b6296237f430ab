/// The waveforms of an oscillator, in the order of the choice `/osc/1/wave`.
public enum Waveform: Int, CaseIterable, Sendable {
  case sine, triangle, saw, square, noise, trisaw, wavetable

  /// The waveform's value as a knob holds it.
  public var choice: Float { @_noLocks get { Float(index) } }

  /// The number of waveforms.
  static var count: Int { @_noLocks get { Waveform.wavetable.index + 1 } }

  /// The waveforms that have, or may have, jumps or very steep edges, by index, one bit each.
  static var jumping: UInt8 {
    @_noLocks get {
      Waveform.saw.bit | Waveform.square.bit | Waveform.trisaw.bit | Waveform.wavetable.bit
    }
  }
  /// The waveforms that jump or have corners.
  static var cornered: UInt8 { @_noLocks get { Waveform.triangle.bit | jumping } }

  /// The bit of the waveform in a set of them.
  var bit: UInt8 { @_noLocks get { 1 &<< UInt8(truncatingIfNeeded: index) } }
}
