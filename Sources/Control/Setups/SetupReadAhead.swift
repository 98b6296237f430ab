import Presets
import Storage
import Synth
import System
import Tuning

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
