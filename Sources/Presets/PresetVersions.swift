import Parameters
import Scenes
import Storage

// The earlier versions of user presets, and the differences between two versions.

/// A version of a preset.
public struct PresetVersion: Sendable, Equatable {
  /// 0 for the current version, 1 for the one before, and so on.
  public let age: Int
  /// When it was saved, seconds since 1970; nil if that is unknown.
  public let saved: Int?
  /// The preset as it was.
  public let preset: Preset
}

/// A difference between two versions of a preset, in words with units.
public struct PresetDifference: Sendable, Equatable {
  /// The address of the knob, with `/snapshot/a` … `/snapshot/h` before it for one of a snapshot; or `name`,
  /// `category`, `tags`, `author`, `about` or `favorite`.
  public let address: String
  /// The value of the first version; empty if it has none.
  public let before: String
  /// The value of the second version; empty if it has none.
  public let after: String
}

extension Library {
  /// The versions of the user preset in a slot, the current one first; also those of a removed preset.
  public func versions(_ slot: Slot) -> [PresetVersion] {
    documents.history(.preset, slot.key).versions.map { age, document in
      PresetVersion(
        age: age, saved: document.saved,
        preset: Preset(slot: slot, name: document.name, text: document.text, isFactory: false))
    }
  }

  /// The version of an age of the user preset in a slot.
  public func version(_ slot: Slot, age: Int) throws(DocumentError) -> PresetVersion {
    let versions = versions(slot)
    if let version = versions.first(where: { $0.age == age }) { return version }
    let ages = versions.map { "\($0.age)" }.joined(separator: ", ")
    throw DocumentError(
      description: versions.isEmpty
        ? "\(slot.label) has no versions" : "\(slot.label) has no version \(age); it has \(ages)")
  }

  /// Restores an earlier version of the user preset in a slot; the current one becomes the newest of the earlier
  /// ones. The favorite mark does not change.
  public func restore(_ slot: Slot, age: Int) throws(DocumentError) {
    let old = try version(slot, age: age).preset
    guard age > 0 else { throw DocumentError(description: "version 0 is the current one") }
    var text = old.text
    if let user = userPreset(slot) {
      var about = PresetAbout(text: text)
      let isFavorite = PresetAbout(text: user.text).isFavorite
      if about.isFavorite != isFavorite {
        about.isFavorite = isFavorite
        text = PresetText.describing(text, about)
      }
    }
    let document = Document(name: old.name, text: text, saved: versions(slot).first { $0.age == age }?.saved)
    guard try documents.restore(age: age, as: document, .preset, slot.key) else {
      throw DocumentError(description: "\(slot.label) has no version \(age)")
    }
    updateIndex(slot)
  }

  /// Moves the user preset in a slot to another, with its versions; a user preset there gets the slot that it had.
  public func move(_ slot: Slot, to other: Slot) throws(DocumentError) {
    _ = try userDocument(slot, "move")
    if other.isFactory {
      throw DocumentError(
        description: "bank \(other.bank) is the factory's; yours are 1 to \(Slot.furtherBank - 1)")
    }
    documents.exchange(.preset, slot.key, other.key)
    for changed in [slot, other] { updateIndex(changed) }
  }

  /// The differences between two versions of a preset: its name and description, then the knobs in the order of the
  /// table. A text that cannot be read has initial values.
  public func differences(from one: Preset, to other: Preset) -> [PresetDifference] {
    var differences: [PresetDifference] = []
    func compare(_ address: String, _ before: String, _ after: String) {
      if before == after { return }
      differences.append(PresetDifference(address: address, before: before, after: after))
    }
    let (old, new) = (PresetAbout(text: one.text), PresetAbout(text: other.text))
    compare("name", one.name, other.name)
    compare("category", old.category?.rawValue ?? "", new.category?.rawValue ?? "")
    compare("tags", old.tags.joined(separator: ", "), new.tags.joined(separator: ", "))
    compare("author", old.author ?? "", new.author ?? "")
    compare("about", old.description ?? "", new.description ?? "")
    compare("favorite", old.isFavorite ? "on" : "off", new.isFavorite ? "on" : "off")
    let names = NameRegister()
    let first = try? PresetText.read(one.text, names: names)
    let second = try? PresetText.read(other.text, names: names)
    compareSounds("", first?.patch ?? .initial, second?.patch ?? .initial, names, compare)
    for (index, letter) in Table.snapshots.enumerated() {
      let (was, isNow) = (first?.snapshots[index], second?.snapshots[index])
      if was == isNow { continue }
      compare("/snapshot/\(letter)", was?.title ?? "", isNow?.title ?? "")
      guard let was, let isNow else { continue }
      compareSounds("/snapshot/\(letter)", was.patch, isNow.patch, names, compare)
    }
    return differences
  }

  /// Calls `compare` with the address, after a prefix, of each knob and step in which two sounds differ, and both
  /// values.
  private func compareSounds(
    _ prefix: String, _ before: Patch, _ after: Patch, _ names: NameRegister,
    _ compare: (String, String, String) -> Void
  ) {
    for row in Table.rows where row.field.scope == .patch {
      let (was, isNow) = (before[row], after[row])
      if was.bitPattern == isNow.bitPattern { continue }
      let kind = row.kind.knowing(names)
      var (words, newWords) = (kind.text(value: was), kind.text(value: isNow))
      // Values that look equal on a label are shown with all their digits.
      if words == newWords { (words, newWords) = (kind.exact(value: was), kind.exact(value: isNow)) }
      compare(prefix + row.address, words, newWords)
    }
    for step in 0..<StepSequence.mostSteps where before.sequence[step] != after.sequence[step] {
      compare(prefix + "/sequence/step/\(step + 1)", before.sequence[step].text, after.sequence[step].text)
    }
  }
}
