import System

/// The lock of the surfaces on stage: while it is on, a touch can only do what a show needs. Keyboards, pedals and the
/// commands of the shell are not locked. It is never on at the start. Control thread.
public final class StageLock: Feature {
  private let writer: SceneWriter
  /// Whether surfaces are locked.
  public private(set) var isOn = false
  // When a button that unlocks was pressed; nil while none is held.
  private var pressedAt: Int64?

  /// How long a button must be held to unlock, nanoseconds: an elbow does not stay so long.
  static let hold: Int64 = 1_000_000_000

  init(_ writer: SceneWriter) { self.writer = writer }

  /// Locks or unlocks.
  public func set(_ isOn: Bool) {
    pressedAt = nil
    if isOn == self.isOn { return }
    self.isOn = isOn
    writer.changed(.lock)
  }

  /// A button was pressed or let go: a press locks at once, and unlocks after a second.
  /// - Parameter now: CLOCK_MONOTONIC.
  public func press(_ isDown: Bool, now: Int64) {
    if !isDown {
      pressedAt = nil
    } else if isOn {
      pressedAt = pressedAt ?? now
    } else {
      set(true)
    }
  }

  func update(_ now: Int64) -> Int64? {
    guard let pressedAt else { return nil }
    if now < pressedAt + StageLock.hold { return pressedAt + StageLock.hold }
    set(false)
    return nil
  }
}
