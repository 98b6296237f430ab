import CRealtime

/// Faults that can be put on to see that they are noticed: for proofs, never for playing. A value of pointers.
public struct FaultInjection: @unchecked Sendable {
  private let cells: UnsafeMutablePointer<UInt64>

  /// No fault.
  public init() {
    cells = .allocate(capacity: 2)
    cells.initialize(repeating: 0, count: 2)
  }

  /// Frees the memory; nobody may use it any more.
  public func deallocate() { cells.deallocate() }

  /// True while the audio thread is to stand still. Any thread.
  public var isFrozen: Bool {
    get { rt_load(cells) != 0 }
    nonmutating set { rt_store(cells, newValue ? 1 : 0) }
  }

  /// How many times longer than needed each block is to take, 1…100. Any thread.
  public var slowness: Int {
    get { max(1, Int(rt_load(cells + 1))) }
    nonmutating set { rt_store(cells + 1, UInt64(max(1, min(newValue, 100)))) }
  }
}
