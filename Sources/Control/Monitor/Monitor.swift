import Scenes
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

/// One viewer of the output, with its own position in the samples. Control thread.
public final class MonitorViewer {
  /// The channels that a viewer reads.
  public enum Channels: Sendable {
    /// The mean of left and right.
    case mono
    /// Left and right of each frame in turn.
    case stereo
  }

  /// Consecutive samples.
  public struct Samples: Sendable, Equatable {
    /// The samples; full scale is ±32,767.
    public var values: [Int16] = []
    /// The number of frames before these that were not read, because too many were waiting.
    public var skipped = 0
  }

  private let link: Link
  private var position: UInt64
  private var onStop: (() -> Void)?
  private var frames = [AudioRing.Frame](repeating: .zero, count: 1024)

  init(_ link: Link, onStop: @escaping () -> Void) {
    (self.link, self.onStop) = (link, onStop)
    position = link.watched.written
  }

  deinit { onStop?() }

  /// The sample rate in Hz; 0 while nothing plays.
  public var rate: Int { link.clock.rate }

  /// Ends viewing: later reads return nothing. Further calls have no effect.
  public func stop() {
    onStop?()
    onStop = nil
  }

  /// Reads the samples since the last call: the newest `limit` frames, if more are waiting.
  public func read(_ channels: Channels, limit: Int) -> Samples {
    var samples = Samples()
    if onStop == nil { return samples }
    let end = link.watched.written
    skip(to: end - min(end, UInt64(max(limit, 0))), &samples)
    while position < end {
      let wanted = min(frames.count, Int(end - position))
      let count = frames.withUnsafeMutableBufferPointer {
        link.watched.read(from: position, into: UnsafeMutableBufferPointer(rebasing: $0[..<wanted]))
      }
      guard let count, count > 0 else {
        // The samples were overwritten during the read, and those before the gap would not be consecutive.
        samples.skipped += samples.values.count / (channels == .mono ? 1 : 2)
        samples.values.removeAll()
        skip(to: max(link.watched.oldest, position + 1), &samples)
        continue
      }
      append(frames[..<count], channels, to: &samples.values)
      position += UInt64(count)
    }
    return samples
  }

  private func skip(to start: UInt64, _ samples: inout Samples) {
    if position >= start { return }
    samples.skipped += Int(start - position)
    position = start
  }

  private func append(_ frames: ArraySlice<AudioRing.Frame>, _ channels: Channels, to values: inout [Int16]) {
    for frame in frames {
      switch channels {
      case .mono: values.append(Self.sample((frame.x + frame.y) / 2))
      case .stereo:
        values.append(Self.sample(frame.x))
        values.append(Self.sample(frame.y))
      }
    }
  }

  private static func sample(_ value: Float) -> Int16 {
    Int16(clamping: (max(-1, min(value, 1)) * 32_767).rounded())
  }
}
