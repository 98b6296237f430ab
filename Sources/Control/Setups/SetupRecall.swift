import Parameters
import Presets
import Storage
import Synth
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
