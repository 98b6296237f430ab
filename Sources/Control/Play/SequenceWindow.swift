import Scenes

/// The sixteen steps of the sequence of the part in focus that surfaces show, one in each slot. All surfaces show the
/// same steps. Control thread.
public final class SequenceWindow {
  private let writer: SceneWriter
  /// The page of sixteen steps, 1…4.
  public private(set) var page = 1
  // The step that each hand moves, until the hand has rested.
  private var moved: [Hand: (step: Int, part: Int, until: Int64)] = [:]

  /// The number of slots.
  public static let slots = 16
  /// The number of pages.
  public static let pages = StepSequence.mostSteps / slots
  /// How long after its last message a hand still moves the same step, nanoseconds.
  private static let rest: Int64 = 300_000_000

  /// A control under a hand: the client, and the number of its address and its slot.
  public struct Hand: Hashable {
    let client: Int
    let address: Int
    let slot: Int

    public init(client: Int, address: Int, slot: Int) {
      (self.client, self.address, self.slot) = (client, address, slot)
    }
  }

  init(_ writer: SceneWriter) { self.writer = writer }

  /// The step in a slot 1…16, from 0.
  public func step(slot: Int) -> Int { (page - 1) * SequenceWindow.slots + slot - 1 }

  /// The step that a hand moves, and its part: the one in its slot, or the one that was there when the gesture began, if
  /// somebody else has turned the page or changed the focus since.
  /// - Parameter now: CLOCK_MONOTONIC.
  public func step(under hand: Hand, now: Int64) -> (step: Int, part: Int) {
    moved = moved.filter { now < $0.value.until }
    let (step, part) = moved[hand].map { ($0.step, $0.part) } ?? (step(slot: hand.slot), writer.focus)
    moved[hand] = (step, part, now + SequenceWindow.rest)
    return (step, part)
  }

  /// Ends the gestures of a client that has changed the steps in its slots.
  public func endGestures(of client: Int?) { moved = moved.filter { $0.key.client != client } }

  /// Turns to a page, 1…4; other numbers are clamped.
  /// - Parameter client: The client that turns it, whose hands then move the steps of this page.
  public func turn(to page: Int, by client: Int? = nil) {
    endGestures(of: client)
    let page = max(1, min(page, SequenceWindow.pages))
    if page == self.page { return }
    self.page = page
    writer.changed(.page)
    writer.changed(.beat)
  }
}
