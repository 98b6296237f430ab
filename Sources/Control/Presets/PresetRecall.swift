import Presets
import Storage
import Synth

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
