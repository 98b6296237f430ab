import Presets
import Storage
import Synth

// Saving setups, and keeping or dropping edits when another setup is recalled.

extension Setups {
  /// Saves everything as a setup: over the current one or, with a name, as a setup of that name, which replaces one
  /// that exists. Overwriting keeps the category, the notes and the `keep` line that the setup has.
  public func save(named wish: String? = nil) throws(DocumentError) {
    if wish == nil, let slot, let document { return try write(document.name, slot.key) }
    let name = try readable(wish ?? newName)
    let known = shelf.named(name)
    // So that removed setups can be restored.
    guard let key = known?.key ?? shelf.collection.freeKey(sparesTrash: true) else {
      throw DocumentError(description: "could not save \"\(name)\": all places are taken")
    }
    try write(known?.document.name ?? name, key)
  }

  /// Saves everything as a new setup, under a name or under `newName`.
  /// - Parameter now: CLOCK_MONOTONIC, to recognize a packet that the network has duplicated.
  public func saveNew(named wish: String? = nil, now: Int64) throws(DocumentError) {
    // The default name has changed after the first save.
    if writer.isDuplicate("new setup \(wish ?? "")", now) { return }
    let name = try readable(wish ?? newName)
    if shelf.named(name) != nil {
      throw DocumentError(description: "there is a setup \"\(name)\" already")
    }
    try save(named: name)
  }

  /// The default name of a new setup.
  public var newName: String {
    let number = Document.unusedNumber(from: shelf.collection.current.count + 1) {
      shelf.named("Setup \($0)") != nil
    }
    return "Setup \(number)"
  }

  func readable(_ wish: String) throws(DocumentError) -> String {
    if let name = Document.name(wish) { return name }
    throw DocumentError(description: "takes a name that can be read")
  }

  private func write(_ name: String, _ key: String) throws(DocumentError) {
    guard let target = Slot(key: key) else {
      throw DocumentError(description: "\(key) is no place of a setup")
    }
    settle()
    let before = state
    var setup = present
    setup.about = prepared(target)?.setup.about ?? about
    let text = SetupText.write(setup, names: writer.names)
    let changes = try library.documents.recording { () throws(DocumentError) in
      try library.documents.save(Document(name: name, text: text), .setup, key)
    }
    prepare(setup, target, name: name, text: text)
    (slot, tempoOfEntry, isBrought) = (target, nil, false)
    add(.init(action: "save of setup \"\(name)\"", before: before, after: state, changes: changes))
    presets.saving.post("setup \(target.setupNumber), \"\(name)\"")
    writer.changed(.show)
  }

  /// Called before another setup is recalled: saves the edits in the current one, or keeps them as an earlier version
  /// of it.
  func leave() {
    defer { isBrought = false }
    if isBrought { return }
    guard let slot, let document, let stored = prepared(slot), !isAsStored else { return }
    var setup = present
    restoreBorrowed(in: &setup)
    restoreUnedited(stored.setup, in: &setup)
    if setup.isSame(as: stored.setup) { return }
    let text = SetupText.write(setup, names: writer.names)
    do throws(DocumentError) {
      if edits == .keep {
        return try library.documents.save(Document(name: document.name, text: text), .setup, slot.key)
      }
      let edited = Document(name: document.name, text: SetupText.markDropped(text))
      try library.documents.save(edited, .setup, slot.key)
      _ = try library.documents.restore(age: 1, as: document, .setup, slot.key)
      library.documents.keep(Limits.droppedEdits, versionsOf: .setup, slot.key) {
        SetupText.isDropped($0.text)
      }
    } catch { notices.post("edits of \"\(document.name)\" are not kept: \(error)", about: .show) }
  }

  /// Restores the stored values that the player did not edit, before the edits of a setup are kept: values that a recall
  /// leaves alone, a tempo from an entry of a setlist or from a clock, and the sound before a snapshot was recalled.
  private func restoreUnedited(_ stored: Setup, in setup: inout Setup) {
    let keep = stored.about.keep
    setup.about = stored.about
    if keep.tempo || isClockFollowed || tempoOfEntry != nil { setup.tempo = stored.tempo }
    if keep.mixer { setup.equalizer = stored.equalizer }
    for part in setup.parts.indices {
      if keep.parts.contains(part) { setup.parts[part] = stored.parts[part] }
      if stored.parts[part].has(setup.parts[part].patch) {
        setup.parts[part].patch = stored.parts[part].patch
      }
      if keep.tuning { setup.parts[part].tuning = stored.parts[part].tuning }
      if !keep.mixer { continue }
      let strip = stored.parts[part].strip
      setup.parts[part].strip.level = strip.level
      setup.parts[part].strip.pan = strip.pan
      setup.parts[part].strip.mute = strip.mute
    }
  }
}
