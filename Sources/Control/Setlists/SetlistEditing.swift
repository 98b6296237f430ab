import Presets
import Scenes
import Storage
import System

// Changes of the setlist. None changes the sound: the position and the cue follow their entries.

extension Setlists {
  /// Makes an empty setlist with a name, and chooses it.
  public func create(_ wish: String) throws(DocumentError) {
    guard let name = Document.name(wish) else {
      throw DocumentError(description: "takes a name that can be read")
    }
    if shelf.named(name) != nil {
      throw DocumentError(description: "there is a setlist \"\(name)\" already")
    }
    try change("new setlist \"\(name)\"") { () throws(DocumentError) in
      key = try shelf.save(SetlistText.write(Setlist()), named: name)
    }
    rewind()
  }

  /// Adds the current setup as the last entry, or the preset of the part in focus if there is no setup. Without
  /// a setlist, one is made.
  public func add() throws(DocumentError) {
    let content: SetlistEntry.Content
    if let slot = setups.slot, setups.document != nil {
      content = .setup(PresetReference(slot: slot, name: setups.name))
    } else {
      let name = presets.name(part: writer.focus)
      if name.isEmpty { throw DocumentError(description: "needs a setup or a preset; recall one first") }
      content = .preset(PresetReference(slot: presets.slot(part: writer.focus), name: name))
    }
    if document == nil { try create(newName) }
    try edit { $0.append(Numbered(entry: SetlistEntry(content))) }
  }

  private var newName: String {
    let number = Document.unusedNumber(from: shelf.collection.current.count + 1) {
      shelf.named("Set \($0)") != nil
    }
    return "Set \(number)"
  }

  /// Removes the entry with a number, from 1. If it is the entry that was played last, next plays the entry that
  /// followed it.
  public func remove(number: Int) throws(DocumentError) {
    let index = try checked(number)
    let isPlayed = position == index
    try edit { $0.remove(at: index) }
    if isPlayed { position = index == 0 ? nil : index - 1 }
  }

  /// Moves the entry with a number to another number, from 1.
  public func move(number: Int, to other: Int) throws(DocumentError) {
    let (index, target) = (try checked(number), try checked(other))
    try edit { $0.insert($0.remove(at: index), at: target) }
  }

  /// Sets a field of the entry with a number, such as `tempo`; without words the field is removed.
  public func set(number: Int, _ name: String, _ words: String) throws(DocumentError) {
    let index = try checked(number)
    var why: String?
    try edit { why = SetlistText.set(name, words, of: &$0[index].entry) }
    if let why { throw DocumentError(description: why) }
  }

  private func checked(_ number: Int) throws(DocumentError) -> Int {
    if let index = index(of: number) { return index }
    throw DocumentError(description: "takes the number of an entry, 1 to \(count)")
  }

  /// An entry with its index before an edit; nil for a new one.
  struct Numbered {
    var index: Int?
    var entry: SetlistEntry
  }

  private func edit(_ change: (inout [Numbered]) -> Void) throws(DocumentError) {
    guard let document else { throw DocumentError(description: "needs a setlist; choose one first") }
    let setlist = setlist
    if isUnreadable {
      throw DocumentError(description: "cannot read the setlist \"\(name)\"; nothing is changed")
    }
    var entries = setlist.entries.enumerated().map { Numbered(index: $0.offset, entry: $0.element) }
    change(&entries)
    if entries.count > Limits.setlistEntries {
      throw DocumentError(description: "a setlist has \(Limits.setlistEntries) entries at most")
    }
    var changed = setlist
    changed.entries = entries.map(\.entry)
    try self.change("edit of setlist \"\(name)\"") { () throws(DocumentError) in
      let edited = Document(name: document.name, text: SetlistText.write(changed))
      try library.documents.save(edited, .setlist, key)
    }
    follow(entries.map(\.index))
    writer.changed(.show)
  }

  /// Updates all setlists after a setup was renamed.
  func follow(renamed before: String, to after: String) {
    for place in shelf.collection.current.places {
      guard let document = library.documents[.setlist, place.key],
        SetlistText.mayName(before, in: document.text),
        var setlist = (try? SetlistText.read(document.text))?.setlist
      else { continue }
      var isChanged = false
      for index in setlist.entries.indices {
        guard case .setup(var reference) = setlist.entries[index].content, reference.name == before else {
          continue
        }
        reference.name = after
        setlist.entries[index].content = .setup(reference)
        isChanged = true
      }
      if !isChanged { continue }
      try? library.documents.save(
        Document(name: document.name, text: SetlistText.write(setlist)), .setlist, place.key)
    }
  }

  /// Moves the position, the cue and the waiting entry along with their entries. `before` is the earlier index of
  /// each entry; nil for a new one.
  private func follow(_ before: [Int?]) {
    func moved(_ index: Int?) -> Int? { index.flatMap { index in before.firstIndex { $0 == index } } }
    (position, chosen, waiting) = (moved(position), moved(chosen), moved(waiting))
  }

  /// Follows a setlist whose text was replaced: the position stays with an equal entry, the nearest to where it was.
  func follow(replaced before: Setlist) {
    let entries = setlist.entries
    func moved(_ index: Int?) -> Int? {
      guard let index, before.entries.indices.contains(index) else { return nil }
      let equal = entries.indices.filter { entries[$0] == before.entries[index] }
      let same =
        equal.isEmpty
        ? entries.indices.filter { entries[$0].content == before.entries[index].content } : equal
      return same.min { abs($0 - index) < abs($1 - index) }
        ?? (entries.isEmpty ? nil : min(index, entries.count - 1))
    }
    (position, chosen, waiting) = (moved(position), moved(chosen), moved(waiting))
  }
}

