/// Makes a wavetable on another thread, and passes it to `done` on the control thread, later. False, without calling
/// either, if there is no thread; the table is then made at once.
public typealias WavetableWorker = (
  _ make: @escaping @Sendable () -> PreparedWavetable, _ done: @escaping (PreparedWavetable) -> Void
) -> Bool

/// The wavetables in memory, each made when a sound first needs it: by the worker, one after the other, or at once
/// without a worker. Control thread only.
final class WavetableCache {
  private var tables: [Int: PreparedWavetable] = [:]
  private var isMaking = false
  // The tables that the newest scene waits for.
  private var wanted: Set<Int> = []
  /// The frames of a table whose number is beyond those of the factory; nil if there is none.
  var source: WavetableSource = { _ in nil }
  /// Makes tables; nil to make them at once.
  var worker: WavetableWorker?
  /// Called when the worker has made a table.
  var whenMade: () -> Void = {}

  /// The number of tables in memory.
  var count: Int { tables.count }

  /// From now on, no scene waits for a table. The one that is being made is dropped when it is done, unless it is
  /// asked for again.
  func forgetWanted() { wanted.removeAll(keepingCapacity: true) }

  /// The table with a number; the first factory table in place of one that is not available. Nil while it is being
  /// made: `whenMade` is then called, after which this must be asked again.
  func table(_ number: Int) -> PreparedWavetable? {
    if let table = tables[number] { return table }
    if let worker {
      wanted.insert(number)
      if isMaking || begins(number, worker) { return nil }
    }
    return tableNow(number)
  }

  /// The table with a number, made at once if it is not in memory.
  func tableNow(_ number: Int) -> PreparedWavetable {
    if let table = tables[number] { return table }
    let table = PreparedWavetable(number, source)
    tables[number] = table
    return table
  }

  private func begins(_ number: Int, _ worker: WavetableWorker) -> Bool {
    let source = source
    isMaking = worker({ PreparedWavetable(number, source) }) { [weak self] table in
      guard let self else { return }
      isMaking = false
      if wanted.contains(number), tables[number] == nil { tables[number] = table }
      whenMade()
    }
    return isMaking
  }

  /// Frees all tables except those in `kept`, those in any of `others`, and those that a sound uses.
  func clear(keeping kept: [PreparedWavetable], _ others: some Sequence<[PreparedWavetable]>) {
    if tables.isEmpty { return }
    tables = tables.filter { _, table in
      table.isUsed || kept.contains { $0 === table } || others.contains { $0.contains { $0 === table } }
    }
  }
}
