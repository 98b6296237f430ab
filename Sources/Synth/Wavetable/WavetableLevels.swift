/// The levels of a wavetable (mipmaps): the same frames with ever fewer harmonics, about two levels an octave. A
/// voice reads the one whose harmonics stay below 0.625 of the sample rate (30 kHz at 48 kHz), so that aliases lie
/// above 18 kHz.
enum WavetableLevels {
  /// Harmonics of the lowest level: up to 15 kHz at 29 Hz.
  static let mostHarmonics = 512

  /// Harmonics of each level.
  static let harmonics: [Int] = [
    512, 341, 256, 170, 128, 85, 64, 42, 32, 21, 16, 10, 8, 5, 4, 3, 2, 1,
  ]

  /// The number of levels.
  static var count: Int { @_noLocks get { 18 } }

  /// Samples of a period as a power of two: at least six for each harmonic, and at least 32. The cubic interpolation
  /// then adds images of -76 dB or less to a flat spectrum (computed from its kernel; at four samples -60 dB, at
  /// eight -81 dB), and attenuates the highest harmonic by 1.9 dB or less.
  static func bits(_ level: Int) -> Int {
    var bits = 5
    while 1 << bits < 6 * harmonics[level] { bits += 1 }
    return bits
  }

  /// Samples of a frame with those that the interpolation reads around it: one before and three after.
  static func stride(_ level: Int) -> Int { 1 << bits(level) + 4 }

  /// The largest phase increment at which a level is read, in half periods per sample.
  static func top(_ level: Int) -> Float { 1.25 / Float(harmonics[level]) }
}
