/// What can be heard of a waveform whose third harmonic lies above 18 kHz: its Fourier series cut off.
enum TwoHarmonicWave {
  /// A saw's first two harmonics, 2/π·sin(πs) - 1/π·sin(2πs), the second at a gain.
  @_noLocks @inline(__always)
  static func saw(_ p: Phases, _ second: Lanes) -> Lanes {
    let one = sinePi(numbers(p) * BandLimitedStep.unit)
    let two = sinePi(numbers(p &<< 1) * BandLimitedStep.unit)
    return 0.636619772 * one - 0.318309886 * second * two
  }

  /// A triangle's first, 8/π²·cos(πs).
  @_noLocks @inline(__always)
  static func triangle(_ p: Phases) -> Lanes {
    0.810569469 * sinePi(numbers(p &+ Phases(repeating: 0x4000_0000)) * BandLimitedStep.unit)
  }
}
