import Parameters
import Synth

/// A controller that changes the sounds of a part without moving a knob, for as long as its device is connected.
enum SoundController: Hashable {
  /// Controller 91: 64 leaves the reverb of the sound as it is, 127 doubles it, 0 turns it off.
  case reverb
  /// Controller 93: the same for the chorus.
  case chorus
  /// Controller 92: adds up to 6 dB of tremolo.
  case tremolo
  /// RPN 5: the vibrato of the full modulation wheel, semitones.
  case vibrato

  /// The sound controller with the number of a MIDI controller; nil for others.
  init?(_ controller: Int) {
    switch controller {
    case 91: self = .reverb
    case 92: self = .tremolo
    case 93: self = .chorus
    default: return nil
    }
  }

  /// Whether the value 0…1 of its controller changes nothing.
  func isNeutral(_ value: Float) -> Bool {
    switch self {
    case .reverb, .chorus: value == 0.5
    case .tremolo: value == 0
    case .vibrato: false
    }
  }

  /// Applies its value, 0…1 or semitones, to a sound.
  func apply(_ value: Float, to patch: inout Patch) {
    switch self {
    case .reverb:
      if patch.effects.reverb.on >= 0.5, patch.effects.reverb.mix > 0 {
        patch.effects.reverb.mix = Self.scaled(patch.effects.reverb.mix, by: 2 * value)
      } else if value > 0.5 {
        patch.effects.reverb.beginGently(2 * value - 1)
      }
    case .chorus:
      if patch.effects.chorus.on >= 0.5, patch.effects.chorus.mix > 0 {
        patch.effects.chorus.mix = Self.scaled(patch.effects.chorus.mix, by: 2 * value)
      } else if value > 0.5 {
        patch.effects.chorus.beginGently(2 * value - 1)
      }
    case .tremolo: patch.lfo.level += value * max(0, Self.deepestTremolo - patch.lfo.level)
    case .vibrato: patch.lfo.wheel = 100 * max(0, min(value, 12))
    }
  }

  /// A mix times a factor. A raised mix stops at a half, where both are at full level, so that it does not lower the
  /// dry sound.
  private static func scaled(_ mix: Float, by factor: Float) -> Float {
    factor <= 1 ? mix * factor : max(mix, min(mix * factor, 0.5))
  }

  /// The depth at which the level moves between 1 and a half.
  private static let deepestTremolo: Float = 0.5
}

extension ReverbKnobs {
  /// Sets the reverb of General MIDI 2 (a large hall of 1.8 s) for a sound without one, with a share of its mix.
  fileprivate mutating func beginGently(_ share: Float) {
    (on, preDelay, size, decay) = (1, 0.02, 0.85, 1.8)
    (low, high, modulation, width, freeze, mix) = (1, 0.5, 0.5, 1, 0, 0.2 * share)
  }
}

extension ChorusKnobs {
  /// Sets a slow chorus for a sound without one, with a share of its mix.
  fileprivate mutating func beginGently(_ share: Float) {
    (on, mode, rate, depth, mix) = (1, 0, 1, 0.7, 0.3 * share)
  }
}
