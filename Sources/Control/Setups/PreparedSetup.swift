import Presets
import Storage
import Synth
import Tuning

/// A setup that has been read: a recall of it needs neither text nor disk.
struct PreparedSetup {
  /// The text from which it was read.
  let text: String
  /// The edition of the library in which its presets were found.
  let edition: Int
  let name: String
  var setup: Setup
  /// The presets of the parts, with their stored sounds.
  let origins: [PresetOrigin]
  /// The names of missing presets.
  let missing: [String]

  init(_ document: Document, _ setup: Setup, _ library: Library) {
    (text, edition, name, self.setup) = (document.text, library.edition, document.name, setup)
    var (origins, missing): ([PresetOrigin], [String]) = ([], [])
    for part in setup.parts {
      guard let reference = part.preset else {
        origins.append(PresetOrigin())
        continue
      }
      if let preset = library.preset(of: reference) {
        let sound = library.sound(of: preset)
        var origin = PresetOrigin(slot: preset.slot, name: preset.name, stored: sound?.patch)
        origin.storedSnapshots = sound?.snapshots ?? Snapshots()
        origins.append(origin)
      } else {
        origins.append(PresetOrigin(slot: nil, name: reference.name, isGone: true))
        if !missing.contains(reference.name) { missing.append(reference.name) }
      }
    }
    (self.origins, self.missing) = (origins, missing)
  }
}

extension Setups {
  /// The setup in a slot, read now unless it was read ahead; nil if there is none, or it cannot be read at all.
  func prepared(_ slot: Slot) -> PreparedSetup? {
    guard let document = library.documents[.setup, slot.key] else { return nil }
    if let known = ready[slot], known.text == document.text, known.name == document.name,
      known.edition == library.edition
    {
      return known
    }
    // It is named when it is recalled, and logged once.
    if unreadable[slot] == document.text { return nil }
    do throws(TextRefusal) {
      let (setup, warnings) = try SetupText.read(document.text)
      for warning in warnings { notices.log("setup \"\(document.name)\", \(warning)") }
      let prepared = PreparedSetup(document, setup, library)
      ready[slot] = prepared
      return prepared
    } catch {
      unreadable[slot] = document.text
      notices.log("could not read the setup \"\(document.name)\": \(error)")
      return nil
    }
  }

  /// Reads ahead what may be recalled next: the setup itself, its neighbours, and what the setlist wants.
  func prepare() {
    let slots = slots
    var near = Set(wanted)
    if let slot {
      near.formUnion([slot, slots.first { $0 > slot }, slots.last { $0 < slot }].compactMap { $0 })
    } else if let first = slots.first {
      near.insert(first)
    }
    ready = ready.filter { near.contains($0.key) }
    var choices: Set<TuningChoice> = []
    for slot in near { choices.formUnion(prepared(slot)?.setup.parts.map(\.tuning) ?? []) }
    tunings.prepare(choices)
  }
}
