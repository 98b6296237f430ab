/// The audible harmonics of a waveform whose third harmonic lies above 18 kHz: its truncated Fourier series.
enum TwoHarmonicWave {
  /// The first two harmonics of a saw, 2/π·sin(πs) - 1/π·sin(2πs), the second times a gain.
  @_noLocks @inline(__always)
  static func saw(_ p: Phases, _ second: Lanes) -> Lanes {
    let one = sinePi(numbers(p) * BandLimitedStep.unit)
    let two = sinePi(numbers(p &<< 1) * BandLimitedStep.unit)
    return 0.636619772 * one - 0.318309886 * second * two
  }

  /// The first harmonic of a triangle, 8/π²·cos(πs).
  @_noLocks @inline(__always)
  static func triangle(_ p: Phases) -> Lanes {
    0.810569469 * sinePi(numbers(p &+ Phases(repeating: 0x4000_0000)) * BandLimitedStep.unit)
  }
}
