import MIDI

/// Finds the loop of a song, as games and their composers mark it: by the texts or markers `loopStart` and `loopEnd`, by
/// controllers 116 and 117, or by a single controller 111, which is a start (RPG Maker).
struct LoopPoints {
  // Beats.
  private var (start, end): (Double?, Double?) = (nil, nil)
  // The first controller 111, and how many there are: more of them move something.
  private var (single, singles): (Double, Int) = (0, 0)

  /// Reads a piece of the song at a beat.
  mutating func pass(_ content: Track.Item.Content, at beat: Double) {
    switch content {
    case .loop(isStart: true): start = start ?? beat
    case .loop(isStart: false): end = end ?? beat
    case .message(let played):
      switch played.message {
      case .controller(111, _):
        if singles == 0 { single = beat }
        singles += 1
      case .controller(116, _): start = start ?? beat
      case .controller(117, _): end = end ?? beat
      default: break
      }
    case .exclusive, .meter, .text: break
    }
  }

  /// The loop in beats, in a song of a length; nil without one.
  func range(length: Double) -> Range<Double>? {
    let start = start ?? (singles == 1 ? single : nil)
    if start == nil, end == nil { return nil }
    let (first, last) = (start ?? 0, min(end ?? length, length))
    return first < last ? first..<last : nil
  }
}
