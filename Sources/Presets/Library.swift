import Glibc
import Parameters
import Scenes
import Storage
import System

/// All presets, and the session, in memory: no recall or save waits for a disk.
///
/// Control thread only.
public final class Library {
  /// The documents: presets, session, and those of surfaces and devices.
  public let documents: Documents
  /// The session saved last, in this run or the one before; nil if there is none, or the database has not been read.
  public internal(set) var session: Session?
  /// The names of the player's wavetables, whose numbers the sounds of this library hold. Any thread.
  public let wavetables = NameRegister()

  private(set) var factory: [Slot: Preset] = [:]
  /// Factory presets outside the banks, found by their names only.
  private(set) var outside: [Preset] = []
  private(set) var index = PresetIndex()
  /// The bank `gm`; nil if the factory folder has none.
  let programTable: ProgramTable?
  /// The error of reading the database with `writes` false; nil without one.
  public private(set) var problem: StoreError?
  /// Files of the factory folder that are no presets.
  private(set) var leftOut: [CatalogEntry] = []
  /// Incremented whenever presets are loaded from the database, at the start and later.
  public private(set) var revision = 0
  /// Incremented whenever a preset may have been added, removed or changed.
  public internal(set) var edition = 0
  /// Whether a search finds only what is prepared, because the loop prepares a piece of it in each round.
  public var preparesSearchInRounds = false
  /// Whether the search is prepared for all presets.
  public internal(set) var isSearchPrepared = false
  /// The search words of the presets up to the slot `preparedTo`, or of all if `isSearchPrepared`.
  var words: PresetWords?
  var preparedTo: Slot?
  // Whether the factory presets come from the folder, not from the database.
  private let hasFolder: Bool
  private let log: (String) -> Void

  /// Opens the library and loads all presets, in a few milliseconds.
  ///
  /// Damaged files do not prevent that: a damaged database is renamed, and one that cannot be opened is tried again
  /// later. `reports()` says so.
  /// - Parameters:
  ///   - database: The SQLite file; it and its folder are created if missing. Nil to store nothing.
  ///   - factory: The folder of the factory presets; without it, the copies in the database are used.
  ///   - writes: False for read-only access, as by commands: no thread, and nothing is saved.
  ///   - log: Receives a line about each file that could not be read, on the calling thread.
  public convenience init(
    database: String?, factory: String?, writes: Bool = true, log: @escaping (String) -> Void
  ) {
    if writes {
      self.init(Documents(database: database, DocumentKind.all, log: log), factory: factory, log: log)
    } else {
      let (documents, problem) = Library.read(database, log)
      if let problem { log("\(problem)") }
      self.init(documents, factory: factory, log: log)
      self.problem = problem
    }
  }

  /// A library over `documents`, with the factory presets of a folder. It reads the folder while the database opens.
  package init(_ documents: Documents, factory folder: String?, log: @escaping (String) -> Void) {
    (self.documents, self.log) = (documents, log)
    let fromFolder = folder.flatMap { factoryPresets($0, log: log) }
    hasFolder = fromFolder != nil
    if let folder, fromFolder == nil { log("there is no folder of factory presets at \(folder)") }
    leftOut = fromFolder?.leftOut ?? []
    let names = Set((fromFolder?.presets ?? []).map { $0.name.lowercased() })
    programTable = folder.flatMap { Presets.programTable($0, names: names, log: log) }
    setFactory(fromFolder?.presets ?? [])
    documents.finishOpening()
    adoptDocuments()
  }

  private static func read(_ database: String?, _ log: (String) -> Void) -> (Documents, StoreError?) {
    // A file without read permission exists, and is an error.
    guard let database, access(database, F_OK) == 0 || errno == EACCES else {
      return (Documents(writer: nil), nil)
    }
    do throws(StoreError) {
      return (try Documents(reading: database, DocumentKind.all, log: log), nil)
    } catch {
      return (Documents(writer: nil), error)
    }
  }

  // MARK: - Reading

  /// All presets in order of bank and program. A user preset hides a factory preset in its slot.
  public var presets: [Preset] { listing.presets }

  /// The preset in a slot; nil for an empty slot.
  public subscript(slot: Slot) -> Preset? {
    if let user = userPreset(slot) {
      return Preset(slot: slot, name: user.name, text: user.text, isFactory: false)
    }
    return factory[slot]
  }

  /// The number of presets in slots.
  public var count: Int { index.slots.count }

