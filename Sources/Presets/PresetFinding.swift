import Storage

// The search for presets by their words.

extension Library {
  /// The presets that a query matches, including those outside the banks; the best `most` of them are listed.
  public func search(_ query: PresetQuery, most: Int = .max) -> FoundPresets {
    let found = find(query)
    return FoundPresets(count: found.count, listing: listing, keys: found.prefix(max(0, most)))
  }

  /// The slots of the presets that a query matches, the best first.
  public func searchSlots(_ query: PresetQuery) -> [Slot] {
    find(query).compactMap { Slot(number: Int($0)) }
  }

  private func find(_ query: PresetQuery) -> [PresetWords.Key] {
    if !preparesSearchInRounds { _ = prepareSearch(.max) }
    return words?.find(query) ?? []
  }

  /// Prepares the search: finds the words of at most `count` more presets, a few microseconds each. True when all are
  /// known. A search prepares what is left at once, or finds what is prepared if `preparesSearchInRounds`.
  public func prepareSearch(_ count: Int) -> Bool {
    if isSearchPrepared { return true }
    var words = words ?? PresetWords()
    self.words = nil  // so that it is changed in place
    let slots = index.slots(after: preparedTo).prefix(count)
    for slot in slots { if let preset = self[slot] { set(preset, in: &words) } }
    preparedTo = slots.last ?? preparedTo
    if slots.count < count {
      for preset in outside { set(preset, in: &words) }
      isSearchPrepared = true
    }
    self.words = words
    return isSearchPrepared
  }

  /// Forgets the words of all presets.
  func forgetWords() { (words, preparedTo, isSearchPrepared) = (nil, nil, false) }

  private func set(_ preset: Preset, in words: inout PresetWords) {
    let isMarked = preset.isFactory && documents[.mark, preset.name] != nil
    words.set(key(of: preset), preset.name, text: preset.text, about: isMarked ? about(preset) : nil)
  }

  /// Updates the words of a slot whose preset, or its description, may have changed.
  func updateWords(_ slot: Slot) {
    guard var words else { return }
    self.words = nil  // so that it is changed in place
    if let preset = self[slot] { set(preset, in: &words) } else { words.remove(key(of: slot)) }
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

  fileprivate static let outsideKeys = PresetWords.Key(Slot.banks * Slot.programs)

  private func key(of slot: Slot) -> PresetWords.Key { PresetWords.Key(slot.number) }

  private func key(of preset: Preset) -> PresetWords.Key {
    if let slot = preset.slot { return key(of: slot) }
    return Library.outsideKeys + PresetWords.Key(outside.firstIndex { $0.name == preset.name } ?? 0)
  }
}

/// The presets that a search has found. A value type; any thread.
public struct FoundPresets: Sendable {
  /// The number of all.
  public let count: Int
  let listing: PresetListing
  let keys: ArraySlice<PresetWords.Key>

  /// Those that are listed, the best first.
  public var presets: [Preset] {
    keys.compactMap { key in
      if key >= Library.outsideKeys { return listing.outside[Int(key - Library.outsideKeys)] }
      return Slot(number: Int(key)).flatMap { listing[$0] }
    }
  }

  /// Their entries in a list.
  public var entries: [CatalogEntry] { presets.map(listing.entry) }
}
