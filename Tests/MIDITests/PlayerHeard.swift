import EngineHarness
import Glibc

/// What is heard of a player on which each note is one sine, when what was moved has arrived.
extension Player {
  /// Semitones from A 440 of the one note that sounds.
  func heard() -> Double {
    play(7_200)
    left = []
    play(4_800)
    return 12 * Glibc.log2(left.pitch(rate: 48_000) / 440)
  }

  /// How far the notes that sound together are from where they are expected, semitones from A 440: the most, in cents.
  func error(of chord: [Double]) -> Double {
    play(7_200)
    left = []
    play(16_384)
    let spectrum = Spectrum(left, size: 16_384)
    return chord.map { semitones in
      let hertz = 440 * exp2(semitones / 12)
      return abs(1_200 * Glibc.log2(spectrum.peak(near: hertz) / hertz))
    }.max() ?? .infinity
  }

  /// The voices that sound, some time after now.
  var voicesLater: Int {
    play(4_800)
    return voices
  }
}
