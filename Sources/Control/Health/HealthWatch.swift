import Synth
import System

/// Reads health and meters at their own intervals, tells surfaces about changes, and posts notices about the number
/// of voices. Control thread.
final class HealthWatch {
  private let writer: SceneWriter
  private let health: Health
  private let notices: NoticeBoard
  // A reduced voice limit is logged once a minute at most, and its end only if its beginning was logged.
  private var loggedLimits = RateLimiter(burst: 1, perSecond: 1.0 / 60)
  private var logsLimit = false

  init(_ writer: SceneWriter, _ health: Health, _ notices: NoticeBoard) {
    (self.writer, self.health, self.notices) = (writer, health, notices)
  }

  /// Reads the health. Returns the time of the next call.
  func updateHealth(_ now: Int64) -> Int64? {
    // Frees old effects whose tails have ended, and those of an engine that started at another rate.
    writer.link.scene.service()
    let limit = health.limit
    if health.update(now, log: notices.log) { writer.changed(.health) }
    if health.limit < Limits.voices {
      // A machine that was interrupted for a moment is not too slow; interruptions may repeat.
      let why = health.load < 50 ? "the machine was held up" : "too much for this machine"
      if limit == Limits.voices { logsLimit = loggedLimits.take(now) }
      let words = limit == Limits.voices ? nil : notices[.voices]?.text.split(separator: ":").first
      notices.post(
        "\(words ?? why[...]): it plays \(health.limit) voices at most", about: .voices, .state,
        log: limit == Limits.voices && logsLimit ? nil : "")
    } else if limit < Limits.voices {
      notices.post("all \(Limits.voices) voices can play again", about: .voices, log: logsLimit ? nil : "")
    }
    return health.next
  }

  /// Reads the output meters. Returns the time of the next call.
  func updateLevels(_ now: Int64) -> Int64? {
    if health.levels.update(writer.link, now) { writer.changed(.levels) }
    return health.levels.next
  }
}
