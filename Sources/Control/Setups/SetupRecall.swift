import Parameters
import Presets
import Scenes
import Storage
import Tuning

// The recall of a setup, as a difference from the current state.

extension Setups {
  /// Recalls the setup that a person means by a number, a name, or the beginning of a name.
  public func recall(named words: String) throws(DocumentError) { recall(try slot(of: words)) }

  /// Recalls the setup with a number, from 1.
  public func recall(number: Int) throws(DocumentError) {
    guard let slot = Slot(setupNumber: number), library.documents[.setup, slot.key] != nil else {
      throw DocumentError(description: "finds no setup \(number)")
    }
    recall(slot)
  }

  /// The slot of a setup by its number, its key, or its name or the beginning of it.
  func slot(of words: String) throws(DocumentError) -> Slot {
    let number = Int(words).flatMap { Slot(setupNumber: $0) }
    if let number, library.documents[.setup, number.key] != nil { return number }
    guard let slot = Slot(key: try shelf.find(words).key) else {
      throw DocumentError(description: "no setup is named \"\(words)\"")
    }
    return slot
  }

  /// Recalls the setup in a slot.
  /// - Parameters:
  ///   - tempo: A tempo instead of the setup's, from an entry of a setlist.
  ///   - transpose: Semitones, from an entry of a setlist.
  func recall(_ slot: Slot, tempo: Float? = nil, transpose: Int = 0) {
    settle()
    leave()
    guard let next = prepared(slot) else {
      let name = library.documents[.setup, slot.key]?.name ?? ""
      return notices.post("unreadable: the setup \"\(name)\" was not recalled", about: .show, log: "")
    }
    onRecall()
    let before = state
    self.slot = slot
    tempoOfEntry = tempo
    self.transpose(transpose)
    var setup = next.setup
    if let tempo {
      setup.tempo = tempo
      setup.about.keep.tempo = false
    }
    let action = "recall of setup \"\(next.name)\""
    apply(setup, next.origins, missing: next.missing, action)
    add(.init(action: action, before: before, after: state))
    writer.changed(.show)
  }

  /// Sets everything as in a setup, except for the values that its `keep` line names. A part whose sound is
  /// bit-identical keeps its generation, so that its notes and effects continue.
  func apply(
    _ setup: Setup, _ origins: [PresetOrigin], missing: [String], _ action: String
  ) {
    let keep = setup.about.keep
    var choices: [TuningChoice?] = []
    for (part, stored) in setup.parts.enumerated() {
      let isKept = keep.parts.contains(part)
      choices.append(isKept || keep.tuning ? nil : stored.tuning)
      if isKept { continue }
      presets.recall(PartSound(patch: stored.patch, snapshots: stored.snapshots), origins[part], part, action)
      set(stored, part, keepsMixer: keep.mixer)
    }
    if !keep.tempo && !isClockFollowed { set("/tempo", setup.tempo) }
    if !keep.mixer { set(setup.equalizer) }
    let problems = tunings.recall(choices)
    postMissing(problems.map { "\($0)" }, missing, setup)
  }

  /// Semitones by which the show transposes keys that are struck from now on, except in drum parts.
  public var transposition: Int { writer.stage.transposition }

  /// Transposes keys that are struck from now on, except in drum parts.
  func transpose(_ semitones: Int) {
    if writer.stage.transposition == semitones { return }
    writer.stage.transposition = semitones
    writer.publishSoon()
  }

  /// Whether the tempo comes from the clock of a device or from a song.
  var isClockFollowed: Bool {
    let clock = writer.link.beatClock.now
    return clock.isLedByDevice || clock.isLedBySong
  }

  /// Sets the strip, the input and the morph of a part.
  private func set(_ stored: SetupPart, _ part: Int, keepsMixer: Bool) {
    let strip = writer.stage.scene[part].strip
    var wanted = stored.strip
    if keepsMixer { (wanted.level, wanted.pan, wanted.mute) = (strip.level, strip.pan, strip.mute) }
    let before = Setups.partKnobs.map { writer[ParameterID(row: $0, part: part)] }
    // All at once: set one by one, the ends of a range would push each other.
    writer.stage.scene[part].strip = wanted
    writer.stage.scene[part].input = stored.input.settled
    var morph = stored.morph
    morph.position = writer.stage.scene[part].morph.position
    writer.stage.scene[part].morph = morph
    for (row, value) in zip(Setups.partKnobs, before) {
      let knob = ParameterID(row: row, part: part)
      if writer[knob] != value { writer.changed(.knob(knob)) }
    }
  }

