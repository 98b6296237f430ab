import Parameters
import Storage
import Synth

/// An entry of the list of presets, which includes those that cannot be read.
public struct CatalogEntry: Sendable, Equatable {
  /// The slot; nil for a preset outside the banks.
  public let slot: Slot?
  /// The name, or the key in the database for a preset without one.
  public let name: String
  /// Whether it is a factory preset.
  public let isFactory: Bool
  /// The reason why it cannot be read; empty if it can.
  public let problem: String
  /// Its description; empty if it cannot be read.
  public var about = PresetAbout()
}

extension Library {
  /// All presets in the order of their slots, then the entries that cannot be read.
  public var catalog: [CatalogEntry] { presets.map(entry) + leftOut + invalidEntries }

  /// Removed presets that can be restored.
  public var trashCatalog: [CatalogEntry] { trash.map(entry) }

  /// The entry of a preset.
  public func entry(_ preset: Preset) -> CatalogEntry {
    CatalogEntry(
      slot: preset.slot, name: preset.name, isFactory: preset.isFactory,
      problem: PresetText.refusal(preset.text) ?? "", about: about(preset))
  }

  /// Invalid entries among the user presets, which no pipit wrote.
  private var invalidEntries: [CatalogEntry] {
    documents[all: .preset].sorted { $0.key < $1.key }.compactMap { key, document in
      let why = document.name.isEmpty ? "it has no name" : Slot(key: key) == nil ? "it is in no slot" : nil
      return why.map {
        CatalogEntry(
          slot: nil, name: document.name.isEmpty ? key : document.name, isFactory: false, problem: $0)
      }
    }
  }

  // MARK: - Presets as texts

  /// The text of a preset with its name and its slot, for export.
  public func exported(_ preset: Preset) -> String {
    let slot = preset.slot.map { ["slot \($0.bank) \($0.program)"] } ?? []
    return TextFormat.adding(
      ["name \(preset.name)"] + slot, to: PresetText.bare(described(preset)), kind: "preset")
  }

  /// The text of a preset with the player's tags and favorite, also of a factory preset.
  private func described(_ preset: Preset) -> String {
    guard preset.isFactory, documents[.mark, preset.name] != nil else { return preset.text }
    return PresetText.describing(preset.text, about(preset))
  }

  /// Saves a text of pipit or of amsynth as a user preset. It replaces the user preset of its name, or else gets the
  /// slot that it names if that is free, or else the first free slot. Returns the preset, and warnings about lines
  /// that could not be read.
  public func importText(
    _ text: String, name fallback: String
  ) throws(DocumentError) -> (preset: Preset, warnings: [TextWarning]) {
    let reading: PresetText.Reading
    let foreign = AmsynthPreset.isOne(text) ? AmsynthSound(AmsynthPreset(text)) : nil
    let text = foreign?.text ?? text
    let bare = PresetText.bare(text)
    do throws(TextRefusal) {
      // The lines that an export adds are not stored, so they do not count.
      try TextFormat.check(bare, kind: "preset", limit: Limits.presetBytes)
      reading = try PresetText.read(text, limit: .max, names: NameRegister())
    } catch {
      throw DocumentError(description: error.description)
    }
    guard let name = reading.name ?? Document.name(fallback) else {
      throw DocumentError(description: "the text has no line with a name")
    }
    let empty = reading.slot.flatMap { slot in slot.isFactory || self[slot] != nil ? nil : slot }
    guard let slot = userSlot(named: name) ?? empty ?? freeSlot else {
      throw DocumentError(description: "could not import \"\(name)\": all banks are full")
    }
    try put(Document(name: name, text: bare), in: slot)
    return (Preset(slot: slot, name: name, text: bare, isFactory: false), foreign?.losses ?? reading.warnings)
  }
}
