/// The wavetables that are made by formulas or from figures, in the order of the choice `/osc/1/table`. New ones only at
/// the end, because banks of presets and tablets know choices by their numbers.
public enum FactoryWavetable: String, CaseIterable, Sendable {
  // Sums of harmonics.
  case basic, cutoff, parity, slope, comb, primes, drawbars, hollow
  // Formants.
  case tenor, soprano, formant, nasal
  // Phase modulation, named by the frequencies of carrier and modulator, and a sine that modulates itself.
  case fm11, fm12, fm23, fm17, feedback
  // Pulses and synchronized waves.
  case pulse, double, sync, grain
  // Waveshaped sines.
  case folded, driven, chebyshev
  // Inharmonic sounds, approximated by harmonics.
  case bell, noise, bands, bits, glass
  // Models.
  case glottal, pluck, random
  // Measured instruments, over the keys 30 to 90.
  case piano, organ, reed, harmonica, nylon, steel, jazz, overdriven, distorted, slap, cello, strings, mute
  case flute, panpipes, koto

  /// The number of frames of each that is made by a formula.
  public static let frames = 32

  /// The table for a number, which is clamped to the existing ones.
  public static func at(_ number: Int) -> FactoryWavetable {
    allCases[max(0, min(number, allCases.count - 1))]
  }
}
