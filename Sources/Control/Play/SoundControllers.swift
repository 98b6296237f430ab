import Parameters
import Scenes
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

/// The offsets that sound controllers, MIDI 71 to 79, add to knobs of a part's sound: 64 means no offset, 0 and 127
/// reach the ends of the knob. The sound itself is not edited, and a recalled sound gets the same offsets. An offset
/// belongs to the device that moved it last, and ends when that device is disconnected. The same is true of the
/// controllers of effects and vibrato, `SoundController`.
public struct ControllerOffsets: Sendable {
  private struct Offset {
    let source: UInt8
    /// -1…1, as a share of the distance to the end of the knob; or the value of a `SoundController`.
    let amount: Float
  }

  private struct PartController: Hashable {
    let part: Int
    let controller: SoundController
  }

  private var offsets: [ParameterID: Offset] = [:]
  private var sounds: [PartController: Offset] = [:]

  // The controllers that move offsets of knobs.
  private static let controllers = 71...79

  /// Whether a MIDI controller changes sounds without moving a knob.
  public static func moves(_ controller: Int) -> Bool {
    controllers.contains(controller) || SoundController(controller) != nil
  }

  /// No offsets.
  public init() {}

  /// Sets the offset of a knob to a normalized controller value, 0…1, where 0.5 means no offset. False if nothing has
  /// changed.
  mutating func move(_ knob: ParameterID, to normalized: Float, source: UInt8) -> Bool {
    let amount = max(-1, min(2 * normalized - 1, 1))
    let before = offsets[knob]?.amount ?? 0
    offsets[knob] = amount == 0 ? nil : Offset(source: source, amount: amount)
    return amount != before
  }

  /// Sets a controller of the sounds of a part. False if nothing has changed.
  mutating func move(_ controller: SoundController, part: Int, to value: Float, source: UInt8) -> Bool {
    let key = PartController(part: part, controller: controller)
    let before = sounds[key]?.amount
    sounds[key] = controller.isNeutral(value) ? nil : Offset(source: source, amount: value)
    return sounds[key]?.amount != before
  }

  /// Removes the offsets of a device that was disconnected or reset; nil for all devices. False if there were none.
  mutating func release(_ source: UInt8?) -> Bool {
    let before = offsets.count + sounds.count
    offsets = source.map { lost in offsets.filter { $0.value.source != lost } } ?? [:]
    sounds = source.map { lost in sounds.filter { $0.value.source != lost } } ?? [:]
    return offsets.count + sounds.count != before
  }

  /// Adds the offsets to a scene.
  func apply(to scene: inout Scene) {
    for (knob, offset) in offsets {
      scene[knob] = Table.rows[knob.row].kind.value(scene[knob], leaning: offset.amount)
    }
    for (key, offset) in sounds { key.controller.apply(offset.amount, to: &scene[key.part].patch) }
  }
}

extension Stage {
  /// Publishes the scene, to which it adds the controller offsets and the transposition of the show. The scene is
  /// copied once, into its new image.
  public func publish(to managed: ManagedScene) {
    let (offsets, tunings, transposed) = (offsets, tunings, transposedParts)
    let semitones = Float(transposition)
    read { scene in
      managed.publish(copying: scene, tunings: tunings.compactMap { $0 }) {
        offsets.apply(to: &$0)
        for part in transposed { $0[part].input.transpose += semitones }
      }
    }
  }

  /// The parts that the transposition of the show moves: all but those that play drums.
  private var transposedParts: [Int] {
    if transposition == 0 { return [] }
    let drums = drumParts
    return (0..<Limits.parts).filter { !drums.contains($0) }
  }

  /// Moves a sound controller of a source. False if it is not a sound controller, or nothing has changed.
  public mutating func offset(controller: Int, normalized: Float, source: UInt8, channel: Int) -> Bool {
    if let sound = SoundController(controller) {
      return move(sound, to: normalized, source: source, channel: channel)
    }
    guard ControllerOffsets.moves(controller) else { return false }
    var hasChanged = false
    for (knob, _) in knobs(controller: controller, normalized: normalized, channel: channel, source: source) {
      if offsets.move(knob, to: normalized, source: source) { hasChanged = true }
    }
    return hasChanged
  }

  /// Sets the vibrato of a source's full modulation wheel, RPN 5. False if nothing has changed.
  public mutating func move(vibrato: Event) -> Bool {
    move(.vibrato, to: vibrato.value, source: vibrato.source, channel: Int(vibrato.target))
  }

  private mutating func move(
    _ controller: SoundController, to value: Float, source: UInt8, channel: Int
  ) -> Bool {
    var hasChanged = false
    for part in parts(channel: channel, source: source) {
      if offsets.move(controller, part: part, to: value, source: source) { hasChanged = true }
    }
    return hasChanged
  }

  /// Resets a source that is set up or has ended: sets the order of its programs, and removes its offsets. True if
  /// there were offsets.
  public mutating func begin(_ event: Event) -> Bool {
    let isGeneralMIDI = event.kind == .setUp && event.note == 1
    drumChannels[event.source] = isGeneralMIDI ? 1 << UInt16(Limits.drumChannel) : nil
    return release(source: event.source)
  }

  /// Removes the offsets of a source; nil for all sources. True if there were any.
  public mutating func release(source: UInt8?) -> Bool { offsets.release(source) }
}
