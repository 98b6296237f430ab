import Storage
import Synth

/// One line of the list of presets: also of those that cannot be read.
public struct CatalogEntry: Sendable, Equatable {
  /// Where it lies; nil for one outside the banks.
  public let slot: Slot?
  /// Its name, or where it lies in the database when it has none.
  public let name: String
  /// True for the factory's.
  public let isFactory: Bool
  /// Why it cannot be read; empty when it can.
  public let problem: String
}

extension Library {
  /// All presets in the order of their slots, then what cannot be read.
  public var catalog: [CatalogEntry] {
    let presets = presets
    // Reading a text takes a hundred times as long as finding it.
    let known = problems
    problems = [:]
    for preset in presets { problems[preset.text] = known[preset.text] ?? problem(preset.text) }
    let listed = presets.map { preset in
      CatalogEntry(
        slot: preset.slot, name: preset.name, isFactory: preset.isFactory,
        problem: problems[preset.text] ?? "")
    }
    return listed + leftOut + strays
  }

  /// Removed presets that can be brought back.
  public var trashCatalog: [CatalogEntry] {
    trash.map {
      CatalogEntry(slot: $0.slot, name: $0.name, isFactory: false, problem: problem($0.text))
    }
  }

  private func problem(_ text: String) -> String {
    do throws(TextRefusal) {
      _ = try PresetText.read(text)
      return ""
    } catch {
      return error.description
    }
  }

  /// What lies among the player's presets and was written by no pipit.
  private var strays: [CatalogEntry] {
    documents[all: .preset].sorted { $0.key < $1.key }.compactMap { key, document in
      let why = document.name.isEmpty ? "it has no name" : Slot(key: key) == nil ? "it is in no slot" : nil
      return why.map {
        CatalogEntry(
          slot: nil, name: document.name.isEmpty ? key : document.name, isFactory: false, problem: $0)
      }
    }
  }

  // MARK: - Presets as texts

  /// The text of a preset with its name and its slot in it, as it is taken elsewhere.
  public func exported(_ preset: Preset) -> String {
    let slot = preset.slot.map { ["slot \($0.bank) \($0.program)"] } ?? []
    return TextFormat.adding(
      ["name \(preset.name)"] + slot, to: PresetText.bare(preset.text), kind: "preset")
  }

  /// Saves a text as a preset of the player's, every line of it: over the one of that name, or else in the slot that
  /// it names if nothing else lies there, or else in the first free one. The preset, and what could not be taken.
  public func importText(
    _ text: String, name fallback: String
  ) throws(DocumentError) -> (preset: Preset, warnings: [TextWarning]) {
    let reading: PresetText.Reading
    let bare = PresetText.bare(text)
    do throws(TextRefusal) {
      // What an export adds is not kept, so that it is not counted.
      try TextFormat.check(bare, kind: "preset", limit: Limits.textBytes)
      reading = try PresetText.read(text, limit: .max)
    } catch {
      throw DocumentError(description: error.description)
    }
    guard let name = reading.name ?? Document.name(fallback) else {
      throw DocumentError(description: "the text has no line with a name")
    }
    let empty = reading.slot.flatMap { slot in slot.bank > 0 && self[slot] == nil ? slot : nil }
    guard let slot = ownNames[name.lowercased()] ?? empty ?? freeSlot else {
      throw DocumentError(description: "could not import \"\(name)\": all banks are full")
    }
    try put(Document(name: name, text: bare), in: slot)
    return (Preset(slot: slot, name: name, text: bare, isFactory: false), reading.warnings)
  }
}
