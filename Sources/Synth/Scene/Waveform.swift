/// The waveforms of an oscillator, in the order of the choice `/osc/1/wave`.
public enum Waveform: Int, CaseIterable, Sendable {
  case sine, triangle, saw, square, noise, trisaw

  /// The waveform's value as a knob holds it.
  public var choice: Float { @_noLocks get { Float(index) } }

  /// The number of waveforms.
  static var count: Int { @_noLocks get { Waveform.trisaw.index + 1 } }
}
