/// Returns the frames of a wavetable that is not a factory table, by its number from 0 on; nil if it is not
/// available.
public typealias WavetableSource = (Int) -> WaveSpectrum?

/// The wavetables in memory, each made when a sound first needs it. Control thread only.
final class WavetableCache {
  private var tables: [Int: PreparedWavetable] = [:]
  /// The frames of a table whose number is beyond those of the factory; nil if there is none.
  var source: WavetableSource = { _ in nil }

  /// The number of tables in memory.
  var count: Int { tables.count }

  /// The table with a number; the first factory table in place of one that is not available.
  func table(_ number: Int) -> PreparedWavetable {
    if let table = tables[number] { return table }
    let further = number - FactoryWavetable.allCases.count
    let factory = FactoryWavetable.at(further < 0 ? number : 0)
    let table = PreparedWavetable((further < 0 ? nil : source(further)) ?? factory.spectrum())
    tables[number] = table
    return table
  }

  /// Frees all tables except those in `kept`, those in any of `others`, and those that a sound uses.
  func clear(keeping kept: [PreparedWavetable], _ others: some Sequence<[PreparedWavetable]>) {
    if tables.isEmpty { return }
    tables = tables.filter { _, table in
      table.isUsed || kept.contains { $0 === table } || others.contains { $0.contains { $0 === table } }
    }
  }
}
