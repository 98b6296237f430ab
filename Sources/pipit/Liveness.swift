import Control
import Synth

/// Tells systemd that the instrument is ready once audio runs, what it plays on, and that it is alive for as long
/// as frames advance: a process that lives and is silent is started anew. Control thread.
final class Liveness {
  private let systemd: Systemd
  private let health: Health
  private let meters: Meters
  private var isReady = false
  private var told = ""
  private var frames: UInt64 = 0
  private var signAt = Int64.min / 2

  init(_ systemd: Systemd, _ health: Health, _ meters: Meters) {
    (self.systemd, self.health, self.meters) = (systemd, health, meters)
  }

  /// Returns when it wants to be called again.
  func turn(_ now: Int64) -> Int64? {
    let frames = meters[.frames]
    if !isReady {
      // A block is at most a third of a second.
      if frames == 0 { return now + 5_000_000 }
      isReady = true
      systemd.tell("READY=1")
    }
    let status = health.waitsForCard() ? "Waiting for a sound card" : "Playing on \(health.playing())"
    if status != told {
      told = status
      systemd.tell("STATUS=\(status)")
    }
    guard let watchdog = systemd.watchdog else { return nil }
    // Looked at twice as often as a sign is due: time for a second one.
    if now - signAt >= watchdog / 2, frames != self.frames {
      systemd.tell("WATCHDOG=1")
      self.frames = frames
      signAt = now
    }
    return now + watchdog / 4
  }

  /// The instrument is about to end.
  func end() { systemd.tell("STOPPING=1") }
}
