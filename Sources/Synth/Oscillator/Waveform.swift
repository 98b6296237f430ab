/// The waveforms of an oscillator, in the order of the choice `/osc/1/wave`.
public enum Waveform: Int, CaseIterable, Sendable {
  case sine, triangle, saw, square, noise

  /// The waveform's value as a knob holds it.
  public var choice: Float { @_noLocks get { Float(index) } }

  /// The waveform's index.
  // Computed as `ModulationTarget.index`.
  var index: Int { @_noLocks get { Int(unsafeBitCast(self, to: UInt8.self)) } }

  /// The number of waveforms.
  static var count: Int { @_noLocks get { Waveform.noise.index + 1 } }

  /// The waveform for a knob's value.
  @_noLocks
  static func at(_ choice: Float) -> Waveform {
    let index = choice > 0 ? min(Int(min(choice, 255)), count - 1) : 0
    return unsafeBitCast(UInt8(truncatingIfNeeded: index), to: Waveform.self)
  }
}