// Commands that manage setlists as documents: list, rename, remove, restore, import and export.

extension Setlists {
  /// All setlists as they are now, to be listed on any thread.
  public var listing: DocumentCollection { shelf.collection }

  /// A setlist as a line of fields separated by tabs: number, name, number of entries. Any thread.
  public static func line(_ entry: DocumentShelf.Entry) -> String {
    let count = (try? SetlistText.read(entry.document.text))?.setlist.entries.count
    return [entry.key, entry.document.name, count.map { "\($0)" } ?? "cannot be read"].tabbedLine
  }

  /// Each entry of the setlist as a line of fields separated by tabs: number, title, content, and the other fields in
  /// the order of `SetlistText.names`.
  public var entryCatalog: [String] {
    setlist.entries.enumerated().map { index, entry in
      let values = SetlistText.names.map { SetlistText.value($0, of: entry) }
      return (["\(index + 1)", entry.shownTitle, SetlistText.words(entry.content)] + values).tabbedLine
    }
  }

  /// The text of a setlist with its name and key.
  public func text(of words: String) throws -> String { shelf.exported(try shelf.find(words)) }

  /// Renames a setlist. Returns a sentence about what was done.
  public func rename(_ words: String, to wish: String) throws -> String {
    let entry = try shelf.find(words)
    try change("renaming of setlist \"\(entry.document.name)\"") { () throws(DocumentError) in
      try shelf.rename(entry.key, to: wish)
    }
    return "\"\(entry.document.name)\" is named \"\(library.documents[.setlist, entry.key]?.name ?? "")\" now"
  }

  /// Moves a setlist to the trash; the sound stays. Returns a sentence about what was done.
  public func remove(_ words: String) throws -> String {
    let entry = try shelf.find(words)
    try change("removal of setlist \"\(entry.document.name)\"") { () throws(DocumentError) in
      try shelf.remove(entry.key)
    }
    return "\"\(entry.document.name)\" is in the trash"
  }

  /// Restores a setlist from the trash. Returns a sentence about what was done.
  public func restore(_ words: String) throws -> String {
    var name = ""
    try change("restoring of a setlist") { () throws(DocumentError) in
      name = try shelf.restore(words).document.name
    }
    return "\"\(name)\" is back"
  }

  /// Saves an imported text as a setlist, which replaces the setlist of its name. The position in the current setlist
  /// stays with its entry. Returns a sentence about what was done.
  public func save(_ imported: ImportedShow) throws(DocumentError) -> String {
    for warning in imported.warnings { notices.log("setlist, \(warning)") }
    let before = setlist
    var key = ""
    try change("import of a setlist") { () throws(DocumentError) in key = try shelf.save(imported.text) }
    if key == self.key { follow(replaced: before) }
    return "\"\(library.documents[.setlist, key]?.name ?? "")\" is setlist \(key)"
  }

  /// The earlier versions of a setlist as lines: age, when it was saved in seconds since 1970 or `-`, name.
  public func versions(of words: String) throws -> [String] {
    library.documents.history(.setlist, try shelf.find(words).key).versions.map { age, document in
      "\(age)\t\(document.saved.map { "\($0)" } ?? "-")\t\(document.name)"
    }
  }

  /// Brings back an earlier version of a setlist. Returns a sentence about what was done.
  public func bring(_ words: String, age: Int) throws -> String {
    let entry = try shelf.find(words)
    let versions = library.documents.history(.setlist, entry.key).versions
    guard age > 0, let old = versions.first(where: { $0.age == age })?.document else {
      throw DocumentError(description: "has versions 1 to \(max(versions.count - 1, 0)), not \(age)")
    }
    let before = setlist
    try change("return of a version of setlist \"\(old.name)\"") { () throws(DocumentError) in
      _ = try library.documents.restore(age: age, as: old, .setlist, entry.key)
    }
    if entry.key == key { follow(replaced: before) }
    return "\"\(old.name)\" is version \(age) again"
  }
}

// Undo and redo of changes of setlists: edits, renamings, removals, imports. None changes the sound: the position and
// the cue follow their entries.

extension Setlists {
  /// Undoes the last change of a setlist.
  public func undo() throws(DocumentError) {
    guard let step = history.undo() else { throw DocumentError(description: "there is nothing to undo") }
    turn(step.changes.reversed(), step.before, "undo of \(step.action)") { library.documents.undo($0) }
  }

  /// Redoes the change that was undone last.
  public func redo() throws(DocumentError) {
    guard let step = history.redo() else { throw DocumentError(description: "there is nothing to redo") }
    turn(step.changes, step.after, "redo of \(step.action)") { library.documents.redo($0) }
  }

  /// Runs changes of setlists as a step of the history.
  func change(_ action: String, _ body: () throws(DocumentError) -> Void) throws(DocumentError) {
    let before = key
    let changes = try library.documents.recording(body)
    writer.changed(.show)
    if changes.isEmpty { return }
    history.add(.init(action: action, before: before, after: key, changes: changes))
    presets.saving.post(change: action)
  }

  private func turn(
    _ changes: [DocumentChange], _ key: String, _ words: String, _ turn: (DocumentChange) -> Bool
  ) {
    let before = setlist
    let kept = changes.filter { !turn($0) }
    // A new setlist has chosen itself; another that was chosen since stays.
    if document == nil, key != self.key {
      (self.key, position, chosen, waiting) = (key, nil, nil, nil)
    } else if !before.entries.isEmpty {
      follow(replaced: before)
    }
    if kept.isEmpty {
      presets.saving.post(change: words)
    } else {
      notices.post("saved since by another hand, and left as it is: setlist \(kept[0].id.key)", about: .show)
    }
    writer.changed(.show)
  }
}