  private func set(_ equalizer: EqualizerKnobs) {
    set("/master/eq/bypass", equalizer.bypass)
    set("/master/eq/frequency", equalizer.frequency)
    set("/master/eq/q", equalizer.q)
    set("/master/eq/gain", equalizer.gain)
  }

  private func set(_ address: String, _ value: Float) {
    writer.set(ParameterID(row: KeyRanges.row(address), part: 0), to: value)
  }

  /// The rows of the strip, of the input and of the morph of a part.
  private static let partKnobs = Table.rows.indices.filter {
    [.strip, .input, .morph].contains(Table.rows[$0].field.scope)
  }

  /// Posts one notice that names everything that is missing.
  private func postMissing(_ problems: [String], _ presets: [String], _ setup: Setup) {
    if problems.isEmpty && presets.isEmpty { return notices.clear(about: .show) }
    var words: [String] = []
    if !problems.isEmpty {
      let lost = setup.parts.map(\.tuning).filter { tuning in
        problems.contains { $0.hasPrefix(tuning.scale + ".") || $0.hasPrefix(tuning.map + ".") }
      }
      let names = Set(lost.map { $0.map == TuningChoice.auto ? $0.scale : $0.map }).sorted()
      words += names.isEmpty ? ["a tuning"] : names.map { "tuning \($0)" }
    }
    words += presets.map { "preset \($0)" }
    notices.post(
      "missing: " + words.joined(separator: ", "), about: .show, .moment(seconds: 10),
      log: "the setup plays without what is missing: "
        + (problems + presets.map { "the preset \"\($0)\"" }).joined(separator: "; "))
  }
}

/// The state that undo of a setup restores.
struct SetupState {
  /// Everything that a setup sets, as it is.
  let setup: Setup
  /// The presets of the parts.
  let origins: [PresetOrigin]
  /// The slot of the setup from which it came; nil without one.
  let slot: Slot?
  let tempoOfEntry: Float?
  let transposition: Int
}

extension Setups {
  /// Everything that a setup sets, as it is now, with the description of the current setup.
  var present: Setup {
    var setup = writer.stage.read { Setup($0.pointee) }
    for part in 0..<Limits.parts {
      setup.parts[part].tuning = tunings.choices[part]
      if let edited = presets.edited[part] { setup.parts[part].patch = edited }
      setup.parts[part].snapshots = presets.snapshots(part: part)
      setup.parts[part].preset = reference(to: presets.origins[part])
    }
    return setup
  }

  private static let tempoRow = KeyRanges.row("/tempo")

  private func reference(to origin: PresetOrigin) -> PresetReference? {
    // The initial sound belongs to no preset, whatever its name.
    let isInitial = origin.slot == nil && origin.stored.map { $0.isSame(as: .initial) } ?? false
    if origin.name.isEmpty || isInitial { return nil }
    return PresetReference(slot: origin.isRemoved ? nil : origin.slot, name: origin.name)
  }

  /// Puts what a song that plays will give back into a setup.
  func restoreBorrowed(in setup: inout Setup) {
    for (part, before) in presets.borrowedSounds {
      (setup.parts[part].patch, setup.parts[part].snapshots) = (before.patch, before.snapshots)
      setup.parts[part].preset = reference(to: before.origin)
    }
    // Beside the tempo, a song moves pans only.
    for (knob, value) in writer.stage.borrowedKnobs {
      if knob.row == Setups.tempoRow { setup.tempo = value } else { setup.parts[knob.part].strip.pan = value }
    }
  }

  /// The state, for undo.
  var state: SetupState {
    SetupState(
      setup: present, origins: presets.origins, slot: slot, tempoOfEntry: tempoOfEntry,
      transposition: writer.stage.transposition)
  }

  /// Whether everything that a recall would set is as in the current setup. True without a setup.
  var isAsStored: Bool {
    guard let slot, let stored = prepared(slot)?.setup else { return true }
    let keep = stored.about.keep
    let isSameTempo =
      keep.tempo || isClockFollowed
      || writer.stage.scene.master.tempo == tempoOfEntry ?? stored.tempo
    if !isSameTempo { return false }
    if !keep.mixer, !areSame(writer.stage.scene.master.equalizer, stored.equalizer) { return false }
    for part in 0..<Limits.parts where !keep.parts.contains(part) {
      if !isAsStored(part, stored.parts[part], keep) { return false }
    }
    return true
  }

