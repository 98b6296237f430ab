import Presets
import Storage

// Earlier versions of presets, places and bundles, by the name of a preset. Each change is a step in the history of a
// part.

extension PartPresets {
  // MARK: - Versions

  /// The versions of a user preset as lines of fields separated by tabs: age, when it was saved in seconds since 1970
  /// or `-` if that is unknown, and name.
  public func versions(of name: String) throws -> [String] {
    library.versions(try own(name).slot).map { version in
      "\(version.age)\t\(version.saved.map { "\($0)" } ?? "-")\t\(version.preset.name)"
    }
  }

  /// The text of a version of a user preset, including its name and its slot.
  public func text(of name: String, age: Int) throws -> String {
    library.exported(try library.version(try own(name).slot, age: age).preset)
  }

  /// The differences between two versions of a user preset, as lines of fields separated by tabs: the address of a knob,
  /// or `name`, `category`, `tags`, `author`, `about` or `favorite`; the value before, and the value after, in words
  /// with units.
  public func differences(of name: String, from age: Int, to other: Int = 0) throws -> [String] {
    let slot = try own(name).slot
    let (one, two) = (try library.version(slot, age: age), try library.version(slot, age: other))
    return library.differences(from: one.preset, to: two.preset).map {
      "\($0.address)\t\($0.before)\t\($0.after)"
    }
  }

  /// Brings back an earlier version of a user preset. The sound of a part stays until the preset is recalled. Returns
  /// a sentence about what was done.
  public func bring(_ name: String, age: Int) throws -> String {
    let (slot, before) = try own(name)
    try edit("return of version \(age) of \"\(before)\"", slot, writer.focus) { () throws(DocumentError) in
      try library.restore(slot, age: age)
    }
    let name = library[slot]?.name ?? before
    return "version \(age) of \"\(name)\" is back in \(slot.label)"
  }

  // MARK: - Places

  /// Moves a user preset to another slot, given as `BANK/PROGRAM`; a preset there gets the slot that it had. Returns a
  /// sentence about what was done.
  public func move(_ name: String, to key: String) throws -> String {
    let (slot, name) = try own(name)
    guard let other = Slot(key: key) else {
      throw DocumentError(description: "takes a place as BANK/PROGRAM, not \"\(Document.name(key) ?? "")\"")
    }
    let replaced = library[other]
    let before = beginStep(writer.focus)
    let changes = try library.recording { () throws(DocumentError) in try library.move(slot, to: other) }
    exchange(slot, other, stepOf: writer.focus)
    endStep("move of \"\(name)\"", writer.focus, before, changes)
    writer.changed(.page)
    saving.post("\"\(name)\", \(other.label)")
    let swapped =
      replaced.map { $0.isFactory || slot == other ? "" : ", \"\($0.name)\" in \(slot.label)" } ?? ""
    return "\"\(name)\" is in \(other.label)" + swapped
  }

  /// Follows two presets that have exchanged their slots in a step of a part.
  func exchange(_ slot: Slot, _ other: Slot, stepOf part: Int) {
    if slot == other { return }
    follow([slot: other, other: slot], stepOf: part)
    for either in [slot, other] { readPresets(in: either) }
  }

  // MARK: - Bundles

  /// A text with the named presets, one after the other.
  public func bundle(_ names: [String]) throws -> String {
    library.listing.bundle(try names.map { try library.find($0) })
  }
}

extension ImportedPreset {
  /// A sentence about the result, and about the lines that could not be read.
  public var sentence: String {
    guard let slot else { return "line \(line): \(problem)" }
    return (["\"\(name)\" is in \(slot.label)"] + warnings.map { "\($0)" }).joined(separator: "; ")
  }
}
