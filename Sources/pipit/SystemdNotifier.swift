import Control
import Synth

/// Notifies systemd: READY once audio runs, STATUS with the current card, and WATCHDOG while frames advance, so that
/// systemd restarts a process that no longer renders. Control thread.
final class SystemdNotifier {
  private let socket: NotifySocket
  private let health: Health
  private let meters: Meters
  private var isReady = false
  private var lastStatus = ""
  private var frames: UInt64 = 0
  private var notifiedAt = Int64.min / 2

  init(_ socket: NotifySocket, _ health: Health, _ meters: Meters) {
    (self.socket, self.health, self.meters) = (socket, health, meters)
  }

  /// Sends due notifications. Returns the time of the next call, nanoseconds.
  func update(_ now: Int64) -> Int64? {
    let frames = meters[.frames]
    if !isReady {
      // The first block takes at most a third of a second.
      if frames == 0 { return now + 5_000_000 }
      isReady = true
      socket.send("READY=1")
    }
    let status = health.waitsForCard() ? "Waiting for a sound card" : "Playing on \(health.playing())"
    if status != lastStatus {
      lastStatus = status
      socket.send("STATUS=\(status)")
    }
    guard let watchdog = socket.watchdog else { return nil }
    // Checked twice as often as a notification is due, so that a failed one is followed by another in time.
    if now - notifiedAt >= watchdog / 2, frames != self.frames {
      socket.send("WATCHDOG=1")
      self.frames = frames
      notifiedAt = now
    }
    return now + watchdog / 4
  }

  /// Sends STOPPING.
  func stop() { socket.send("STOPPING=1") }
}