  /// The preset at an index of `presets`; nil if there is none.
  public func preset(at number: Int) -> Preset? {
    index.slots.indices.contains(number) ? self[index.slots[number]] : nil
  }

  /// All presets as they are now. Costs nothing, and can be read on any thread.
  public var listing: PresetListing {
    PresetListing(
      slots: index.slots, factory: factory, outside: outside, leftOut: leftOut,
      documents: documents[collection: .preset],
      marks: documents[collection: .mark])
  }

  /// The user preset in a slot; nil without one. Documents without a name were not written by pipit.
  func userPreset(_ slot: Slot) -> Document? {
    documents[.preset, slot.key].flatMap { $0.name.isEmpty ? nil : $0 }
  }

  /// The preset after a slot, cyclically; the first for nil.
  public func next(after slot: Slot?) -> Preset? { index.next(after: slot).flatMap { self[$0] } }

  /// The preset before a slot, cyclically; the last for nil.
  public func previous(before slot: Slot?) -> Preset? { index.previous(before: slot).flatMap { self[$0] } }

  /// The first slot of each page that holds presets, in order.
  public var pages: [Slot] { index.pages }

  /// The sound of a preset without its snapshots, as `sound(of:)`.
  public func patch(of preset: Preset) -> Patch? { sound(of: preset)?.patch }

  /// The sound of a preset; logs lines that cannot be read. Nil if the text cannot be read at all.
  public func sound(of preset: Preset) -> PartSound? {
    do throws(TextRefusal) {
      let (sound, warnings) = try preset.read(wavetables)
      for warning in warnings { log("preset \"\(preset.name)\", \(warning)") }
      return sound
    } catch {
      log("could not recall the preset \"\(preset.name)\": \(error)")
      return nil
    }
  }

  // MARK: - Saves

  /// A descriptor for `poll`, readable when `reports()` is not empty; nil without a database.
  public var descriptor: Int32? { documents.descriptor }

  /// The number of the player's saves that are not on the disk yet; nil without a database.
  public var savesWaiting: Int? { documents.savesWaiting }

  /// The reports since the last call.
  public func reports() -> [Report] {
    let reports = documents.reports()
    if documents.revision != revision { adoptDocuments() }
    return reports
  }

  /// Writes pending changes, for at most `seconds`. False if some could not be written.
  public func stop(within seconds: Double) -> Bool {
    let isDone = documents.stop(within: seconds)
    if documents.revision != revision { adoptDocuments() }
    return isDone
  }

  // MARK: - Documents from the database

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

  /// Replaces all documents of some kinds by those of a backup. Presets before become earlier versions or are moved to
  /// the trash.
  package func restore(_ restored: [DocumentID: DocumentHistory], of kinds: [DocumentKind]) {
    documents.restore(restored, of: kinds)
    if kinds.contains(.session), let document = documents[.session] {
      session = read(session: document.text) ?? session
    }
    updateIndex()
  }

  private func read(session text: String) -> Session? {
    do throws(TextRefusal) {
      let (session, warnings) = try Session.read(text, names: wavetables)
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

  /// Updates the copies of the factory presets in the database from the folder.
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
    // Presets and documents share one text, to save memory.
    func shared(_ preset: Preset, _ key: String) -> Preset {
      guard let stored = stored[key], stored == documents[key] else { return preset }
      return Preset(slot: preset.slot, name: preset.name, text: stored.text, isFactory: true)
    }
    for (slot, preset) in factory { factory[slot] = shared(preset, slot.key) }
    outside = outside.map { shared($0, "-/\($0.name)") }
  }

  /// Updates the index and the search words for a slot whose preset may have changed.
  func updateIndex(_ slot: Slot) {
    edition += 1
    indexPreset(slot)
  }

  /// As `updateIndex`, for one of many presets: lists that were made before stay as they are.
  func indexPreset(_ slot: Slot) {
    let user = userPreset(slot)
    index.set(slot, name: user?.name ?? factory[slot]?.name, isUser: user != nil)
    updateWords(slot)
  }

  /// Rebuilds the index of all presets.
  func updateIndex() {
    edition += 1
    forgetWords()
    var user: [Slot: String] = [:]
    for (key, document) in documents[all: .preset] where !document.name.isEmpty {
      if let slot = Slot(key: key) { user[slot] = document.name }
    }
    index = PresetIndex(user: user, factory: factory.mapValues(\.name))
  }
}
