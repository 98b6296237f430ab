import Storage

/// A text that is typed letter by letter on a surface without a keyboard of its own: the name under which a sound is
/// saved, or the words of a search. All surfaces show it, so a letter whose message was lost is missing on all.
/// Control thread.
public final class TypedName {
  private let writer: SceneWriter
  private let presets: PartPresets
  private let page: PresetPage
  /// The text, at most `Document.nameBytes` long. It may end with a space.
  public private(set) var text = ""
  /// Whether the next letter is a capital: true at the start of each word, unless `shift` has changed it.
  public private(set) var isShifted = true

  init(_ writer: SceneWriter, _ presets: PartPresets, _ page: PresetPage) {
    (self.writer, self.presets, self.page) = (writer, presets, page)
  }

  // MARK: - Typing

  /// Replaces the text.
  public func set(_ text: String) throws(DocumentError) {
    let name = text.isEmpty ? "" : try readable(text)
    if text.utf8.count > Document.nameBytes { throw tooLong }
    become(name)
  }

  /// Appends letters; the first is a capital while shifted.
  public func add(_ letters: String) throws(DocumentError) {
    let letters = try readable(letters)
    let added = isShifted ? letters.prefix(1).uppercased() + letters.dropFirst() : letters
    if text.utf8.count + added.utf8.count > Document.nameBytes { throw tooLong }
    become(text + added)
  }

  /// Appends a space, unless the text is empty or ends with one.
  public func addSpace() throws(DocumentError) {
    if text.isEmpty || text.last == " " { return }
    if text.utf8.count >= Document.nameBytes { throw tooLong }
    become(text + " ")
  }

  /// Removes the last letter.
  public func removeLast() { become(String(text.dropLast())) }

  /// Sets whether the next letter is a capital.
  public func shift(_ isOn: Bool) {
    isShifted = isOn
    writer.changed(.page)
  }

  /// Takes the name of a part's preset as the text.
  public func takeName(part: Int) throws(DocumentError) { try set(presets.name(part: part)) }

  private func become(_ text: String) {
    self.text = text
    shift(text.isEmpty || text.last == " ")
  }

  // MARK: - Using the text

  /// Saves the sound of a part as a new preset with the text as its name, and clears the text.
  /// - Parameter now: CLOCK_MONOTONIC, to recognize a packet that the network has duplicated.
  public func save(part: Int, now: Int64) throws(DocumentError) {
    if writer.isDuplicate("save text", now) { return }
    try presets.saveNew(part: part, named: try typed(), now: now)
    become("")
  }

  /// Renames the preset of a part to the text, and clears the text.
  public func rename(part: Int, now: Int64) throws(DocumentError) {
    if writer.isDuplicate("rename to text", now) { return }
    try presets.rename(part: part, to: try typed())
    become("")
  }

  /// Shows the presets that the text finds on the buttons of the page; the text stays, so that more can be typed.
  public func search() throws(DocumentError) { page.search(try typed()) }

  private func typed() throws(DocumentError) -> String {
    guard let name = Document.name(text) else {
      throw DocumentError(description: "needs a text; type one first")
    }
    return name
  }

  private func readable(_ text: String) throws(DocumentError) -> String {
    guard let name = Document.name(text) else {
      throw DocumentError(description: "takes letters that can be read")
    }
    return name
  }

  private var tooLong: DocumentError {
    DocumentError(description: "is full: a name has \(Document.nameBytes) bytes at most")
  }
}
