import Presets
import Scenes
import Storage

// Recalls presets into parts: by name, by number, by program, or the next or previous one.

extension PartPresets {
  /// The names of all presets, in the order of their slots. Takes longer the more there are.
  public var names: [String] { library.listing.names }

  /// Gives a part the sound of a preset. Sounding notes keep the sound that they started with.
  public func recall(_ preset: Preset, part: Int) {
    guard let (sound, origin) = read(preset) else { return }
    let before = beginStep(part)
    setSound(sound.patch, origin, part, snapshots: sound.snapshots)
    endStep("recall of \"\(preset.name)\"", part, before)
    onRecall(part)
  }

  /// The sound of a preset, with the preset as its origin; nil, with a notice, if it cannot be read.
  func read(_ preset: Preset) -> (sound: PartSound, origin: PresetOrigin)? {
    guard let sound = library.sound(of: preset) else {
      // The library has already logged the reason.
      notices.post("unreadable: the preset \"\(preset.name)\" was not recalled", about: .preset, log: "")
      return nil
    }
    var origin = PresetOrigin(slot: preset.slot, name: preset.name, stored: sound.patch)
    origin.storedSnapshots = sound.snapshots
    return (sound, origin)
  }

  /// Recalls the next or the previous preset into a part; from the last to the first and back.
  public func step(forward: Bool, part: Int) {
    onStep(part)
    let slot = origins[part].slot
    if let preset = forward ? library.next(after: slot) : library.previous(before: slot) {
      recall(preset, part: part)
    }
  }

  /// Recalls the preset that a person means by a name.
  public func recall(named name: String, part: Int) throws(NoSuchPreset) {
    recall(try library.find(name), part: part)
  }

  /// Recalls the preset at an index of all presets.
  public func recall(number: Double, part: Int) throws(DocumentError) {
    guard number >= 0, number < Double(library.count), let preset = library.preset(at: Int(clamping: number))
    else {
      throw DocumentError(description: "takes a name or a number below \(library.count)")
    }
    recall(preset, part: part)
  }

  /// Recalls a program of the bank of the part's preset, or of the first bank.
  public func recall(program: Int, part: Int) throws(DocumentError) {
    onStep(part)
    let bank = bank(part: part) ?? library.next(after: nil)?.slot?.bank ?? 0
    guard let preset = Slot(bank: bank, program: program).flatMap({ library[$0] }) else {
      throw DocumentError(description: "finds no program \(program) in bank \(bank)")
    }
    recall(preset, part: part)
  }

  // MARK: - Program changes

  /// Recalls the preset of a program change in the parts that receive its channel.
  func recall(_ command: Event) {
    let (number, channel, bank) = (Int(command.note), Int(command.target), Int(clamping: command.value))
    let order = writer.stage.programs(of: command.source)
    let programChannel = writer.stage.programChannel(channel, of: command.source)
    guard let preset = library.preset(bank: bank, program: number, channel: programChannel, order: order)
    else {
      return notices.post("there is no preset in bank \(bank), program \(number + 1)", about: .preset)
    }
    let parts =
      writer.stage.isDrums(channel, of: command.source)
      ? writer.stage.kitParts(of: command.source, channel: channel)
      : writer.stage.parts(channel: channel, source: command.source)
    let isSong = Int(command.source) == Limits.songSource
    for part in writer.stage.receivingPrograms(parts) {
      if isSong { borrow(part, for: preset) } else { recall(preset, part: part) }
    }
  }

  /// Gives the drum parts of a source the drum kit, if its programs are those of General MIDI.
  func recallDrums(of source: UInt8) {
    guard writer.stage.programs(of: source) == .gm, let kit = library.drums else { return }
    let parts = writer.stage.kitParts(of: source, channel: Limits.drumChannel)
    for part in writer.stage.receivingPrograms(parts) { recall(kit, part: part) }
  }
}

