import Parameters
import Presets
import Scenes
import Storage
import System
import Tuning

/// A setup that has been read: a recall of it needs neither text nor disk.
struct PreparedSetup: Sendable {
  /// The text from which it was read.
  let text: String
  /// The edition of the library in which its presets were found.
  fileprivate(set) var edition: Int
  // The presets of the parts.
  private let presets: [Preset?]
  let name: String
  var setup: Setup
  /// The presets of the parts, with their stored sounds.
  let origins: [PresetOrigin]
  /// The names of missing presets.
  let missing: [String]

  /// Reads the sounds of the presets of a setup. Any thread.
  /// - Parameters:
  ///   - presets: The preset of each part, as `found` gives them.
  ///   - sound: The sound of a preset; nil if it cannot be read.
  init(
    _ reading: SetupReading, _ setup: Setup, _ presets: [Preset?], edition: Int, sound: (Preset) -> PartSound?
  ) {
    (text, self.edition, name, self.setup) = (reading.text, edition, reading.name, setup)
    self.presets = presets
    var (origins, missing): ([PresetOrigin], [String]) = ([], [])
    for (part, preset) in zip(setup.parts, presets) {
      guard let reference = part.preset else {
        origins.append(PresetOrigin())
        continue
      }
      if let preset {
        let sound = sound(preset)
        var origin = PresetOrigin(slot: preset.slot, name: preset.name, stored: sound?.patch)
        origin.storedSnapshots = sound?.snapshots ?? Snapshots()
        origins.append(origin)
      } else {
        origins.append(PresetOrigin(slot: nil, name: reference.name, isRemoved: true))
        if !missing.contains(reference.name) { missing.append(reference.name) }
      }
    }
    (self.origins, self.missing) = (origins, missing)
  }

  /// Whether the library still has the presets that were found.
  func isCurrent(in library: Library) -> Bool { PreparedSetup.found(setup, in: library) == presets }

  /// The preset of each part of a setup, as the library has them now; nil for a part without one.
  static func found(_ setup: Setup, in library: Library) -> [Preset?] {
    setup.parts.map { $0.preset.flatMap { library.preset(of: $0) } }
  }
}

/// The text of a setup as it was read. Any thread.
struct SetupReading: Sendable {
  let slot: Slot
  let name: String
  let text: String
  /// Nil if the text cannot be read at all.
  let setup: Setup?
  /// Errors of reading, as sentences for the log.
  let problems: [String]

  /// A setup whose text was just written, and reads back to the same bits.
  init(_ slot: Slot, name: String, text: String, written setup: Setup) {
    (self.slot, self.name, self.text, self.setup, problems) = (slot, name, text, setup, [])
  }

  init(_ slot: Slot, name: String, text: String, _ names: NameRegister) {
    (self.slot, self.name, self.text) = (slot, name, text)
    do throws(TextRefusal) {
      let (setup, warnings) = try SetupText.read(text, names: names)
      (self.setup, problems) = (setup, warnings.map { "setup \"\(name)\", \($0)" })
    } catch {
      (setup, problems) = (nil, ["could not read the setup \"\(name)\": \(error)"])
    }
  }
}

extension Setups {
  /// The setup in a slot, read now unless it was read ahead; nil if there is none, or it cannot be read at all.
  func prepared(_ slot: Slot) -> PreparedSetup? {
    guard let document = library.documents[.setup, slot.key] else { return nil }
    if let known = known(slot, document) { return known }
    // The log names it once; each recall posts a notice.
    if unreadable[slot] == document.text { return nil }
    let reading = SetupReading(slot, name: document.name, text: document.text, writer.names)
    guard let setup = note(reading) else { return nil }
    let prepared = PreparedSetup(
      reading, setup, PreparedSetup.found(setup, in: library), edition: library.edition
    ) { library.sound(of: $0) }
    ready[slot] = prepared
    return prepared
  }

  /// Prepares a setup that was just saved, without reading its text or the presets of the parts again.
  func prepare(_ written: Setup, _ slot: Slot, name: String, text: String) {
    let found = PreparedSetup.found(written, in: library)
    let reading = SetupReading(slot, name: name, text: text, written: written)
    ready[slot] = PreparedSetup(reading, written, found, edition: library.edition) { preset in
      presets.storedSound(of: preset) ?? library.sound(of: preset)
    }
  }

