/// When keys were pressed and when each was heard, of a sound that is silent between two keys.
final class Onsets {
  /// How late keys were heard, microseconds.
  struct Latency: CustomStringConvertible {
    fileprivate(set) var count = 0
    fileprivate var sum = 0.0
    fileprivate(set) var least = Double.infinity
    fileprivate(set) var most = -Double.infinity
    var mean: Double { sum / Double(max(count, 1)) }
    var spread: Double { count == 0 ? 0 : most - least }

    var description: String {
      "\(count) keys heard after \(Int(mean.rounded())) us, \(Int((least - mean).rounded())) to "
        + "+\(Int((most - mean).rounded()))"
    }
  }

  /// Keys that were pressed and not heard before the next, and sounds without a key.
  private(set) var missing = 0
  private(set) var strange = 0

  private var latency = Latency()
  private var pending: Int64?
  // Frames of silence until now.
  private var silence = 0

  /// A key was pressed at a moment, nanoseconds.
  func pressed(_ moment: Int64) {
    if pending != nil { missing += 1 }
    pending = moment
  }

  /// Takes the next sample; true when a sound begins with it.
  func hears(_ sample: Float) -> Bool {
    if abs(sample) < 1e-5 {
      silence += 1
      return false
    }
    defer { silence = 0 }
    return silence > 1_000
  }

  /// A sound began at a moment, nanoseconds.
  func heard(_ moment: Double) {
    guard let key = pending else {
      strange += 1
      return
    }
    pending = nil
    let late = (moment - Double(key)) * 1e-3
    latency.count += 1
    latency.sum += late
    latency.least = min(latency.least, late)
    latency.most = max(latency.most, late)
  }

  /// How late keys were since the last call.
  func takeLatency() -> Latency {
    defer { latency = Latency() }
    return latency
  }
}
