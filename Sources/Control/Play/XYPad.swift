import Synth
import System

/// A note of an XY pad, whose pitch and loudness follow a finger.
struct XYPadNote {
  let parts: [Int]
  let note: Int
}

extension Performance {
  /// Plays an XY pad: two octaves of pitch horizontally, loudness vertically. The first touch starts a note, which
  /// follows the finger without steps until it is lifted. It plays the given part, or the part in focus and the parts
  /// on its channel.
  /// - Parameters:
  ///   - x: 0…1, from the C below middle C to the C above it.
  ///   - y: 0…1, from silence to the loudness of a firmly struck key.
  ///   - source: The player, `Limits.surfaceSources` and up.
  ///   - moment: The intended time, CLOCK_MONOTONIC; nil for now.
  public func playXY(x: Float, y: Float, isTouched: Bool, source: Int, part: Int?, at moment: Int64? = nil) {
    let pitch = Performance.lowest + Performance.span * max(0, min(x, 1))
    // One time for all events, so that the note starts at the position of the finger.
    let frame = frame(of: moment)
    func hold(_ kind: Event.Kind, _ note: XYPadNote) {
      guard writer.keyUses.contains(.deferring) else { return }
      // On a channel of its own, so that a key of the same pitch is held separately.
      writer.heldKeys.take(
        Event(
          frame: 0, kind: kind, source: UInt8(clamping: source), target: .max,
          note: UInt8(clamping: note.note), value: Performance.firm))
    }
    func play(_ kind: Event.Kind, _ note: XYPadNote, _ value: Float) {
      for part in note.parts {
        writer.link.control.push(
          Event(
            frame: frame, kind: kind, source: UInt8(clamping: source), target: Event.part(part),
            note: UInt8(clamping: note.note), value: value))
      }
    }
    guard isTouched else {
      if let note = xyPadNotes.removeValue(forKey: source) {
        play(.noteOff, note, 0)
        hold(.noteOff, note)
      }
      return
    }
    let parts = part.map { [$0] } ?? writer.stage.companions(of: writer.focus)
    let note = xyPadNotes[source] ?? XYPadNote(parts: parts, note: Int(clamping: pitch.rounded()))
    if xyPadNotes.updateValue(note, forKey: source) == nil {
      play(.noteOn, note, Performance.firm)
      hold(.noteOn, note)
    }
    play(.notePitch, note, pitch - Float(note.note))
    play(.noteGain, note, max(0, min(y, 1)))
  }

  private static let lowest: Float = 48
  private static let span: Float = 24
  private static let firm: Float = 0.8
}
