/// The wavetables of a sound, one for each oscillator.
struct SoundTables {
  var first = TableTurn()
  var second = TableTurn()
  var third = TableTurn()

  @_noLocks init() {}

  /// True while the voices change from one table to another.
  var isTurning: Bool { @_noLocks @inline(__always) get { first.ticks | second.ticks | third.ticks != 0 } }

  /// True if it has a table.
  var isAny: Bool { @_noLocks @inline(__always) get { first.now | second.now | third.now != 0 } }

  /// Changes to the tables of a part; an oscillator without one keeps its table. `atOnce` if no voice sounds.
  @_noLocks
  mutating func take(_ tables: PartTables, atOnce: Bool) {
    first.take(tables.first, atOnce: atOnce)
    second.take(tables.second, atOnce: atOnce)
    third.take(tables.third, atOnce: atOnce)
  }

  /// Advances by one control tick.
  @_noLocks @inline(never)
  mutating func advance() {
    first.advance()
    second.advance()
    third.advance()
  }

  /// Stops using all tables.
  @_noLocks
  mutating func release() {
    first.release()
    second.release()
    third.release()
  }
}

extension UnsafeMutablePointer where Pointee == SoundTables {
  /// The table of oscillator 0, 1 or 2, in place; a test verifies the memory layout.
  @_noLocks @inline(__always)
  func turn(_ oscillator: Int) -> UnsafePointer<TableTurn> {
    UnsafeRawPointer(self).assumingMemoryBound(to: TableTurn.self) + oscillator
  }
}

/// The wavetable of an oscillator, and the change to another one: for some ticks both are in use, while each voice
/// fades from the old to the new one. A further change waits for the end of the fade.
struct TableTurn {
  /// Addresses: the table that is read, the one before it while voices may still read that, and the one that follows;
  /// 0 for none.
  private(set) var now: UInt = 0
  private(set) var before: UInt = 0
  private var next: UInt = 0
  /// Raised with each change; the previous number is that of `before`.
  private(set) var version: UInt32 = 1
  /// Ticks until all voices have changed over.
  private(set) var ticks: Int32 = 0

  // Ticks of a change: two fades of `TableLanes`, since a change of level may come first, and the updates before and
  // between them.
  private static var turning: Int32 { @_noLocks get { 20 } }

  @_noLocks init() {}

  /// Changes to the table at an address; 0 keeps the current one.
  @_noLocks
  mutating func take(_ address: UInt, atOnce: Bool) {
    if address == 0 || address == (next != 0 ? next : now) { return }
    Wavetable.use(address)
    Wavetable.leave(next)
    next = 0
    if now == 0 || atOnce {
      release()
      now = address
      version &+= 1
    } else if ticks > 0 {
      next = address
    } else {
      turn(to: address)
    }
  }

  @_noLocks
  private mutating func turn(to address: UInt) {
    (before, now, ticks) = (now, address, Self.turning)
    version &+= 1
  }

  @_noLocks
  mutating func advance() {
    if ticks == 0 { return }
    ticks &-= 1
    if ticks > 0 { return }
    Wavetable.leave(before)
    before = 0
    if next == 0 { return }
    turn(to: next)
    next = 0
  }

  @_noLocks
  mutating func release() {
    Wavetable.leave(now)
    Wavetable.leave(before)
    Wavetable.leave(next)
    (now, before, next, ticks) = (0, 0, 0, 0)
  }
}
