import Scenes

/// How one voice of a vintage synthesizer differs from the others. Such a synthesizer has a circuit board for each voice,
/// no two of which are alike, and notes take the boards in turn.
///
/// Each of the sixteen cards has a fixed position -1…1 in the spread of tune, cutoff and envelope times. All sixteen positions
/// occur once in each spread, so that their mean is 0, and the three orders correlate by less than 0.06.
struct VoiceCard {
  /// The card's positions, as the sources of the routes.
  let tune: Float
  let cutoff: Float
  let speed: Float

  /// The spread to either side at a `vintage` of 1: octaves of pitch (20 cents), of cutoff, and of the speed of envelopes.
  static var tune: Float { @_noLocks get { 20.0 / 1200 } }
  static var cutoff: Float { @_noLocks get { 0.5 } }
  static var speed: Float { @_noLocks get { 0.5 } }

  /// The card of a note, from its number among all notes.
  @_noLocks
  init(_ order: UInt64) {
    let number = Int32(truncatingIfNeeded: order)
    tune = Self.position(number &* 5 &+ 3)
    cutoff = Self.position(number &* 3 &+ 2)
    speed = Self.position(number &* 7 &+ 10)
  }

  @_noLocks
  private static func position(_ number: Int32) -> Float { Float(number & 15) * (2 / 15) - 1 }
}

extension ModulationSource {
  /// The random number of a note, from its number among all notes; -1…1.
  @_noLocks
  static func random(_ order: UInt64) -> Float {
    noise(mixed(LaneWords(repeating: UInt32(truncatingIfNeeded: order))))[0]
  }
}
