import Synth

/// Finds the onset of a note in a recording from a card's input, independent of gain and polarity.
struct NoteOnset {
  /// Seconds of the note that are examined.
  static let length = 0.02

  /// Frames from the beginning of the note until it reaches `share` of its peak.
  let rise: Int
  /// The share of the peak that marks the onset: well above the noise and early in the note.
  private static let share: Float = 0.3

  /// Measures the rise of a note as the engine renders it.
  init(of sound: [Float]) { rise = Self.crossing(sound[...], after: 0) ?? 0 }

  /// The frame of `samples` at which the note begins; nil if no sample exceeds four times `noise`, the peak of the
  /// silence before the note.
  func frame(in samples: ArraySlice<Float>, noise: Float) -> Int? {
    Self.crossing(samples, after: noise * 4).map { $0 - rise }
  }

  private static func crossing(_ samples: ArraySlice<Float>, after least: Float) -> Int? {
    let peak = samples.reduce(0) { max($0, abs($1)) }
    let threshold = max(peak * share, least)
    if peak < 0.001 || peak < threshold { return nil }
    return samples.firstIndex { abs($0) >= threshold }
  }
}
