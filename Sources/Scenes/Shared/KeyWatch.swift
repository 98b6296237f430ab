import CRealtime

/// Tells the MIDI thread whether the control thread waits for the player to strike a key: only then are keys passed
/// on to it. A handle: copies refer to the same watch.
public struct KeyWatch: @unchecked Sendable {
  private let cell: UnsafeMutablePointer<UInt64>

  /// A watch that is off.
  public init() {
    cell = .allocate(capacity: 1)
    cell.initialize(to: 0)
  }

  /// Frees the memory; no thread may use the value any more.
  public func deallocate() { cell.deallocate() }

  /// True while the control thread waits for a key. Any thread.
  public var isOn: Bool {
    get { rt_load(cell) != 0 }
    nonmutating set { rt_store(cell, newValue ? 1 : 0) }
  }
}
