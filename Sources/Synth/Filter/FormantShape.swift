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

/// One peak of the vowels a, e, i, o and u, in this order, as binary logarithms.
///
/// The vowels are those of a tenor in the formant tables of Csound's manual (appendix D), which have five peaks each. Here
/// one peak replaces the fourth and the fifth, because they are close together. Its frequency is the mean of their
/// frequencies, weighted by their levels; its power is the sum of their powers.
struct FormantVowels {
  /// Frequency in octaves above 1 Hz.
  let octaves: SIMD8<Float>
  /// Bandwidth over frequency.
  let widths: SIMD8<Float>
  /// Amplitude.
  let levels: SIMD8<Float>

  @_noLocks @inline(__always)
  private init(octaves: SIMD8<Float>, widths: SIMD8<Float>, levels: SIMD8<Float>) {
    (self.octaves, self.widths, self.levels) = (octaves, widths, levels)
  }

  /// 650, 400, 290, 400, 350 Hz.
  static var one: FormantVowels {
    @_noLocks @inline(__always) get {
      FormantVowels(
        octaves: SIMD8(9.3443, 8.6439, 8.1799, 8.6439, 8.4512, 0, 0, 0),
        widths: SIMD8(-3.0224, -2.5146, -2.8580, -3.3219, -3.1293, 0, 0, 0),
        levels: SIMD8(0.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0, 0, 0))
    }
  }

  /// 1,080, 1,700, 1,870, 800, 600 Hz.
  static var two: FormantVowels {
    @_noLocks @inline(__always) get {
      FormantVowels(
        octaves: SIMD8(10.0768, 10.7313, 10.8688, 9.6439, 9.2288, 0, 0, 0),
        widths: SIMD8(-3.5850, -4.4094, -4.3770, -3.3219, -3.3219, 0, 0, 0),
        levels: SIMD8(-0.9966, -2.3253, -2.4914, -1.6610, -3.3219, 0, 0, 0))
    }
  }

  /// 2,650, 2,600, 2,800, 2,600, 2,700 Hz.
  static var three: FormantVowels {
    @_noLocks @inline(__always) get {
      FormantVowels(
        octaves: SIMD8(11.3718, 11.3443, 11.4512, 11.3443, 11.3987, 0, 0, 0),
        widths: SIMD8(-4.4649, -4.7004, -4.8074, -4.7004, -4.7549, 0, 0, 0),
        levels: SIMD8(-1.1627, -1.9932, -2.9897, -1.9932, -2.8236, 0, 0, 0))
    }
  }

  /// 2,955, 3,322, 3,317, 2,832, 2,976 Hz.
  static var four: FormantVowels {
    @_noLocks @inline(__always) get {
      FormantVowels(
        octaves: SIMD8(11.5292, 11.6979, 11.6958, 11.4678, 11.5393, 0, 0, 0),
        widths: SIMD8(-4.4885, -4.7910, -4.7890, -4.5609, -4.6324, 0, 0, 0),
        levels: SIMD8(-1.3006, -2.1637, -3.2532, -1.9650, -2.2812, 0, 0, 0))
    }
  }

  /// Gains that give a saw of 110 Hz the RMS that it has without the filter, at a resonance of one half.
  static var gains: SIMD8<Float> {
    @_noLocks @inline(__always) get { SIMD8(2.6526, 2.3934, 2.5911, 2.9565, 2.3503, 0, 0, 0) }
  }

  /// The mean by the shares of the vowels.
  @_noLocks @inline(__always)
  static func between(_ x: SIMD8<Float>, _ vowels: FilterModes) -> Lanes {
    let first = multiplyAdd(vowels.band, Lanes(repeating: x[1]), vowels.low * x[0])
    let second = multiplyAdd(vowels.notch, Lanes(repeating: x[3]), vowels.high * x[2])
    return multiplyAdd(vowels.peak, Lanes(repeating: x[4]), first + second)
  }
}
