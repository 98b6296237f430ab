import Storage

// The search for presets by their words.

extension Library {
  /// The presets that a query matches, including those outside the banks: their number, and the best `most` of them.
  public func search(_ query: PresetQuery, most: Int = .max) -> (count: Int, entries: [CatalogEntry]) {
    _ = prepareSearch(.max)
    let found = words?.find(query) ?? []
    let entries = found.prefix(max(0, most)).compactMap { preset(key: $0).map(entry) }
    return (found.count, entries)
  }

  /// The slots of the presets that a query matches, the best first.
  public func searchSlots(_ query: PresetQuery) -> [Slot] {
    _ = prepareSearch(.max)
    return (words?.find(query) ?? []).compactMap { $0 < Library.outsideKeys ? preset(key: $0)?.slot : nil }
  }

  /// Prepares the search: finds the words of at most `count` more presets, a few microseconds each. True when all are
  /// known. A search prepares what is left at once.
  public func prepareSearch(_ count: Int) -> Bool {
    if let words, words.needsRebuild { forgetWords() }
    if isPrepared { return true }
    var words = words ?? PresetWords()
    self.words = nil  // so that it is changed in place
    let slots = index.slots(after: preparedTo).prefix(count)
    for slot in slots { if let preset = self[slot] { set(preset, in: &words) } }
    preparedTo = slots.last ?? preparedTo
    if slots.count < count {
      for preset in outside { set(preset, in: &words) }
      isPrepared = true
    }
    self.words = words
    return isPrepared
  }

  /// Forgets the words of all presets.
  func forgetWords() { (words, preparedTo, isPrepared) = (nil, nil, false) }

  private func set(_ preset: Preset, in words: inout PresetWords) {
    let isMarked = preset.isFactory && documents[.mark, preset.name] != nil
    words.set(key(of: preset), preset.name, text: preset.text, about: isMarked ? about(preset) : nil)
  }

  /// Updates the words of a slot whose preset, or its description, may have changed.
  func updateWords(_ slot: Slot) {
    guard var words else { return }
    self.words = nil  // so that it is changed in place
    if let preset = self[slot] { set(preset, in: &words) } else { words.remove(slot.number) }
    self.words = words
  }

  /// Updates the words of a factory preset whose mark has changed.
  func updateMark(_ name: String) {
    edition += 1
    guard var words else { return }
    self.words = nil
    for preset in Array(factory.values) + outside where preset.name == name {
      if preset.slot.map({ userPreset($0) == nil }) ?? true { set(preset, in: &words) }
    }
    self.words = words
  }

  // MARK: - Keys

  private static let outsideKeys = PresetWords.Key(Slot.banks * Slot.programs)

  private func key(of preset: Preset) -> PresetWords.Key {
    if let slot = preset.slot { return slot.number }
    return Library.outsideKeys + PresetWords.Key(outside.firstIndex { $0.name == preset.name } ?? 0)
  }

  private func preset(key: PresetWords.Key) -> Preset? {
    if key >= Library.outsideKeys { return outside[Int(key - Library.outsideKeys)] }
    return Slot(bank: Int(key) / Slot.programs, program: Int(key) % Slot.programs).flatMap { self[$0] }
  }
}

extension Slot {
  /// The number of the slot in ascending order, from 0.
  fileprivate var number: PresetWords.Key { PresetWords.Key(bank * Slot.programs + program) }
}
