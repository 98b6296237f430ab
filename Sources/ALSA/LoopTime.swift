import CRealtime
import System

/// The time that the audio loop goes by: the machine's, or a test's, which goes on only while the loop sleeps, so
/// that a minute is shown in a moment. Plain data.
struct LoopTime {
  /// A time of its own. It ends the loop when it comes to its end.
  struct Virtual {
    var now: Int64
    let end: Int64
    let stop: UnsafeMutablePointer<UInt64>
  }

  private let virtual: UnsafeMutablePointer<Virtual>?

  /// The machine's.
  static var real: LoopTime { LoopTime(virtual: nil) }

  /// That of a test, which keeps it for as long as the loop runs.
  init(virtual: UnsafeMutablePointer<Virtual>?) { self.virtual = virtual }

  /// Now, nanoseconds.
  var now: Int64 {
    if let virtual { return virtual.pointee.now }
    return monotonic()
  }

  /// Sleeps until `moment`.
  func sleep(until moment: Int64) {
    guard let virtual else { return System.sleep(until: moment) }
    virtual.pointee.now = max(virtual.pointee.now, moment)
    if moment >= virtual.pointee.end { rt_store(virtual.pointee.stop, 1) }
  }
}
