import Presets
import Synth

/// The preset that the sound of a part came from.
struct PresetOrigin: Equatable {
  /// The preset's slot; nil for a preset outside the banks, or for none.
  var slot: Slot?
  /// The preset's name; empty when there is none.
  var name = ""
  /// The sound as it is stored; nil when it is not.
  var stored: Patch?
  /// The preset was removed; its slot is empty or holds another.
  var isGone = false
  /// The part's sound differs from the stored one.
  var isEdited = false

  /// Whether both are one preset, whatever is stored in it.
  static func == (one: PresetOrigin, other: PresetOrigin) -> Bool {
    (one.slot, one.name, one.isGone) == (other.slot, other.name, other.isGone)
  }

  /// Follows presets that were moved to other slots.
  mutating func move(_ moves: [Slot: Slot]) { slot = slot.map { moves[$0] ?? $0 } }
}

/// The state of a part that undo brings back: its sound, and the preset that it came from.
struct PartState: Equatable {
  var patch: Patch
  var origin: PresetOrigin

  /// Whether both are the same sound to the bit, from the same preset.
  static func == (one: PartState, other: PartState) -> Bool {
    one.origin == other.origin && one.patch.isSame(as: other.patch)
  }
}

extension Patch {
  /// Whether both are the same to the bit. A patch is floats without gaps, so its bytes can be compared.
  func isSame(as other: Patch) -> Bool {
    withUnsafeBytes(of: self) { one in withUnsafeBytes(of: other) { other in one.elementsEqual(other) } }
  }
}
