import Scenes

/// The wavetables of a sound, one for each oscillator.
struct SoundTables {
  var first = TableChange()
  var second = TableChange()
  var third = TableChange()

  @_noLocks init() {}

  /// True while the voices change from one table to another.
  var isChanging: Bool { @_noLocks @inline(__always) get { first.ticks | second.ticks | third.ticks != 0 } }

  /// True if it has a table.
  var isAny: Bool { @_noLocks @inline(__always) get { first.now | second.now | third.now != 0 } }

  /// Changes to the tables of a part; an oscillator without one keeps its table. `atOnce` if no voice sounds.
  @_noLocks
  mutating func change(to tables: PartTables, atOnce: Bool) {
    first.change(to: tables.first, atOnce: atOnce)
    second.change(to: tables.second, atOnce: atOnce)
    third.change(to: tables.third, atOnce: atOnce)
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
  func change(of oscillator: Int) -> UnsafePointer<TableChange> {
    UnsafeRawPointer(self).assumingMemoryBound(to: TableChange.self) + oscillator
  }
}

/// The wavetable of an oscillator, and the change to another one: for some ticks both are in use, while each voice
/// fades from the old to the new one. A further change waits for the end of the fade.
struct TableChange {
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
  private static var changeTicks: Int32 { @_noLocks get { 20 } }

  @_noLocks init() {}

  /// Changes to the table at an address; 0 keeps the current one.
  @_noLocks
  mutating func change(to address: UInt, atOnce: Bool) {
    if address == 0 || address == (next != 0 ? next : now) { return }
    Wavetable.retain(address)
    Wavetable.release(next)
    next = 0
    if now == 0 || atOnce {
      release()
      now = address
      version &+= 1
    } else if ticks > 0 {
      next = address
    } else {
      fade(to: address)
    }
  }

  @_noLocks
  private mutating func fade(to address: UInt) {
    (before, now, ticks) = (now, address, Self.changeTicks)
    version &+= 1
  }

  @_noLocks
  mutating func advance() {
    if ticks == 0 { return }
    ticks &-= 1
    if ticks > 0 { return }
    Wavetable.release(before)
    before = 0
    if next == 0 { return }
    fade(to: next)
    next = 0
  }

  @_noLocks
  mutating func release() {
    Wavetable.release(now)
    Wavetable.release(before)
    Wavetable.release(next)
    (now, before, next, ticks) = (0, 0, 0, 0)
  }
}
