import CRealtime

/// Faults that tests inject to prove that they are noticed; never used when playing. A handle: copies refer to the
/// same faults.
public struct FaultInjection: @unchecked Sendable {
  private let cells: UnsafeMutablePointer<UInt64>

  /// No fault.
  public init() {
    cells = .allocate(capacity: 2)
    cells.initialize(repeating: 0, count: 2)
  }

  /// Frees the memory; no thread may use the value any more.
  public func deallocate() { cells.deallocate() }

  /// True while the audio thread has to stand still. Any thread.
  public var isFrozen: Bool {
    get { rt_load(cells) != 0 }
    nonmutating set { rt_store(cells, newValue ? 1 : 0) }
  }

  /// Factor by which each block takes longer than it needs, 1…100. Any thread.
  public var slowness: Int {
    get { max(1, Int(rt_load(cells + 1))) }
    nonmutating set { rt_store(cells + 1, UInt64(max(1, min(newValue, 100)))) }
  }
}
