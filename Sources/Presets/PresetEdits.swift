import Parameters
import Storage
import Synth

// What the player changes: in memory at once, on the disk soon after.

extension Library {
  /// Saves a sound. It can be recalled when this returns; `reports()` tells when it is on the disk.
  ///
  /// A slot that is given is taken. Otherwise the player's preset of that name is overwritten; without a name,
  /// the player's preset in `current`. Else the sound goes to the first free slot of the player's banks.
  /// - Parameters:
  ///   - name: As the player wrote it. Nil or empty: the name of what is overwritten, or one that follows from what
  ///     the sound was recalled from.
  ///   - slot: Where to; in a factory slot it hides the factory's preset until it is removed.
  ///   - current: Where the sound was recalled from.
  ///   - origin: What the sound was recalled as, for one that lies in no slot.
  @discardableResult
  public func save(
    _ patch: Patch, name wish: String? = nil, slot: Slot? = nil, current: Slot? = nil, origin: String = ""
  ) throws(DocumentError) -> Preset {
    let wished = wish.flatMap { Document.name($0) }
    let before = current.flatMap { self[$0]?.name } ?? Document.name(origin)
    guard let slot = slot ?? slotToOverwrite(wished, current) ?? freeSlot else { throw full }
    let name =
      wished ?? self[slot]?.name ?? before.map { unusedName($0, amongFactory: false) }
      ?? "Preset \(slot.bank)-\(slot.program)"
    let text = PresetText.write(patch)
    try put(Document(name: name, text: text), in: slot)
    return Preset(slot: slot, name: name, text: text, isFactory: false)
  }

  /// Saves a sound as a new preset in the first free slot of the player's banks, by a name or by the next that follows
  /// from what it was recalled as.
  public func saveNew(
    _ patch: Patch, name: String? = nil, origin: String = ""
  ) throws(DocumentError) -> Preset {
    guard let slot = freeSlot else { throw full }
    return try save(patch, name: name.flatMap { Document.name($0) } ?? nextName(origin), slot: slot)
  }

  /// Gives the player's preset in a slot another name.
  public func rename(_ slot: Slot, to wish: String) throws(DocumentError) {
    let own = try ownDocument(slot, "rename")
    guard let name = Document.name(wish) else {
      throw DocumentError(description: "takes a name that can be read")
    }
    let other = ownNames[name.lowercased()]
    if let other, other != slot {
      throw DocumentError(
        description: "could not rename \"\(own.name)\": \(other.place) is named \"\(name)\"")
    }
    try put(Document(name: name, text: own.text), in: slot)
  }

  /// Removes the player's preset from a slot; a factory preset there is shown again. It lies in the trash then, from
  /// which `restore` and `undo` bring it back.
  public func remove(_ slot: Slot) throws(DocumentError) {
    _ = try ownDocument(slot, "remove")
    try put(nil, in: slot)
  }

  /// Saves the session. Cheap: it may be called after every change. Changes are gathered for some seconds, and the
  /// newest is written then, or when the library is stopped.
  public func save(_ session: Session) {
    self.session = session
    // It has no text yet that could be too long.
    try? documents.save(Document { session.text }, .session)
  }

  private func slotToOverwrite(_ name: String?, _ current: Slot?) -> Slot? {
    if let name {
      let key = name.lowercased()
      if let current, own(current)?.name.lowercased() == key { return current }
      guard let slot = index.byName[key], own(slot) != nil else { return nil }
      return slot
    }
    return current.flatMap { own($0) == nil ? nil : $0 }
  }

  /// The slot that the next new preset goes to; nil when all are taken.
  public var freeSlot: Slot? {
    // A removed preset keeps its place while another is free, so that it can be brought back.
    Slot.own.first { self[$0] == nil && documents.history(.preset, $0.key).isEmpty }
      ?? Slot.own.first { self[$0] == nil }
  }

  private var full: DocumentError {
    DocumentError(description: "could not save: all banks are full; give a slot to overwrite")
  }

  private func ownDocument(_ slot: Slot, _ attempt: String) throws(DocumentError) -> Document {
    if let own = own(slot) { return own }
    let why =
      factory[slot].map { "\"\($0.name)\" is a factory preset" } ?? "there is no preset in \(slot.place)"
    throw DocumentError(description: "could not \(attempt) the preset: \(why)")
  }
}
