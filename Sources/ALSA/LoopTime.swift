import CALSA
import CRealtime
import System

/// The time that the audio loop goes by: the machine's, or a test's, which goes on only while the loop sleeps or
/// waits, so that a minute is shown in a moment. Plain data.
struct LoopTime {
  /// A time of its own. It ends the loop when it comes to its end.
  struct Virtual {
    let now: UnsafeMutablePointer<Int64>
    var end: Int64
    var stop: UnsafeMutablePointer<UInt64>
    /// What else happens as time passes; called with the present moment whenever the loop has waited.
    var passes: ((Int64) -> Void)?
  }

  private let virtual: UnsafeMutablePointer<Virtual>?

  /// The machine's.
  static var real: LoopTime { LoopTime(virtual: nil) }

  /// That of a test, which keeps it for as long as the loop runs.
  init(virtual: UnsafeMutablePointer<Virtual>?) { self.virtual = virtual }

  /// Now, nanoseconds.
  var now: Int64 {
    if let virtual { return virtual.pointee.now.pointee }
    return monotonic()
  }

  /// Sleeps until `moment`.
  func sleep(until moment: Int64) {
    guard let virtual else { return System.sleep(until: moment) }
    virtual.pointee.now.pointee = max(virtual.pointee.now.pointee, moment)
    pass(virtual)
  }

  /// Waits until a card has room, `nanoseconds` at most: as `snd_pcm_wait`, 1 for room, 0 for none, or an error.
  func wait(for card: OpaquePointer, nanoseconds: Int64) -> Int32 {
    guard let virtual else { return snd_pcm_wait(card, Int32(max(1, (nanoseconds + 999_999) / 1_000_000))) }
    // A card of a test moves the time to the moment when it has room.
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
