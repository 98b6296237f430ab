/// The stages of an envelope, each of which has a curve in `EnvelopeCurves`.
enum EnvelopeStage {
  static var attack: Int { @_noLocks get { 0 } }
  static var decay: Int { @_noLocks get { 1 } }
  static var release: Int { @_noLocks get { 2 } }
  /// A fade of 4 ms, of a voice that was stolen.
  static var fade: Int { @_noLocks get { 3 } }
  /// The wait before the attack, and the wait at its top.
  static var delay: Int { @_noLocks get { 4 } }
  static var hold: Int { @_noLocks get { 5 } }
  /// The stage after a decay that has an end.
  static var sustain: Int { @_noLocks get { 6 } }
  /// A fade of 20 ms, when no note waits for the lane.
  static var slowFade: Int { @_noLocks get { 7 } }
}
