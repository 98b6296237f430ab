import CRealtime

/// A single-producer, single-consumer ring of events. A full ring drops and counts; it never waits.
///
/// A value of pointers: copies are the same ring. `EventRing.init` allocates for the life of the process
/// unless `deallocate` is called.
public struct EventRing: @unchecked Sendable {
  private let events: UnsafeMutablePointer<Event>
  // Written by one side each, a cache line apart: pushed, popped, dropped.
  private let cells: UnsafeMutablePointer<UInt64>
  private let mask = UInt64(Limits.ringEvents - 1)
  private static var line: Int { @_noLocks get { 8 } }

  /// An empty ring of `Limits.ringEvents`.
  public init() {
    events = .allocate(capacity: Limits.ringEvents)
    events.initialize(repeating: Event(frame: 0, kind: .panic), count: Limits.ringEvents)
    cells = .allocate(capacity: 3 * Self.line)
    cells.initialize(repeating: 0, count: 3 * Self.line)
  }

  /// Frees the memory; neither side may use the ring any more.
  public func deallocate() {
    events.deallocate()
    cells.deallocate()
  }

  // MARK: - Producer only

  /// Appends an event; false (and counted) when the ring is full.
  @_noLocks @discardableResult
  public func push(_ event: Event) -> Bool {
    let pushed = rt_load(cells)
    if pushed &- rt_load(cells + Self.line) > mask {
      _ = rt_add(cells + 2 * Self.line, 1)
      return false
    }
    events[Int(pushed & mask)] = event
    rt_store(cells, pushed &+ 1)
    return true
  }

  // MARK: - Consumer only

  /// The oldest event, left where it is; nil when there is none.
  @_noLocks
  public func peek() -> UnsafePointer<Event>? {
    let popped = rt_load(cells + Self.line)
    if popped == rt_load(cells) { return nil }
    return UnsafePointer(events + Int(popped & mask))
  }

  /// Takes the event that `peek` showed.
  @_noLocks
  public func drop() {
    let popped = rt_load(cells + Self.line)
    if popped != rt_load(cells) { rt_store(cells + Self.line, popped &+ 1) }
  }

  /// How many events have been taken since the start.
  public var taken: UInt64 { @_noLocks get { rt_load(cells + Self.line) } }
  /// How many have been put in, those that were dropped not counted.
  public var given: UInt64 { @_noLocks get { rt_load(cells) } }

  // MARK: - Any thread

  /// How many events found the ring full.
  public var dropped: UInt64 { @_noLocks get { rt_load(cells + 2 * Self.line) } }
}
