import Parameters
import Synth

/// How far the players' sound controllers, 71 to 79 of MIDI, move knobs away from what the sound of a part has: 64 not at
/// all, 0 and 127 to the ends of the knob. The sound stays what it is: it is not edited, and a recall brings another to
/// which the same is done. Whoever moved a knob last has it, until that device has gone.
public struct HandOffsets: Sendable {
  private struct Offset {
    let source: UInt8
    /// -1…1 of the way that is left to the end of the knob.
    let amount: Float
  }

  private var offsets: [Knob: Offset] = [:]

  /// The controllers that are taken so.
  public static let controllers = 71...79

  /// None.
  public init() {}

  /// A hand of `source` moves a knob to a `way` of 0…1, the middle of which is the sound's own value. False when that
  /// changes nothing.
  mutating func move(_ knob: Knob, to way: Float, source: UInt8) -> Bool {
    let amount = max(-1, min(2 * way - 1, 1))
    let before = offsets[knob]?.amount ?? 0
    offsets[knob] = amount == 0 ? nil : Offset(source: source, amount: amount)
    return amount != before
  }

  /// A device has gone, or begins anew; nil for all of them. False when it had moved nothing.
  mutating func release(_ source: UInt8?) -> Bool {
    let before = offsets.count
    offsets = source.map { gone in offsets.filter { $0.value.source != gone } } ?? [:]
    return offsets.count != before
  }

  /// A scene as it is to sound.
  func applied(to scene: Scene) -> Scene {
    var scene = scene
    for (knob, offset) in offsets {
      scene[knob] = Table.rows[knob.row].kind.value(scene[knob], leaning: offset.amount)
    }
    return scene
  }
}

extension Stage {
  /// The scene with what the players' hands do to it: what is to be published.
  public var heard: Scene { offsets.applied(to: scene) }

  /// Moves a sound controller of a source. False when the controller is none, or nothing has changed.
  public mutating func lean(controller: Int, way: Float, source: UInt8, channel: Int) -> Bool {
    guard HandOffsets.controllers.contains(controller) else { return false }
    var hasChanged = false
    for (knob, _) in knobs(controller: controller, way: way, channel: channel, source: source) {
      if offsets.move(knob, to: way, source: source) { hasChanged = true }
    }
    return hasChanged
  }

  /// A source begins anew or has gone: its programs mean what it says, and its sound controllers are back in their middle.
  /// True when one was not.
  public mutating func begin(_ event: Event) -> Bool {
    generalMIDI.remove(event.source)
    if event.kind == .setUp, event.note == 1 { generalMIDI.insert(event.source) }
    return release(source: event.source)
  }

  /// The sound controllers of a source are back in their middle; nil for those of all. True when one was not.
  public mutating func release(source: UInt8?) -> Bool { offsets.release(source) }
}
