import Synth

/// Finds where a note begins in what a card's output has sent to its input, whatever became of its level and its sign
/// on the way.
struct NoteOnset {
  /// Seconds of a note that are looked at.
  static let length = 0.02

  /// Frames from the beginning of the note until it has reached `share` of its peak.
  let rise: Int
  /// So much of the peak counts as the beginning: well above the noise and early in the note.
  private static let share: Float = 0.3

  /// For a note of `sound`, as the engine renders it.
  init(of sound: [Float]) { rise = Self.crossing(sound[...], after: 0) ?? 0 }

  /// The frame of `samples` at which the note has begun; nil where nothing stands out of `noise`, the peak of the silence
  /// before it.
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
