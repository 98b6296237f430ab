import Parameters
import Scenes
import System

/// The arpeggiator of the part in focus as surfaces show it, and the button that clears it. It reads the figures of
/// the engine only while they are shown. Control thread.
public final class Arpeggios: Feature {
  private let writer: SceneWriter
  /// Whether a surface shows the figures.
  public var isWatched: () -> Bool = { false }
  /// The step that sounds, from 1 on; 0 while none is played.
  public private(set) var step = 0
  /// The number of keys in the arpeggio.
  public private(set) var keyCount = 0
  /// The number of keys that are up, and that a latch or a pedal holds.
  public private(set) var heldCount = 0

  /// The step of the sequence that sounds in the part in focus, from 0; nil while it plays none.
  public var sequenceStep: Int? {
    let mode = writer[ParameterID(row: Arpeggios.mode, part: writer.focus)]
    // In mode 2, a sequence beside the keys, `step` is that of the arpeggio while it has keys.
    return step > 0 && (mode == 1 || mode == 2 && keyCount == 0) ? step - 1 : nil
  }

  private static let mode = KeyRanges.row("/sequence/mode")
  // The time of the next reading. The loop runs a round for each message, and most need no reading.
  private var readAt: Int64 = 0

  /// The time between two readings, nanoseconds: while something plays, as often as values are sent, and otherwise.
  private static let often: Int64 = 33_000_000
  private static let seldom: Int64 = 100_000_000

  init(_ writer: SceneWriter) { self.writer = writer }

  /// Takes all keys out of the arpeggio of a part.
  public func clear(part: Int, at moment: Int64) {
    writer.link.control.push(
      Event(
        frame: writer.link.clock.frame(at: moment), kind: .clearArp, source: UInt8(Limits.songSource),
        target: Event.part(part)))
  }

  func update(_ now: Int64) -> Int64? {
    if writer.link.clock.rate == 0 || !isWatched() { return nil }
    if now < readAt { return readAt }
    let (arps, part) = (writer.link.arps, writer.focus)
    let shown = (Int(arps[part, .at]), Int(arps[part, .keys]), Int(arps[part, .held]))
    if shown != (step, keyCount, heldCount) {
      (step, keyCount, heldCount) = shown
      writer.changed(.beat)
    }
    readAt = now + (step > 0 || keyCount > 0 ? Arpeggios.often : Arpeggios.seldom)
    return readAt
  }
}