  private func isAsStored(_ part: Int, _ stored: SetupPart, _ keep: RecallExclusions) -> Bool {
    if !keep.tuning, tunings.choices[part] != stored.tuning { return false }
    if presets.snapshots(part: part) != stored.snapshots { return false }
    let sound = presets.patch(part: part)
    return writer.stage.read { scene in
      let now = scene.part(part)
      var strip = stored.strip
      if keep.mixer {
        (strip.level, strip.pan, strip.mute) =
          (now.pointee.strip.level, now.pointee.strip.pan, now.pointee.strip.mute)
      }
      var morph = stored.morph
      morph.position = now.pointee.morph.position
      return areSame(now.pointee.morph, morph) && areSame(now.pointee.strip, strip)
        && areSame(now.pointee.input, stored.input.settled)
        && stored.has(sound)
    }
  }
}

extension SetupPart {
  /// Whether a sound is the part's, or that of one of its snapshots: to recall one is not an edit.
  func has(_ sound: Patch) -> Bool {
    sound.isSame(as: patch) || snapshots.filled.contains { snapshots[$0]?.patch.isSame(as: sound) ?? false }
  }
}

extension Setup {
  /// Whether both are bit-identical, except for the positions of the morphs, which do not belong to a setup.
  func isSame(as other: Setup) -> Bool {
    tempo == other.tempo && areSame(equalizer, other.equalizer)
      && zip(parts, other.parts).allSatisfy { $0.isSame(as: $1) }
  }
}

extension SetupPart {
  fileprivate func isSame(as other: SetupPart) -> Bool {
    var morph = morph
    morph.position = other.morph.position
    return patch.isSame(as: other.patch) && areSame(morph, other.morph) && areSame(strip, other.strip)
      && areSame(input, other.input) && preset == other.preset && tuning == other.tuning
      && snapshots == other.snapshots
  }
}

// Undo and redo of recalls, saves, renamings and removals of setups.

extension Setups {
  /// Undoes the last recall, save, renaming or removal of a setup, with the edits that a recall has dropped.
  public func undo() throws(DocumentError) {
    settle()
    guard let step = history.undo() else { throw DocumentError(description: "there is nothing to undo") }
    let kept = step.changes.reversed().filter { !library.documents.undo($0) }
    go(to: step.before, "undone \(step.action)", kept)
    if kept.isEmpty { announce(step, "Undone", "undo") }
  }

  /// Redoes the last undone step.
  public func redo() throws(DocumentError) {
    settle()
    guard let step = history.redo() else { throw DocumentError(description: "there is nothing to redo") }
    let kept = step.changes.filter { !library.documents.redo($0) }
    go(to: step.after, "redone \(step.action)", kept)
    if kept.isEmpty { announce(step, "Done again", "redo") }
  }

  /// Announces a step that was undone or redone, and its saving if it changed what is stored.
  private func announce(_ step: History<SetupState>.Step, _ done: String, _ noun: String) {
    if !step.changes.isEmpty { return presets.saving.post(change: "\(noun) of \(step.action)") }
    notices.post("\(done): \(step.action)", about: .show, .moment(seconds: 3), log: "")
  }

  /// Makes the edits since the last step a step of their own, so that undo and redo lose none of them.
  func settle() {
    presets.settleAll()
    settleEdits()
  }

  /// Makes the edits up to now a step of their own, and ends neither a comparison nor a recording.
  func settleEdits() {
    let now = state
    defer { settled = now }
    guard let settled, isOther(now.setup, than: settled.setup) else { return }
    history.add(.init(action: "edits", before: settled, after: now))
  }

  /// Adds a step to the history.
  func add(_ step: History<SetupState>.Step) {
    history.add(step)
    settled = step.after
  }

  /// Runs `body` as a step of the history.
  func addStep(_ action: String, _ body: () -> Void) {
    settleEdits()
    let before = state
    body()
    add(.init(action: action, before: before, after: state))
    writer.changed(.show)
  }

  /// Whether two setups differ in more than the tempo of a clock that is followed. They are compared as values:
  /// writing both texts would delay a recall by milliseconds.
  private func isOther(_ setup: Setup, than before: Setup) -> Bool {
    var setup = setup
    if isClockFollowed { setup.tempo = before.tempo }
    return !setup.isSame(as: before)
  }

  private func go(to state: SetupState, _ action: String, _ kept: [DocumentChange]) {
    defer { settled = self.state }
    (slot, tempoOfEntry) = (state.slot, state.tempoOfEntry)
    transpose(state.transposition)
    apply(state.setup, state.origins, missing: [], action)
    writer.changed(.show)
    if let key = kept.first?.id.key, let slot = Slot(key: key) {
      notices.post("saved since by another hand, and left as it is: setup \(slot.setupNumber)", about: .show)
    }
  }
}
