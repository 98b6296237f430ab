import Parameters
import Scenes
import Storage

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

/// All presets at one moment, for lists and bundles, which take long. A value type; any thread.
public struct PresetListing: Sendable {
  /// The slots that hold a preset, ascending.
  let slots: [Slot]
  let factory: [Slot: Preset]
  /// Factory presets outside the banks.
  let outside: [Preset]
  let leftOut: [CatalogEntry]
  /// The user presets with their versions.
  let documents: DocumentCollection
  /// The player's marks of factory presets.
  let marks: DocumentCollection

  /// All presets in order of bank and program. A user preset hides a factory preset in its slot.
  public var presets: [Preset] { slots.compactMap { self[$0] } }

  /// The names of all presets, in the order of their slots.
  public var names: [String] { presets.map(\.name) }

  /// The preset in a slot; nil for an empty slot.
  subscript(slot: Slot) -> Preset? {
    if let user = documents.document(slot.key), !user.name.isEmpty {
      return Preset(slot: slot, name: user.name, text: user.text, isFactory: false)
    }
    return factory[slot]
  }

  /// All presets in the order of their slots, then the entries that cannot be read.
  public var catalog: [CatalogEntry] { presets.map(entry) + leftOut + invalidEntries }

  /// Removed presets that can be restored, in the order of their slots.
  public var trash: [CatalogEntry] {
    documents.trashEntries.compactMap { documents.removedPreset($0.key).map(entry) }
  }

  /// The entry of a preset.
  public func entry(_ preset: Preset) -> CatalogEntry {
    CatalogEntry(
      slot: preset.slot, name: preset.name, isFactory: preset.isFactory,
      problem: PresetText.refusal(preset.text) ?? "", about: about(preset))
  }

  /// Invalid entries among the user presets, which no pipit wrote.
  private var invalidEntries: [CatalogEntry] {
    documents.entries.compactMap { entry in
      let (key, document) = (entry.key, entry.document)
      let why = document.name.isEmpty ? "it has no name" : Slot(key: key) == nil ? "it is in no slot" : nil
      return why.map {
        CatalogEntry(
          slot: nil, name: document.name.isEmpty ? key : document.name, isFactory: false, problem: $0)
      }
    }
  }

  /// The description of a preset: the lines of its text, and for a factory preset also the player's marks.
  func about(_ preset: Preset) -> PresetAbout {
    var about = PresetAbout(text: preset.text)
    guard preset.isFactory, let mark = marks.document(preset.name).map({ PresetMark(text: $0.text) }) else {
      return about
    }
    about.isFavorite = mark.isFavorite
    about.tags = mark.tags ?? about.tags
    return about
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
    guard preset.isFactory, marks.document(preset.name) != nil else { return preset.text }
    return PresetText.describing(preset.text, about(preset))
  }

  /// A bundle of presets, with their names and slots. Factory presets have the player's tags and favorites.
  public func bundle(_ presets: [Preset]) -> String {
    presets.map { preset in
      let text = exported(preset)
      return text.hasSuffix("\n") ? text : text + "\n"
    }.joined()
  }

  /// A bundle of the player's presets, in the order of their slots.
  public var userBundle: String { bundle(presets.filter { !$0.isFactory }) }
}

extension Library {
  /// The entry of a preset.
  public func entry(_ preset: Preset) -> CatalogEntry { listing.entry(preset) }

  /// The description of a preset: the lines of its text, and for a factory preset also the player's marks.
  public func about(_ preset: Preset) -> PresetAbout { listing.about(preset) }

  /// The text of a preset with its name and its slot, for export.
  public func exported(_ preset: Preset) -> String { listing.exported(preset) }
}
