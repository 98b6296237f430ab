/// The pitches of the 128 keys: how far each lies from its place in equal temperament. Never changed once it is made, so
/// that audio reads it in place; whoever publishes a scene with it keeps it for as long as audio may look
/// (`ManagedScene.publish`). Any thread.
public final class KeyTuning: @unchecked Sendable {
  /// By key: octaves from equal temperament, no number for a key that has no pitch.
  let shifts: UnsafeMutablePointer<Float>

  /// Keys.
  static var count: Int { @_noLocks get { 128 } }

  /// Pitches farther from concert pitch are brought nearer, octaves: nothing beyond can be heard.
  private static let reach = 16.0

  /// A tuning of keys from 0 on, each octaves from concert pitch, nil for one that sounds nothing.
  public init(octaves: [Double?]) {
    shifts = .allocate(capacity: Self.count)
    shifts.initialize(repeating: .nan, count: Self.count)
    for (key, octaves) in octaves.prefix(Self.count).enumerated() {
      guard let octaves, octaves.isFinite else { continue }
      let inReach = max(-Self.reach, min(octaves, Self.reach))
      shifts[key] = Float(inReach - Double(key - 69) / 12)
    }
  }

  deinit { shifts.deallocate() }

  /// The pitch of a key 0…127 in semitones, 69 for concert pitch; nil when it sounds nothing.
  public subscript(key: Int) -> Float? {
    let shift = shifts[max(0, min(key, Self.count - 1))]
    return shift.isNaN ? nil : Float(key) + 12 * shift
  }
}