// Compare: the stored sound of a part's preset plays in the place of the edited one, for a while. It is not a step of
// the history, and the session keeps the edited sound.

extension PartPresets {
  /// Whether the stored sound plays in the place of the edited one.
  public func isComparing(part: Int) -> Bool { edited[part] != nil }

  /// Plays the stored sound of a part, or the edited one again. Any edit, recall or save returns to the edited one first.
  /// - Parameter now: CLOCK_MONOTONIC, to recognize a packet that the network has duplicated.
  public func compare(part: Int, now: Int64) throws(DocumentError) {
    if writer.isDuplicate("compare \(part)", now, within: SceneWriter.pressInterval) { return }
    if endComparing(part) { return }
    guard let stored = origins[part].stored else {
      throw DocumentError(description: "finds no stored sound to compare with")
    }
    onStep(part)
    let sound = writer.stage.scene[part].patch
    if sound.isSame(as: stored) {
      throw DocumentError(description: "finds nothing to compare: the sound is as stored")
    }
    edited[part] = sound
    play(stored, part)
  }

  /// Returns to the edited sound. False if the stored one was not being compared.
  @discardableResult
  public func endComparing(_ part: Int) -> Bool {
    guard let sound = edited[part] else { return false }
    edited[part] = nil
    play(sound, part)
    return true
  }

  /// Ends everything that changes the sounds of parts for a while: comparing, and the recording of a sequence.
  func settleAll() {
    for part in edited.indices {
      onStep(part)
      endComparing(part)
    }
  }

  private func play(_ sound: Patch, _ part: Int) {
    isSwitchingComparison = true
    defer { isSwitchingComparison = false }
    writer.stage.recall(sound, part: part)
    writer.changed(.sound(part: part))
    writer.changed(.preset(part: part))
  }

  /// Puts the edited sounds into a scene that is saved.
  func restoreEdited(in scene: inout Scene) {
    for part in edited.indices {
      if let sound = edited[part] { scene[part].patch = sound }
    }
  }
}

// Saving the sound of a part.

extension PartPresets {
  /// Saves the sound of a part: over its preset if that is the player's, otherwise as a new preset.
  public func save(part: Int) throws(DocumentError) { try save(part, name: nil) }

  /// Saves the sound of a part under a name, replacing the player's preset with that name if there is one.
  public func save(part: Int, named name: String) throws(DocumentError) {
    try save(part, name: try readable(name))
  }

  private func save(_ part: Int, name: String?) throws(DocumentError) {
    try save(part) { (patch, origin) throws(DocumentError) in
      try library.save(
        patch, snapshots: snapshots(part: part), name: name, current: slot(part: part), origin: origin)
    }
  }

  /// Saves the sound of a part as a new preset, under a name or under `newName(part:)`.
  /// - Parameter now: CLOCK_MONOTONIC. An equal request within a quarter of a second is a packet that the network has
  ///   duplicated.
  public func saveNew(part: Int, named wish: String? = nil, now: Int64) throws(DocumentError) {
    var name: String?
    if let wish { name = try readable(wish) }
    if writer.isDuplicate("new \(part) \(name ?? "")", now) { return }
    try save(part) { (patch, origin) throws(DocumentError) in
      try library.saveNew(
        patch, snapshots: snapshots(part: part), name: name, current: slot(part: part), origin: origin)
    }
  }

  /// The default name of a new preset with a part's sound.
  public func newName(part: Int) -> String { library.nextName(name(part: part)) }

  /// Copies the sound of a part to a slot of the player's banks, replacing the preset in it.
  public func copy(part: Int, to slot: Slot) throws(DocumentError) {
    if slot.isFactory {
      let page = library.freeSlot.map { "there is room on the page \($0.page.pageName)" }
      throw DocumentError(
        description: "\(slot.label) is the factory's; "
          + (page ?? "turn to a page of your own, all of which are full"))
    }
    let name =
      slot == self.slot(part: part) || library[slot]?.name == name(part: part) ? name(part: part) : nil
    try save(part, "copy") { (patch, origin) throws(DocumentError) in
      try library.save(
        patch, snapshots: snapshots(part: part), name: name ?? library.nextName(origin), slot: slot)
    }
  }

