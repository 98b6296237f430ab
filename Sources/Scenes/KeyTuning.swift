/// The pitches of the 128 keys, as distances from equal temperament. Immutable, so that the audio thread reads it in
/// place; the publisher of a scene keeps it alive for as long as the audio thread may read it (`ManagedScene.publish`).
/// Any thread.
public final class KeyTuning: @unchecked Sendable {
  /// Octaves from equal temperament, by key; NaN for a key without a pitch.
  public let shifts: UnsafeMutablePointer<Float>

  /// The number of keys.
  public static var count: Int { @_noLocks @inlinable get { 128 } }

  /// Pitches are limited to this distance from concert pitch, in octaves: nothing beyond is audible.
  private static let reach = 16.0

  /// A tuning of the keys from 0 on, each in octaves from concert pitch; nil for a key that is silent.
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

  /// The pitch of a key 0…127 in semitones, 69 for concert pitch; nil when the key is silent.
  public subscript(key: Int) -> Float? {
    let shift = shifts[max(0, min(key, Self.count - 1))]
    return shift.isNaN ? nil : Float(key) + 12 * shift
  }
}
