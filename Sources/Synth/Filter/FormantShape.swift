/// Settings of a formant filter in eight voices, except the cutoff: computed from the knobs when one moves.
///
/// The shares of the filter modes are those of the vowels a, e, i, o, u. Between two vowels, frequencies and
/// bandwidths move in octaves, and levels in decibels.
struct FormantShape {
  var one = Peak()
  var two = Peak()
  var three = Peak()
  var four = Peak()

  /// A peak: its frequency in Hz, its bandwidth as a share of that, and its level. The levels of neighbours have
  /// opposite signs: between two peaks, their phases differ by half a period, and they would otherwise cancel.
  struct Peak {
    var hertz = Lanes(repeating: 1_000)
    var width = Lanes(repeating: 1)
    var height = Lanes.zero

    @_noLocks init() {}

    @_noLocks @inline(__always)
    init(_ vowels: FormantVowels, _ modes: FilterModes, wider: Lanes, louder: Lanes, sign: Float) {
      hertz = exp2(FormantVowels.between(vowels.octaves, modes))
      width = exp2(FormantVowels.between(vowels.widths, modes) + wider)
      height = sign * exp2(FormantVowels.between(vowels.levels, modes) + louder)
    }
  }

  @_noLocks init() {}

  /// - Parameters:
  ///   - resonance: 0…1; all peaks are twice as wide as the table says at 0, and half as wide at 1.
  ///   - modes: the share of each vowel.
  @_noLocks
  init(resonance: Lanes, modes: FilterModes) {
    let wider = 1 - 2 * smaller(larger(resonance, Lanes.zero), Lanes(repeating: 1))
    let louder = multiplySubtract(
      wider, Lanes(repeating: Self.powerOfWidth), from: FormantVowels.between(FormantVowels.gains, modes))
    one = Peak(.one, modes, wider: wider, louder: louder, sign: 1)
    two = Peak(.two, modes, wider: wider, louder: louder, sign: -1)
    three = Peak(.three, modes, wider: wider, louder: louder, sign: 1)
    four = Peak(.four, modes, wider: wider, louder: louder, sign: -1)
  }

  /// How much louder wider peaks are: the exponent of the width that keeps the RMS of a 110 Hz saw over the resonance
  /// within 2 dB.
  private static var powerOfWidth: Float { @_noLocks get { 0.65 } }

  /// The octaves by which a cutoff, in octaves above 1 Hz, moves the peaks: none in the middle of its knob, one up or
  /// down at the ends.
  @_noLocks @inline(__always)
  static func shift(_ cutoff: Lanes) -> Lanes {
    let one = Lanes(repeating: 1)
    return smaller(larger((cutoff - middle) * (1 / reach), -one), one)
  }

  /// The middle between 20 Hz and 20 kHz in octaves above 1 Hz, and its distance to the ends.
  private static var middle: Float { @_noLocks get { 9.304820 } }
  private static var reach: Float { @_noLocks get { 4.982892 } }
}
