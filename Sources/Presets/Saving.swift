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
    guard let slot = slot ?? own(wished, current) ?? free() else {
      throw LibraryError(description: "could not save: all banks are full; give a slot to overwrite")
    }
    let name =
      wished ?? self[slot]?.name ?? current.flatMap { self[$0]?.name }
      ?? "Preset \(slot.bank)-\(slot.program)"
    let version = Version(name: name, text: PresetText.write(patch))
    change(slot) { shelf in
      // Pressed twice, it must not push the version before out of reach.
      if let before = shelf.current, before != version { shelf.earlier.append(before) }
      shelf.current = version
    }
    return Preset(slot: slot, name: name, text: version.text, isFactory: false)
  }

  /// Removes the player's preset from a slot; a factory preset there comes to light again. `undo` brings it back.
  public func remove(_ slot: Slot) throws(LibraryError) {
    guard let before = shelves[slot]?.current else {
      let what = factory[slot] == nil ? "there is none" : "it is a factory preset"
      throw LibraryError(description: "could not remove the preset in \(slot): \(what)")
    }
    change(slot) { shelf in
      shelf.earlier.append(before)
      shelf.current = nil
    }
  }

  /// Goes back to the version before in a slot, be it before a save or a removal. Nothing is lost: after the
  /// oldest version comes the newest again. Nil when the slot is then empty.
  @discardableResult
  public func undo(_ slot: Slot) throws(LibraryError) -> Preset? {
    guard let shelf = shelves[slot], shelf.current != nil || !shelf.earlier.isEmpty else {
      throw LibraryError(description: "there is nothing to undo in \(slot)")
    }
    change(slot) { shelf in
      let before = shelf.earlier.popLast()
      if let undone = shelf.current { shelf.earlier.insert(undone, at: 0) }
      shelf.current = before
    }
    return self[slot]
  }

  /// Keeps the session. Cheap: it may be called after every change; the newest is written after
  /// `Limits.sessionSeconds`, and when the library is stopped.
  public func keep(_ session: Session) {
    self.session = session
    writer?.put(session)
  }

  private func own(_ name: String?, _ current: Slot?) -> Slot? {
    if let name {
      let key = name.lowercased()
      let here = current.flatMap { shelves[$0]?.current }
      if here?.name.lowercased() == key { return current }
      guard let slot = index.byName[key], shelves[slot]?.current != nil else { return nil }
      return slot
    }
    return current.flatMap { shelves[$0]?.current == nil ? nil : $0 }
  }

  private func free() -> Slot? {
    for bank in 1..<Limits.banks {
      for program in 0..<Limits.programs {
        // A removed preset keeps its place while another is free, so that it can be brought back.
        if let slot = Slot(bank: bank, program: program), self[slot] == nil, shelves[slot] == nil {
          return slot
        }
      }
    }
    return nil
  }

  private func change(_ slot: Slot, _ body: (inout Shelf) -> Void) {
    var shelf = shelves[slot] ?? Shelf()
    body(&shelf)
    shelf.earlier = shelf.earlier.suffix(Limits.versions)
    shelves[slot] = shelf
    redraw()
    writer?.put([slot: shelf])
  }
}
