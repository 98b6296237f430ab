import Presets
import Scenes
import Storage

// The step to an entry of a setlist, and the preparation of the next one.

extension Setlists {
  /// Steps to an entry and plays it. If its setup or preset is missing, a notice names it, and the sound stays.
  func go(to index: Int) {
    guard let entry = entry(index) else { return }
    (position, chosen, waiting) = (index, nil, nil)
    switch entry.content {
    case .setup:
      guard let slot = setupSlot(of: entry) else { return postMissing(entry) }
      setups.recall(slot, tempo: entry.tempo, transpose: entry.transpose)
    case .preset(let reference):
      guard let preset = library.preset(of: reference) else { return postMissing(entry) }
      transposedPart = nil
      presets.recall(preset, part: writer.focus)
      setups.transpose(entry.transpose)
      transposedPart = writer.focus
      if let tempo = entry.tempo, !setups.isClockFollowed { self.tempo.set(tempo) }
    }
    if let letter = entry.snapshot { onSnapshot(letter) }
    writer.changed(.show)
  }

  private func postMissing(_ entry: SetlistEntry) {
    notices.post("missing: \(SetlistText.words(entry.content))", about: .show)
    writer.changed(.show)
  }

  /// The slot of the setup of an entry: the one of its name in its slot, or else the one of its name; nil if it is
  /// missing, or for a preset.
  func setupSlot(of entry: SetlistEntry) -> Slot? {
    guard case .setup(let reference) = entry.content else { return nil }
    if let slot = reference.slot, library.documents[.setup, slot.key]?.name == reference.name { return slot }
    return setups.shelf.collection.current.named(reference.name).first {
      library.documents[.setup, $0.key]?.name == reference.name
    }.flatMap { Slot(key: $0.key) }
  }

  /// Plays the entry with a number, from 1.
  public func play(number: Int) throws(DocumentError) {
    guard let index = index(of: number) else {
      throw DocumentError(description: "takes a number from 1 to \(count)")
    }
    request(index)
  }

  /// Sets the entry that plays next, from 1; 0 for the following one again.
  public func cue(number: Int) throws(DocumentError) {
    let index = index(of: number)
    if number != 0, index == nil {
      throw DocumentError(description: "takes a number from 0 to \(count)")
    }
    chosen = index
    writer.changed(.show)
  }

  /// Moves the cue to the entry after or before it.
  public func stepCue(forward: Bool) {
    guard let next = neighbour(of: cue ?? position, forward: forward) else {
      return postNotice(forward ? "the end of the set" : "the beginning of the set")
    }
    chosen = next
    writer.changed(.show)
  }

  /// Chooses the setlist that a person means by a number, a name, or the beginning of a name. The sound stays, and
  /// next plays the first entry; if the setlist is chosen already, the position stays too.
  public func load(_ words: String) throws(DocumentError) {
    let found = try shelf.find(words).key
    if found == key { return }
    (key, position, chosen, waiting) = (found, nil, nil, nil)
    setups.transpose(0)
    writer.changed(.show)
  }

  /// Moves the position before the first entry. The sound stays.
  public func rewind() {
    (position, chosen, waiting) = (nil, nil, nil)
    setups.transpose(0)
    writer.changed(.show)
  }
}
