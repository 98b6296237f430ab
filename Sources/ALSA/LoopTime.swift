import CALSA
import CRealtime
import System

/// The time of the audio loop: the machine's clock, or virtual time in a test, which advances only while the loop
/// sleeps or waits, so that a minute passes at once. Plain data.
struct LoopTime {
  /// Virtual time. The loop stops when it reaches `end`.
  struct Virtual {
    let now: UnsafeMutablePointer<Int64>
    var end: Int64
    var stop: UnsafeMutablePointer<UInt64>
    /// Called with the current time whenever the loop has waited.
    var passes: ((Int64) -> Void)?
  }

  private let virtual: UnsafeMutablePointer<Virtual>?

  /// The time of the machine.
  static var real: LoopTime { LoopTime(virtual: nil) }

  /// Virtual time of a test, which keeps the pointer valid while the loop runs.
  init(virtual: UnsafeMutablePointer<Virtual>?) { self.virtual = virtual }

  /// The current time in nanoseconds.
  var now: Int64 {
    if let virtual { return virtual.pointee.now.pointee }
    return monotonic()
  }

  /// Sleeps until `moment`, in nanoseconds.
  func sleep(until moment: Int64) {
    guard let virtual else { return System.sleep(until: moment) }
    virtual.pointee.now.pointee = max(virtual.pointee.now.pointee, moment)
    pass(virtual)
  }

  /// Waits until a card has space, `nanoseconds` at most. Returns the result of `snd_pcm_wait`: 1 for space, 0 for
  /// none, or an error.
  func wait(for card: OpaquePointer, nanoseconds: Int64) -> Int32 {
    guard let virtual else { return snd_pcm_wait(card, Int32(max(1, (nanoseconds + 999_999) / 1_000_000))) }
    // A test's card advances the time to the moment when it has space.
    let result = snd_pcm_wait(card, 0)
    if result == 0 { virtual.pointee.now.pointee += nanoseconds }
    pass(virtual)
    return result
  }

  private func pass(_ virtual: UnsafeMutablePointer<Virtual>) {
    virtual.pointee.passes?(virtual.pointee.now.pointee)
    if virtual.pointee.now.pointee >= virtual.pointee.end { rt_store(virtual.pointee.stop, 1) }
  }
}
