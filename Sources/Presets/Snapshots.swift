import Parameters
import Scenes
import Storage

/// A snapshot of a preset: another state of its sound, with a name.
public struct Snapshot: Sendable {
  /// The name, at most `Document.nameBytes` long; empty for none.
  public var name: String
  /// The whole sound. The text of a preset holds only what differs from the sound of the preset.
  public var patch: Patch

  /// A snapshot of a sound. A name that cannot be read becomes empty.
  public init(_ patch: Patch, name: String = "") {
    (self.patch, self.name) = (patch, Document.name(name) ?? "")
  }

  /// The name in quotes as in the text of a preset, for people.
  public var title: String { "\"\(name)\"" }
}

extension Snapshot: Equatable {
  /// Whether both have the same name and bit-identical sounds.
  public static func == (one: Snapshot, other: Snapshot) -> Bool {
    one.name == other.name && one.patch.isSame(as: other.patch)
  }
}

/// The snapshots A to H of a preset, by their indices 0…7.
public struct Snapshots: Sendable, Equatable {
  // Empty while there are none: most presets have none.
  private var stored: [Snapshot?] = []

  /// No snapshots.
  public init() {}

  /// Whether there are none.
  public var isEmpty: Bool { stored.isEmpty }

  /// The snapshot at an index, 0…7; nil if it is empty. Other indices are empty.
  public subscript(index: Int) -> Snapshot? {
    get { stored.indices.contains(index) ? stored[index] : nil }
    set {
      guard (0..<Limits.snapshots).contains(index) else { return }
      if stored.isEmpty { stored = Array(repeating: nil, count: Limits.snapshots) }
      stored[index] = newValue
      if stored.allSatisfy({ $0 == nil }) { stored = [] }
    }
  }

  /// The indices of those that are not empty.
  public var filled: [Int] { stored.indices.filter { stored[$0] != nil } }

  /// Changes each of them.
  mutating func change(_ change: (inout Snapshot) -> Void) {
    for index in filled {
      guard var snapshot = stored[index] else { continue }
      change(&snapshot)
      stored[index] = snapshot
    }
  }
}

/// The sound of a part as a preset holds it: the sound and its snapshots.
public struct PartSound: Sendable, Equatable {
  /// The sound.
  public var patch: Patch
  /// Its snapshots.
  public var snapshots: Snapshots

  /// A sound with snapshots.
  public init(patch: Patch = .initial, snapshots: Snapshots = Snapshots()) {
    (self.patch, self.snapshots) = (patch, snapshots)
  }

  /// Whether both are bit-identical.
  public static func == (one: PartSound, other: PartSound) -> Bool {
    one.snapshots == other.snapshots && one.patch.isSame(as: other.patch)
  }
}

extension Patch {
  /// Whether both patches are bit-identical. A patch consists of floats without padding, so its bytes can be
  /// compared.
  package func isSame(as other: Patch) -> Bool {
    withUnsafeBytes(of: self) { one in withUnsafeBytes(of: other) { other in one.elementsEqual(other) } }
  }
}
