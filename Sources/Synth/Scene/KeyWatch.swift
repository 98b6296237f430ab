import CRealtime

/// Whether the control thread waits to hear which key the player strikes: only then does the MIDI thread tell it of keys. A
/// value of a pointer.
public struct KeyWatch: @unchecked Sendable {
  private let cell: UnsafeMutablePointer<UInt64>

  /// Nobody waits.
  public init() {
    cell = .allocate(capacity: 1)
    cell.initialize(to: 0)
  }

  /// Frees the memory; nobody may use it any more.
  public func deallocate() { cell.deallocate() }

  /// True while keys are waited for. Any thread.
  public var isOn: Bool {
    get { rt_load(cell) != 0 }
    nonmutating set { rt_store(cell, newValue ? 1 : 0) }
  }
}
