import Glibc
import Parameters
import Synth

/// All presets, in memory: a recall never waits for a disk, and a save is heard of at once. A thread of its own
/// writes to the database behind it.
///
/// Not shared: one thread, that of control, makes it and calls everything here.
public final class Library {
  /// The session that was kept last, in this run or in the one before; nil when there was none, or as long as the
  /// database could not be read.
  public internal(set) var session: Session?
  /// Who was shown the instrument, as it was kept last, in whatever words; empty when that was nobody, nil as
  /// long as the database could not be read.
  public internal(set) var clients: String?

  var factory: [Slot: Preset] = [:]
  private(set) var outside: [Preset] = []
  var shelves: [Slot: Shelf] = [:]
  private(set) var index = PresetIndex()
  /// Goes up whenever presets have come from the database, which may be late.
  public private(set) var revision = 0
  var reportsToCome: [Report] = []
  let writer: Writer?
  /// The database has been open, and may be read only.
  var (isOpen, isReadOnly) = (false, false)
  /// The factory presets come from the folder, not from the database.
  let hasFolder: Bool
  private let log: (String) -> Void

  /// Opens the library and loads everything, in a few milliseconds.
  ///
  /// Nothing that may be wrong with the files keeps it from opening: a damaged database is put aside, one that
  /// cannot be opened now is tried again later. Of that `reports()` tells.
  /// - Parameters:
  ///   - database: The SQLite file; it and its folder are made when missing. Nil: nothing is kept.
  ///   - factory: The folder with the factory presets; without it, those in the database remain.
  ///   - writes: False to look only, as a command line does: no thread, and nothing is saved.
  ///   - log: Takes one line about each thing that could not be read. Called on the caller's thread.
  public init(
    database: String?, factory folder: String?, writes: Bool = true, log: @escaping (String) -> Void
  ) {
    self.log = log
    let fromFolder = folder.flatMap { factoryPresets($0, log: log) }
    hasFolder = fromFolder != nil
    writer = writes ? database.map { Writer($0) } : nil
    if let folder, fromFolder == nil { log("there is no folder of factory presets at \(folder)") }
    set(factory: fromFolder ?? [])
    if let writer {
      start(writer)
    } else if let database, access(database, F_OK) == 0 {
      look(database)
    }
  }

  deinit { writer?.finish() }

  private func start(_ writer: Writer) {
    guard writer.start() else {
      log("could not start the thread that saves presets; nothing will be kept")
      return
    }
    // The first letter says that the file is open, or why not. A disk that does not answer is not waited for.
    writer.mail.wait(seconds: 10)
    for letter in writer.letters() { receive(letter) }
    // What there is to tell waits for `reports()`.
    if !reportsToCome.isEmpty { writer.mail.ring() }
  }

  private func look(_ database: String) {
    do throws(StoreError) {
      let contents = try Store(database, create: false).load()
      session = contents.session.flatMap { read(session: $0) }
      adopt(contents)
    } catch {
      log("\(error)")
    }
  }

  func read(session text: String) -> Session? {
    do throws(TextRefusal) {
      let (session, warnings) = try Session.read(text)
      for warning in warnings { log("the last session, \(warning)") }
      return session
    } catch {
      log("could not read the last session: \(error)")
      return nil
    }
  }

  // MARK: - Looking

  /// All presets in order of bank and program. The player's own hides a factory preset in the same slot.
  public var presets: [Preset] { index.slots.compactMap { self[$0] } }

  /// The preset in a slot.
  public subscript(slot: Slot) -> Preset? {
    if let own = shelves[slot]?.current {
      return Preset(slot: slot, name: own.name, text: own.text, isFactory: false)
    }
    return factory[slot]
  }

  /// The preset after a slot, the first after the last; the first of all for nil.
  public func next(after slot: Slot?) -> Preset? { index.next(after: slot).flatMap { self[$0] } }

  /// The preset before a slot, the last before the first; the last of all for nil.
  public func previous(before slot: Slot?) -> Preset? { index.previous(before: slot).flatMap { self[$0] } }

  /// The first slot of each page of buttons that holds a preset, in order.
  public var pages: [Slot] { index.pages }

  /// The sound of a preset. What cannot be read of it goes to the log, and nil means that nothing can.
  public func patch(of preset: Preset) -> Patch? {
    do throws(TextRefusal) {
      let reading = try PresetText.read(preset.text)
      for warning in reading.warnings { log("preset \"\(preset.name)\", \(warning)") }
      return reading.patch
    } catch {
      log("could not recall the preset \"\(preset.name)\": \(error)")
      return nil
    }
  }

  // MARK: - The index

  var allFactory: [Preset] { factory.keys.sorted().compactMap { factory[$0] } + outside }

  private func set(factory presets: [Preset]) {
    factory = [:]
    for preset in presets { if let slot = preset.slot { factory[slot] = preset } }
    outside = presets.filter { $0.slot == nil }
    redraw()
  }

  /// Takes over what the database holds. What is in memory already stays on top, and is written again.
  func adopt(_ contents: Contents) {
    if !hasFolder && !isOpen { set(factory: contents.factory) }
    var merged: [Slot: Shelf] = [:]
    for (slot, own) in shelves where contents.shelves[slot] != own {
      let stored = contents.shelves[slot] ?? Shelf()
      let known = own.earlier + (own.current.map { [$0] } ?? [])
      let older = stored.earlier + (stored.current.map { [$0] } ?? [])
      let unknown = older.filter { !known.contains($0) }
      merged[slot] = Shelf(current: own.current, earlier: (unknown + own.earlier).suffix(Limits.versions))
    }
    shelves = contents.shelves.merging(shelves) { _, own in own }.merging(merged) { _, new in new }
    if !merged.isEmpty { writer?.put(merged) }
    revision += 1
    redraw()
  }

  func redraw() {
    let own = shelves.filter { $0.value.current != nil }
    index = PresetIndex(slots: Set(own.keys).union(factory.keys).sorted()) { slot in
      (self[slot]?.name ?? "", own[slot] != nil)
    }
  }
}
