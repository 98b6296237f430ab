import Synth

/// Provides viewers with the output: its samples, for scopes and spectra, and the peaks of the parts and of the
/// outputs. The audio thread provides both only while there are viewers. Control thread.
public final class Monitor {
  private let link: Link
  private var viewers = 0

  /// The time that a viewer may need between two reads without losing samples, seconds.
  private static let seconds = 0.25

  /// A monitor without viewers of the output that `link` shares.
  package init(_ link: Link) { self.link = link }

  /// Whether there are viewers.
  public var isWatched: Bool { viewers > 0 }

  /// Adds a viewer, which sees the output from now on and until it is stopped or freed.
  public func start() -> MonitorViewer {
    viewers += 1
    link.watched.open(frames: Int(clamping: Self.seconds * Double(Limits.rates.upperBound)))
    link.peaks.isOn = true
    return MonitorViewer(link) { [weak self] in self?.removeViewer() }
  }

  private func removeViewer() {
    viewers -= 1
    if viewers > 0 { return }
    link.watched.close()
    link.peaks.isOn = false
  }
}
