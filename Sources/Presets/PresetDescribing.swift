import Storage

// The description of a preset: category, tags, author, notes and favorite.

extension Library {
  /// Changes the description of a preset. For a user preset this makes no new version. For a factory preset only the
  /// tags and the favorite can be changed.
  public func describe(_ preset: Preset, _ about: PresetAbout) throws(DocumentError) {
    if preset.isFactory { return try mark(preset, about) }
    guard let slot = preset.slot, let user = userPreset(slot) else { return }
    let text = PresetText.describing(user.text, about)
    _ = try documents.amend(Document(name: user.name, text: text), .preset, slot.key)
    updateIndex(slot)
  }

  private func mark(_ preset: Preset, _ about: PresetAbout) throws(DocumentError) {
    let own = PresetAbout(text: preset.text)
    if (about.category, about.author, about.description, about.macros)
      != (own.category, own.author, own.description, own.macros)
    {
      throw DocumentError(
        description: "\"\(preset.name)\" is a factory preset; only its tags and its favorite can be changed")
    }
    var mark = PresetMark()
    mark.isFavorite = about.isFavorite
    if about.tags != own.tags { mark.tags = about.tags }
    if mark.isEmpty {
      documents.remove(.mark, preset.name)
    } else {
      try documents.save(Document(name: preset.name, text: mark.text), .mark, preset.name)
    }
    updateMark(preset.name)
  }

  /// The tags of a preset after an edit: a list with commas between, or changes such as `+soft, -dark`.
  public static func tags(_ tags: [String], edit: String) throws(DocumentError) -> [String] {
    let words = PresetAbout.tags(edit[...])
    let isChange = words.contains { $0.hasPrefix("+") || $0.hasPrefix("-") }
    if !isChange { return words }
    var (tags, known) = (tags, Set(tags))
    for word in words {
      guard let sign = word.first, sign == "+" || sign == "-",
        let tag = Document.name(String(word.dropFirst()))
      else {
        throw DocumentError(description: "takes tags with commas between, or each with + or - before it")
      }
      if known.remove(tag) != nil { tags.removeAll { $0 == tag } }
      if sign == "+" {
        tags.append(tag)
        known.insert(tag)
      }
    }
    return tags
  }
}
