import Presets
import Synth

// Presets as surfaces ask for them: by name, by number, by the buttons of the page. What it takes to find one is said
// here, so that a surface needs to know no more than that.

extension Control {
  /// The names of all presets, in the order of their slots.
  public var presetNames: [String] { library.presets.map(\.name) }

  /// Recalls the preset that a person means by a name.
  public func recall(named name: String, part: Int) throws(NoSuchPreset) {
    recall(try library.find(name), part: part)
  }

  /// Recalls the preset at an index of `presetNames`.
  public func recall(number: Double, part: Int) throws(LibraryError) {
    let presets = library.presets
    guard number >= 0, number < Double(presets.count) else {
      throw LibraryError(description: "takes a name or a number below \(presets.count)")
    }
    recall(presets[Int(number)], part: part)
  }

  /// Recalls a program of the bank that the part's preset is in, or of the first bank.
  public func recall(program: Int, part: Int) throws(LibraryError) {
    let bank = bank(part: part) ?? library.next(after: nil)?.slot?.bank ?? 0
    guard let preset = Slot(bank: bank, program: program).flatMap({ library[$0] }) else {
      throw LibraryError(description: "finds no program \(program) in bank \(bank)")
    }
    recall(preset, part: part)
  }

  /// Saves the sound of a part by a name.
  public func save(part: Int, named name: String) throws(LibraryError) {
    guard Preset.name(name) != nil else {
      throw LibraryError(description: "takes a name that can be read")
    }
    try save(part: part, name: name)
  }

  /// Saves the sound of a part as a new preset of a name.
  public func saveNew(part: Int, named name: String, now: Int64) throws(LibraryError) {
    guard Preset.name(name) != nil else {
      throw LibraryError(description: "takes a name that can be read")
    }
    try saveNew(part: part, name: name, now: now)
  }

  /// Gives the preset of a part another name.
  public func rename(part: Int, to name: String) throws(LibraryError) {
    try rename(try ownSlot(part), to: name, part: part)
  }

  /// Gives the player's preset in a slot another name, as a step of a part's history.
  func rename(_ slot: Slot, to name: String, part: Int) throws(LibraryError) {
    let before = library[slot]?.name ?? ""
    try edit("renaming of \"\(before)\"", slot, part) { () throws(LibraryError) in
      try library.rename(slot, to: name)
    }
    tell("Renaming \"\(before)\"", "Renamed: \"\(library[slot]?.name ?? "")\"")
  }

  /// Removes the preset of a part; its sound stays until another is recalled. It lies in the trash, and undo brings
  /// it back.
  public func remove(part: Int) throws(LibraryError) { try remove(try ownSlot(part), part: part) }

  /// Removes the player's preset in a slot, as a step of a part's history.
  func remove(_ slot: Slot, part: Int) throws(LibraryError) {
    let name = library[slot]?.name ?? ""
    try edit("removal of \"\(name)\"", slot, part) { () throws(LibraryError) in try library.remove(slot) }
    tell("Removing \"\(name)\"", "Removed \"\(name)\"; undo brings it back")
  }

  private func ownSlot(_ part: Int) throws(LibraryError) -> Slot {
    if let slot = slot(part: part) { return slot }
    throw LibraryError(description: "finds no preset of yours in the part")
  }

  /// An edit of the library that is a step of a part's history.
  func edit(
    _ action: String, _ slot: Slot, _ part: Int, _ body: () throws(LibraryError) -> Void
  ) throws(LibraryError) {
    let before = begin(part)
    let changes = try library.recording(body)
    readPresets(in: slot)
    end(action, part, before, changes)
    changed(.page)
  }

  /// The bank of the preset in a part; nil when it has none.
  public func bank(part: Int) -> Int? { slot(part: part)?.bank }
  /// The program of the preset in a part; nil when it has none.
  public func program(part: Int) -> Int? { slot(part: part)?.program }

  // MARK: - Buttons of the page, 1…16

  /// Recalls the preset of a button, or copies the part's sound to it if that was asked for. One without a preset
  /// does nothing else.
  public func take(button: Int, part: Int) throws(LibraryError) {
    if isCopyArmed { return try copy(part: part, toButton: button) }
    if let preset = slot(button: button).flatMap({ library[$0] }) { recall(preset, part: part) }
  }

  /// The name of a button's preset; empty when there is none.
  public func name(button: Int) -> String { slot(button: button).flatMap { library[$0]?.name } ?? "" }

  /// Whether the sound of a part came from a button's preset.
  public func isCurrent(button: Int, part: Int) -> Bool {
    slot(part: part).map { $0 == slot(button: button) } ?? false
  }

  /// What the page is called; empty when there is none.
  public var pageName: String { page.map { name(page: $0) } ?? "" }

  /// What the page that begins at a slot is called.
  func name(page: Slot) -> String {
    "\(page.bankName) \(page.program + 1)-\(page.program + Limits.presetsPerPage)"
  }

  // MARK: - Clients

  /// Who was shown the instrument, as it was saved last: empty when that was nobody, nil as long as the database could
  /// not be read.
  public var savedClients: String? {
    library.documents[.clients]?.text ?? (library.documents.isRead ? "" : nil)
  }

  /// Saves who is shown the instrument, for the next start. What is longer than that may be is not saved.
  public func save(clients text: String) { try? library.documents.save(Document(text: text), .clients) }

  // MARK: - Sound cards

  /// What is remembered of sound cards, as it was saved last; nil as long as the database could not be read.
  public var savedCards: String? { library.documents[.cards]?.text ?? (library.documents.isRead ? "" : nil) }

  /// Saves what is remembered of sound cards, for the next start.
  public func save(cards text: String) { try? library.documents.save(Document(text: text), .cards) }

  // MARK: - Devices

  /// What is remembered of keyboards, as it was saved last; nil as long as the database could not be read.
  public var savedDevices: String? {
    library.documents[.devices]?.text ?? (library.documents.isRead ? "" : nil)
  }

  /// Saves what is remembered of keyboards, for the next start.
  public func save(devices text: String) { try? library.documents.save(Document(text: text), .devices) }
}
