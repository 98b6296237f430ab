import Glibc
import Parameters
import Storage
import Synth
import System

/// All presets, and the session: a recall never waits for a disk, and a save is heard of at once.
///
/// Not shared: one thread, that of control, makes it and calls everything here.
public final class Library {
  /// Where everything is kept: presets, session, and what surfaces keep.
  public let documents: Documents
  /// The session that was saved last, in this run or in the one before; nil when there was none, or as long as the
  /// database could not be read.
  public internal(set) var session: Session?

  private(set) var factory: [Slot: Preset] = [:]
  /// Factory presets outside the banks, found by their name only.
  private(set) var outside: [Preset] = []
  private(set) var index = PresetIndex()
  /// The bank `gm`; nil when the factory's folder has none.
  let programTable: ProgramTable?
  /// Why the database could not be read that was only to be looked at; nil when it could.
  public private(set) var problem: StoreError?
  /// Files of the factory's folder that are no presets.
  private(set) var leftOut: [CatalogEntry] = []
  /// Goes up whenever presets have come from the database, which may be late.
  public private(set) var revision = 0
  /// Goes up whenever a preset may have come, gone or changed.
  public private(set) var edition = 0
  // What is wrong with the texts of presets, as it was found when they were last listed.
  var problems: [String: String] = [:]
  /// The factory presets come from the folder, not from the database.
  private let hasFolder: Bool
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
  public convenience init(
    database: String?, factory: String?, writes: Bool = true, log: @escaping (String) -> Void
  ) {
    if writes {
      self.init(Documents(database: database, DocumentKind.all, log: log), factory: factory, log: log)
    } else {
      let (documents, problem) = Library.read(database)
      if let problem { log("\(problem)") }
      self.init(documents, factory: factory, log: log)
      self.problem = problem
    }
  }

  /// A library of documents.
  package init(_ documents: Documents, factory folder: String?, log: @escaping (String) -> Void) {
    (self.documents, self.log) = (documents, log)
    let fromFolder = folder.flatMap { factoryPresets($0, log: log) }
    hasFolder = fromFolder != nil
    if let folder, fromFolder == nil { log("there is no folder of factory presets at \(folder)") }
    leftOut = fromFolder?.leftOut ?? []
    let names = Set((fromFolder?.presets ?? []).map { $0.name.lowercased() })
    programTable = folder.flatMap { Presets.programTable($0, names: names, log: log) }
    setFactory(fromFolder?.presets ?? [])
    adoptDocuments()
  }

  private static func read(_ database: String?) -> (Documents, StoreError?) {
    // One that may not be looked at is there, and an error.
    guard let database, access(database, F_OK) == 0 || errno == EACCES else {
      return (Documents(writer: nil), nil)
    }
    do throws(StoreError) {
      return (try Documents(reading: database, DocumentKind.all), nil)
    } catch {
      return (Documents(writer: nil), error)
    }
  }

  // MARK: - Reading

  /// All presets in order of bank and program. The player's own hides a factory preset in the same slot.
  public var presets: [Preset] { index.slots.compactMap { self[$0] } }

  /// The preset in a slot.
  public subscript(slot: Slot) -> Preset? {
    if let own = own(slot) { return Preset(slot: slot, name: own.name, text: own.text, isFactory: false) }
    return factory[slot]
  }

  /// The player's own preset in a slot. One without a name was not written by any pipit.
  func own(_ slot: Slot) -> Document? {
    documents[.preset, slot.key].flatMap { $0.name.isEmpty ? nil : $0 }
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
      var patch = reading.patch
      if preset.octaves != 0 { patch.move(octaves: preset.octaves) }
      return patch
    } catch {
      log("could not recall the preset \"\(preset.name)\": \(error)")
      return nil
    }
  }

  // MARK: - What became of saves

  /// Readable, for `poll`, when `reports()` has something to tell; nil when nothing is written.
  public var descriptor: Int32? { documents.descriptor }

  /// What the player saved and is not on the disk yet; nil when nothing is kept.
  public var savesWaiting: Int? { documents.savesWaiting }

  /// What happened since the last call.
  public func reports() -> [Report] {
    let reports = documents.reports()
    if documents.revision != revision { adoptDocuments() }
    return reports
  }

  /// Writes what is left, for at most `seconds`. False when something could not be written.
  public func stop(within seconds: Double) -> Bool {
    let isDone = documents.stop(within: seconds)
    if documents.revision != revision { adoptDocuments() }
    return isDone
  }

  // MARK: - What comes from the database

  private func adoptDocuments() {
    revision = documents.revision
    if hasFolder {
      if documents.isRead { saveFactory() }
    } else {
      setFactory(
        documents[all: .factory].sorted { $0.key < $1.key }.map {
          Preset(slot: Slot(key: $0.key), name: $0.value.name, text: $0.value.text, isFactory: true)
        })
    }
    if session == nil, let document = documents[.session] { session = read(session: document.text) }
    updateIndex()
  }

  private func read(session text: String) -> Session? {
    do throws(TextRefusal) {
      let (session, warnings) = try Session.read(text)
      for warning in warnings { log("the last session, \(warning)") }
      return session
    } catch {
      log(.warning("could not read the last session: \(error)"))
      return nil
    }
  }

  private func setFactory(_ presets: [Preset]) {
    factory = [:]
    for preset in presets { if let slot = preset.slot { factory[slot] = preset } }
    outside = presets.filter { $0.slot == nil }
  }

  /// Brings the factory presets in the database to what is in the folder.
  private func saveFactory() {
    var documents: [String: Document] = [:]
    for preset in factory.values + outside {
      documents[preset.slot?.key ?? "-/\(preset.name)"] = Document(name: preset.name, text: preset.text)
    }
    let stored = self.documents[all: .factory]
    for key in stored.keys where documents[key] == nil { self.documents.remove(.factory, key) }
    for (key, document) in documents where stored[key] != document {
      try? self.documents.save(document, .factory, key)
    }
    // One text for both, or each would be in memory twice.
    func shared(_ preset: Preset, _ key: String) -> Preset {
      guard let stored = stored[key], stored == documents[key] else { return preset }
      return Preset(slot: preset.slot, name: preset.name, text: stored.text, isFactory: true)
    }
    for (slot, preset) in factory { factory[slot] = shared(preset, slot.key) }
    outside = outside.map { shared($0, "-/\($0.name)") }
  }

  func updateIndex() {
    edition += 1
    var own: [Slot: String] = [:]
    for (key, document) in documents[all: .preset] where !document.name.isEmpty {
      if let slot = Slot(key: key) { own[slot] = document.name }
    }
    index = PresetIndex(own: own, factory: factory.mapValues(\.name))
  }
}