  /// The prepared setup of a document, unless the document or one of its presets has changed since.
  func known(_ slot: Slot, _ document: Document) -> PreparedSetup? {
    guard var known = ready[slot], known.text == document.text, known.name == document.name else {
      return nil
    }
    if known.edition == library.edition { return known }
    guard known.isCurrent(in: library) else { return nil }
    known.edition = library.edition
    ready[slot] = known
    return known
  }

  /// Logs the problems of reading a setup. Returns the setup; nil if none of it could be read.
  func note(_ reading: SetupReading) -> Setup? {
    for problem in reading.problems { notices.log(problem) }
    if reading.setup == nil { unreadable[reading.slot] = reading.text }
    return reading.setup
  }
}

// Reading ahead: the setups that may be recalled next are read on a thread that may wait for a disk, so that neither a
// recall nor the work after it waits.

extension Setups {
  /// The setups that may be recalled next: the current setup, its neighbours, and those that the setlist needs.
  private var near: Set<Slot> {
    var near = Set(wanted)
    if let slot {
      let neighbours = [true, false].compactMap { neighbour(of: slot, forward: $0) }
      near.formUnion([slot] + neighbours)
    } else if let first = first() {
      near.insert(first)
    }
    return near
  }

  /// Reads the setups that may be recalled next, and forgets the others. Without a worker, reads them at once.
  func prepare() {
    let near = near
    ready = ready.filter { near.contains($0.key) }
    guard let worker else { return prepareNow() }
    // Setups that have changed meanwhile are read after the current one.
    if isReading { return readsAgain = true }
    let unread = near.compactMap { slot -> (slot: Slot, document: Document)? in
      guard let document = library.documents[.setup, slot.key], known(slot, document) == nil,
        unreadable[slot] != document.text
      else { return nil }
      return (slot, document)
    }
    let choices = Set(ready.values.flatMap { $0.setup.parts.map(\.tuning) })
    if unread.isEmpty && tunings.unread(choices).isEmpty { return tunings.adopt([:], of: choices) }
    isReading = true
    let names = writer.names
    let job = { @Sendable in
      unread.map { SetupReading($0.slot, name: $0.document.name, text: $0.document.text, names) }
    }
    worker.attempt(job) { [weak self] readings in
      guard let self else { return }
      if let readings { self.readSounds(of: readings, worker) } else { self.endReading { self.prepareNow() } }
    }
  }

  private func prepareNow() {
    var choices: Set<TuningChoice> = []
    for slot in near { choices.formUnion(prepared(slot)?.setup.parts.map(\.tuning) ?? []) }
    tunings.prepare(choices)
  }

  /// Reads the presets and the tunings of setups that were read.
  private func readSounds(of readings: [SetupReading], _ worker: Worker) {
    let edition = library.edition
    let found = readings.compactMap { reading in
      note(reading).map { (reading: reading, setup: $0, presets: PreparedSetup.found($0, in: library)) }
    }
    let choices = Set((found.map(\.setup) + ready.values.map(\.setup)).flatMap { $0.parts.map(\.tuning) })
    let unread = tunings.unread(choices)
    let (folder, names) = (tunings.folder, writer.names)
    let job = { @Sendable in
      (
        found.map { found in
          PreparedSetup(found.reading, found.setup, found.presets, edition: edition) {
            (try? $0.read(names))?.sound
          }
        },
        PartTunings.read(unread, in: folder)
      )
    }
    worker.attempt(job) { [weak self] read in
      guard let self else { return }
      self.endReading {
        guard let read else { return self.prepareNow() }
        for (found, prepared) in zip(found, read.0) { self.ready[found.reading.slot] = prepared }
        self.tunings.adopt(read.1, of: choices)
      }
    }
  }

  private func endReading(_ body: () -> Void) {
    isReading = false
    body()
    if readsAgain {
      readsAgain = false
      prepare()
    }
  }
}
