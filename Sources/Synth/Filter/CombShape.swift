/// Settings of a comb in eight voices, except its frequency: computed from the knobs when one moves.
struct CombShape {
  /// Time constant of the one-pole in the loop, in seconds.
  var dullness = Lanes.zero
  /// Decay of the sound in the loop: the number of times per second that its level halves.
  var halvings = Lanes(repeating: 1_000)
  /// 0 where the delayed sound is added, 1 where it is subtracted.
  var short = Lanes.zero

  @_noLocks init() {}

  /// - Parameters:
  ///   - resonance: 0…1: the sound in the loop falls by 60 dB in 20 ms to 10 s.
  ///   - modes: their shares; the higher the position of the mode's knob, 0…4, the more the treble is damped in the
  ///     loop.
  ///   - short: 0 where the delayed sound is added, which lifts all multiples of the frequency, 1 where it is
  ///     subtracted, which lifts the odd ones.
  @_noLocks
  init(resonance: Lanes, modes: FilterModes, short: Lanes) {
    let resonance = smaller(larger(resonance, Lanes.zero), Lanes(repeating: 1))
    let early = multiplyAdd(Lanes(repeating: 2), modes.high, modes.band)
    let position = 0.25 * (early + multiplyAdd(Lanes(repeating: 3), modes.notch, 4 * modes.peak))
    dullness = Self.dullest * (position * position)
    halvings = (Self.inSixty / Self.briefest) * exp2(-Self.doublings * resonance)
    self.short = short
  }

  /// The time constant at the end of the mode's knob: a low-pass at 800 Hz.
  private static var dullest: Float { @_noLocks get { 0.0002 } }
  /// Halvings in a fall of 60 dB.
  private static var inSixty: Float { @_noLocks get { 9.965784 } }
  /// The shortest decay by 60 dB in seconds, and how many times the knob doubles it.
  private static var briefest: Float { @_noLocks get { 0.02 } }
  private static var doublings: Float { @_noLocks get { 9 } }
}
