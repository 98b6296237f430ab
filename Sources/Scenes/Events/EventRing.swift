import CRealtime

/// A ring of events for one producer and one consumer. A full ring drops events and counts them; it never waits.
///
/// A handle: copies refer to the same ring. Its memory lives as long as the process unless `deallocate` is called.
public struct EventRing: @unchecked Sendable {
  @usableFromInline let events: UnsafeMutablePointer<Event>
  // Counts of pushed, popped and dropped events, each written by one side, a cache line apart.
  @usableFromInline let cells: UnsafeMutablePointer<UInt64>
  @usableFromInline static var mask: UInt64 { @_noLocks @inlinable get { UInt64(Limits.ringEvents - 1) } }
  @usableFromInline static var line: Int { @_noLocks @inlinable get { 8 } }

  /// An empty ring for `Limits.ringEvents` events.
  public init() {
    events = .allocate(capacity: Limits.ringEvents)
    events.initialize(repeating: Event(frame: 0, kind: .panic), count: Limits.ringEvents)
    cells = .allocate(capacity: 3 * Self.line)
    cells.initialize(repeating: 0, count: 3 * Self.line)
  }

  /// Frees the memory; neither thread may use the ring any more.
  public func deallocate() {
    events.deallocate()
    cells.deallocate()
  }

  // MARK: - Producer only

  /// Appends an event. False when the ring is full; the event is then dropped and counted.
  @_noLocks @discardableResult
  public func push(_ event: Event) -> Bool {
    let pushed = rt_load(cells)
    if pushed &- rt_load(cells + Self.line) > Self.mask {
      _ = rt_add(cells + 2 * Self.line, 1)
      return false
    }
    events[Int(pushed & Self.mask)] = event
    rt_store(cells, pushed &+ 1)
    return true
  }

  // MARK: - Consumer only

  /// The oldest event, which stays in the ring; nil when the ring is empty.
  @_noLocks @inlinable
  public func peek() -> UnsafePointer<Event>? {
    let popped = rt_load(cells + Self.line)
    if popped == rt_load(cells) { return nil }
    return UnsafePointer(events + Int(popped & Self.mask))
  }

  /// Removes the event that `peek` returned.
  @_noLocks
  public func drop() {
    let popped = rt_load(cells + Self.line)
    if popped != rt_load(cells) { rt_store(cells + Self.line, popped &+ 1) }
  }

  /// Events removed since the start.
  public var taken: UInt64 { @_noLocks get { rt_load(cells + Self.line) } }
  /// Events appended since the start, without those that were dropped.
  public var given: UInt64 { @_noLocks get { rt_load(cells) } }

  // MARK: - Any thread

  /// Events dropped because the ring was full.
  public var dropped: UInt64 { @_noLocks @inlinable get { rt_load(cells + 2 * Self.line) } }
}

/// Decides when notes that a full ring may have left hanging can be released: only after all events that were in it
/// have been played, because a note on among these may have lost its note off.
public struct Overrun {
  @usableFromInline var seen: UInt64 = 0
  @usableFromInline var until: UInt64 = 0
  @usableFromInline var isDue = false

  /// No event has been dropped yet.
  @_noLocks
  public init() {}

  /// Checks whether the ring has dropped events. Called once per block.
  @_noLocks @inlinable
  public mutating func look(at ring: EventRing) {
    let dropped = ring.dropped
    if dropped == seen { return }
    (seen, until, isDue) = (dropped, ring.given, true)
  }

  /// True once, when all events that were in the ring at the loss have been played: its sources must then be
  /// released.
  @_noLocks
  public mutating func isOver(_ ring: EventRing) -> Bool {
    guard isDue, ring.taken >= until else { return false }
    isDue = false
    return true
  }
}
