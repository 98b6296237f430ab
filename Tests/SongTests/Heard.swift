import Scenes
import Song

/// What is heard of a song: every note with its channel, its key, and when it begins and ends.
struct Heard: Equatable, CustomStringConvertible {
  /// As `1/60 0-0.5`: MIDI channel, key, seconds. A note that never ends ends `?`.
  private(set) var notes: [String] = []
  /// The frames of all events never fall.
  private(set) var isInOrder = true

  /// The notes as the engine is told to play them.
  init(_ song: Song) {
    let rate = 1_000.0
    var began: [Int: (place: Int, frame: Int64)] = [:]
    var last: Int64 = 0
    for event in song.events(rate: rate) {
      isInOrder = isInOrder && event.frame >= last
      last = event.frame
      guard event.kind == .noteOn || event.kind == .noteOff else { continue }
      let key = Int(event.target) << 8 | Int(event.note)
      if let (place, frame) = began.removeValue(forKey: key) {
        notes[place] += "\(Self.text(frame))-\(Self.text(event.frame))"
      }
      if event.kind == .noteOff { continue }
      began[key] = (notes.count, event.frame)
      notes.append("\(event.target + 1)/\(event.note) ")
    }
    for (place, frame) in began.values { notes[place] += "\(Self.text(frame))-?" }
  }

  /// True when every note ends.
  var allEnd: Bool { notes.allSatisfy { !$0.hasSuffix("?") } }

  var description: String { notes.joined(separator: ", ") }

  /// Milliseconds as seconds.
  private static func text(_ frame: Int64) -> String {
    let text = "\(Double(frame) / 1_000)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
