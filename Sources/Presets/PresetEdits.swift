import Parameters
import Synth

// What the player changes: in memory at once, on the disk soon after.

extension Library {
  /// Saves a sound. It can be recalled when this returns; `reports()` tells when it is on the disk.
  ///
  /// A slot that is given is taken. Otherwise the player's preset of that name is overwritten; without a name,
  /// the player's preset in `current`. Else the sound goes to the first free slot of the player's banks.
  /// What was there before can be had back with `undo`.
  /// - Parameters:
  ///   - name: As the player wrote it. Nil or empty: the name of what is overwritten, or of `current`.
  ///   - slot: Where to; in a factory slot it hides the factory's preset until it is removed.
  ///   - current: Where the sound was recalled from.
  @discardableResult
  public func save(
    _ patch: Patch, name wish: String? = nil, slot: Slot? = nil, current: Slot? = nil
  ) throws(LibraryError) -> Preset {
    let wished = wish.flatMap { Preset.name($0) }
    guard let slot = slot ?? slotToOverwrite(wished, current) ?? freeSlot() else {
      throw LibraryError(description: "could not save: all banks are full; give a slot to overwrite")
    }
    let name =
      wished ?? self[slot]?.name ?? current.flatMap { self[$0]?.name }
      ?? "Preset \(slot.bank)-\(slot.program)"
    let text = PresetText.write(patch)
    try documents.save(Document(name: name, text: text), .preset, slot.key)
    updateIndex()
    return Preset(slot: slot, name: name, text: text, isFactory: false)
  }

  /// Removes the player's preset from a slot; a factory preset there is shown again. `undo` brings it back.
  public func remove(_ slot: Slot) throws(LibraryError) {
    if own(slot) == nil {
      let what = factory[slot] == nil ? "there is none" : "it is a factory preset"
      throw LibraryError(description: "could not remove the preset in \(slot): \(what)")
    }
    documents.remove(.preset, slot.key)
    updateIndex()
  }

  /// Goes back to the version before in a slot, be it before a save or a removal. Nothing is lost: after the
  /// oldest version comes the newest again. Nil when the slot is then empty.
  @discardableResult
  public func undo(_ slot: Slot) throws(LibraryError) -> Preset? {
    guard documents.undo(.preset, slot.key) else {
      throw LibraryError(description: "there is nothing to undo in \(slot)")
    }
    updateIndex()
    return self[slot]
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

  private func freeSlot() -> Slot? {
    for bank in 1..<Slot.banks {
      for program in 0..<Slot.programs {
        // A removed preset keeps its place while another is free, so that it can be brought back.
        guard let slot = Slot(bank: bank, program: program), factory[slot] == nil else { continue }
        if documents.history(.preset, slot.key).isEmpty { return slot }
      }
    }
    return nil
  }
}
