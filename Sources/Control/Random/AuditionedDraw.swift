import Synth

/// Draws random sounds until one of them is audible. Pure, on a thread where it may take a second.
public struct AuditionedDraw: Sendable {
  private let draw: RandomDraw
  private let patch: Patch
  private let seed: UInt64
  private let keepsLevel: Bool
  private let audition: SoundAudition

  /// The maximum number of sounds that are drawn until one is audible.
  private static let attempts = 12

  /// Draws from `patch`, with the random numbers of a seed.
  /// - Parameters:
  ///   - isLow: Whether it is a bass, which is played by a low key.
  ///   - keepsLevel: Whether the level of the sound must stay as it is.
  public init(_ draw: RandomDraw, from patch: Patch, seed: UInt64, isLow: Bool, keepsLevel: Bool = false) {
    (self.draw, self.patch, self.seed) = (draw, patch, seed)
    (self.keepsLevel, audition) = (keepsLevel, SoundAudition(isLow: isLow))
  }

  /// The first audible sound, as loud as the one before unless its level is kept; nil if there was none. If the sound
  /// before is inaudible, the new one is as loud as factory presets.
  public func run() -> Patch? {
    var generator = SeededGenerator(seed: seed)
    let before = keepsLevel ? SoundAudition.loudness : audition.measure(patch).loudness
    let goal = before > SoundAudition.audible ? min(before, SoundAudition.loudest) : SoundAudition.loudness
    for _ in 0..<AuditionedDraw.attempts {
      let sound = draw.sound(from: patch, &generator)
      if keepsLevel {
        if audition.accepts(sound) { return sound }
      } else if let sound = audition.levelled(sound, to: goal) {
        return sound
      }
    }
    return nil
  }
}
