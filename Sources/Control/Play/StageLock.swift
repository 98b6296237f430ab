import System

/// The lock of the surfaces on stage: while it is on, touches reach only the controls that a show needs. Keyboards,
/// pedals and the commands of the shell are not locked. It is never on at the start. Control thread.
public final class StageLock: Feature {
  private let writer: SceneWriter
  /// Whether surfaces are locked.
  public private(set) var isOn = false
  // When the button that is down unlocks; nil if none is down, or its press has locked.
  private var unlocksAt: Int64?
  private var isDown = false
  // When the button was last pressed or released.
  private var touchedAt = Int64.min / 2

  /// How long a button must be held to unlock, nanoseconds: longer than an accidental touch.
  static let hold: Int64 = 1_000_000_000

  init(_ writer: SceneWriter) { self.writer = writer }

  /// Locks or unlocks.
  public func set(_ isOn: Bool) {
    unlocksAt = nil
    if isOn == self.isOn { return }
    self.isOn = isOn
    writer.changed(.lock)
  }

  /// Handles a press or a release of the button: a press locks at once, or unlocks when it was held for a second. A
  /// packet that the network has duplicated is not a press.
  /// - Parameter now: CLOCK_MONOTONIC.
  public func press(_ isDown: Bool, now: Int64) {
    defer { touchedAt = now }
    if !isDown {
      (self.isDown, unlocksAt) = (false, nil)
    } else if !self.isDown, now - touchedAt >= SceneWriter.pressInterval {
      self.isDown = true
      if isOn { unlocksAt = now + StageLock.hold } else { set(true) }
    }
  }

  func update(_ now: Int64) -> Int64? {
    guard let unlocksAt else { return nil }
    if now < unlocksAt { return unlocksAt }
    set(false)
    return nil
  }
}
