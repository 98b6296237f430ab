import CRealtime

/// A request of the control thread for the test tone. A handle: copies refer to the same request.
public struct ToneRequest: @unchecked Sendable {
  private let cell: UnsafeMutablePointer<UInt64>

  /// No request.
  public init() {
    cell = .allocate(capacity: 1)
    cell.initialize(to: 0)
  }

  /// Frees the memory; no thread may use the value any more.
  public func deallocate() { cell.deallocate() }

  /// Requests a tone of two seconds, -30 dBFS, on the first pair of outputs, from the next block on. Any thread.
  public func ask() { rt_store(cell, 1) }

  /// Removes a request. True if there was one.
  @_noLocks
  func take() -> Bool { rt_load(cell) != 0 && rt_exchange(cell, 0) != 0 }
}
