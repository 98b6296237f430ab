import Parameters
import Synth

/// The knobs in which the sound of a part differs from its stored preset. A recall compares whole sounds, but a moved
/// knob only its own value, so that the cost of a message from a fader does not depend on the number of knobs.
struct PatchDifference {
  // The bits of each float of the stored patch, which has no padding, and whether the sound of the part differs in
  // it.
  private let stored: [UInt32]
  private var differs: [Bool]
  private var count = 0

  /// The difference between two sounds; none if `stored` is nil.
  init(_ patch: Patch, from stored: Patch?) {
    self.stored = stored?.words ?? []
    differs = zip(self.stored, patch.words).map { $0 != $1 }
    count = differs.count { $0 }
  }

  /// Whether the sounds are bit-identical, or there is no stored sound.
  var isEmpty: Bool { count == 0 }

  /// Compares a knob of the sound again, which has changed to `value`.
  mutating func update(_ knob: ParameterID, _ value: Float) {
    if stored.isEmpty { return }
    let word = Table.rows[knob.row].field.offset / MemoryLayout<UInt32>.size
    let isDifferent = stored[word] != value.bitPattern
    if differs[word] == isDifferent { return }
    differs[word] = isDifferent
    count += isDifferent ? 1 : -1
  }
}

extension Patch {
  /// The floats of the patch, as bits.
  fileprivate var words: [UInt32] { withUnsafeBytes(of: self) { Array($0.bindMemory(to: UInt32.self)) } }
}