  /// Copies the sound of a part, and the preset that it came from, to another part.
  public func copy(part: Int, toPart other: Int) {
    if part == other { return }
    let (source, before) = (beginStep(part), beginStep(other))
    setSound(source.patch, source.origin, other, snapshots: source.snapshots)
    endStep("copy of \"\(source.origin.name)\"", other, before)
  }

  private func readable(_ name: String) throws(DocumentError) -> String {
    if Document.name(name) == nil { throw DocumentError(description: "takes a name that can be read") }
    return name
  }

  private func save(
    _ part: Int, _ action: String = "save",
    _ body: (_ patch: Patch, _ origin: String) throws(DocumentError) -> Preset
  ) throws(DocumentError) {
    let before = beginStep(part)
    var saved: Preset?
    let changes = try library.recording { () throws(DocumentError) in
      saved = try body(before.patch, before.origin.name)
    }
    guard let preset = saved, let slot = preset.slot else { return }
    origins[part] = PresetOrigin(slot: slot, name: preset.name, stored: before.patch)
    origins[part].storedSnapshots = before.snapshots
    compare(part)
    // The preset that was just overwritten may be that of another part too.
    readPresets(in: slot)
    endStep("\(action) of \"\(preset.name)\"", part, before, changes)
    turnPage(to: part)
    writer.changed(.preset(part: part))
    writer.changed(.page)
    saving.post("\"\(preset.name)\", \(slot.label)")
  }
}

extension PartPresets {
  /// Gives a part the sound and the preset of a setup, as a step of its history. A bit-identical sound continues.
  func recall(_ sound: PartSound, _ origin: PresetOrigin, _ part: Int, _ action: String) {
    borrowed[part] = nil
    if sound.patch.isSame(as: writer.stage.scene[part].patch) {
      if origins[part] == origin && snapshots(part: part) == sound.snapshots { return }
      let before = beginStep(part)
      set(sound.snapshots, part: part)
      origins[part] = origin
      compare(part)
      turnPage(to: part)
      endStep(action, part, before)
      return writer.changed(.preset(part: part))
    }
    let before = beginStep(part)
    setSound(sound.patch, origin, part, snapshots: sound.snapshots)
    endStep(action, part, before)
  }
}

extension PartPresets {
  // All programs of a song are one step of a part's history.
  private static let action = "programs of a song"

  /// Gives a part the sound of a program of a song.
  func borrow(_ part: Int, for preset: Preset) {
    guard let (sound, origin) = read(preset) else { return }
    let now = beginStep(part)
    setSound(sound.patch, origin, part, snapshots: sound.snapshots)
    let song = state(part)
    borrowed[part] = BorrowedSound(before: borrowed[part]?.before ?? now, song: song)
    settled[part] = song
    let last = histories[part].takeLast { $0.action == PartPresets.action && $0.after == now }
    histories[part].add(.init(action: PartPresets.action, before: last?.before ?? now, after: song))
  }

  /// The parts that sound as the song has left them and not as before, with what they had before.
  var borrowedSounds: [(part: Int, before: PartState)] {
    borrowed.indices.compactMap { part in
      guard let sound = borrowed[part], sound.before != sound.song,
        patch(part: part).isSame(as: sound.song.patch), snapshots(part: part) == sound.song.snapshots
      else { return nil }
      return (part, sound.before)
    }
  }

  /// Gives a part back what it had before a song, as a step of its history.
  func giveBack(_ before: PartState, _ part: Int, _ action: String) {
    recall(PartSound(patch: before.patch, snapshots: before.snapshots), before.origin, part, action)
    // The preset may have been saved or removed meanwhile.
    readPreset(part)
  }
}
