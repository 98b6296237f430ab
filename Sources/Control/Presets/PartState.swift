import Glibc
import Presets
import Synth

/// The preset from which the sound of a part came.
struct PresetOrigin: Equatable {
  /// The slot of the preset; nil for a preset outside the banks, or if there is none.
  var slot: Slot?
  /// The name of the preset; empty if there is none.
  var name = ""
  /// The stored sound; nil if it is not stored.
  var stored: Patch?
  /// The stored snapshots.
  var storedSnapshots = Snapshots()
  /// Whether the preset was removed; its slot is then empty or holds another preset.
  var isRemoved = false

  /// Whether both are the same preset, whatever sound is stored in it.
  static func == (one: PresetOrigin, other: PresetOrigin) -> Bool {
    (one.slot, one.name, one.isRemoved) == (other.slot, other.name, other.isRemoved)
  }

  /// Follows presets that were moved to other slots.
  mutating func move(_ moves: [Slot: Slot]) { slot = slot.map { moves[$0] ?? $0 } }
}

/// The state of a part that undo restores: its sound and snapshots, and the preset from which they came.
struct PartState: Equatable {
  var patch: Patch
  var origin: PresetOrigin
  var snapshots = Snapshots()

  /// Whether both have bit-identical sounds from one preset.
  static func == (one: PartState, other: PartState) -> Bool {
    one.origin == other.origin && one.snapshots == other.snapshots && one.patch.isSame(as: other.patch)
  }
}

/// Whether two values that consist of floats without padding are bit-identical.
func areSame<Value>(_ one: Value, _ other: Value) -> Bool {
  withUnsafePointer(to: one) { one in
    withUnsafePointer(to: other) { memcmp(one, $0, MemoryLayout<Value>.size) == 0 }
  }
}
