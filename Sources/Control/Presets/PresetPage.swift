import Presets
import Scenes
import Storage

/// The page of sixteen preset buttons that surfaces show. A preset keeps its button, even if presets around it are
/// added or removed; pages without presets are skipped. Control thread.
public final class PresetPage: Feature {
  private let writer: SceneWriter
  private let presets: PartPresets
  private let notices: NoticeBoard
  // The page that surfaces show; nil before anyone has turned the page.
  private var turnedTo: Slot?
  // The search whose presets the buttons show; nil for the pages of the banks.
  private var search: Search?
  // When an armed copy ends; nil while none is armed.
  private var copyEnd: Int64?

  /// How long an armed copy waits for a button, nanoseconds: a later press probably means a recall.
  static let copyTimeout: Int64 = 10_000_000_000

  init(_ writer: SceneWriter, _ presets: PartPresets, _ notices: NoticeBoard) {
    (self.writer, self.presets, self.notices) = (writer, presets, notices)
    presets.onPlaced = { [unowned self] slot, part in
      if part == self.writer.focus { turnedTo = slot.page }
    }
  }

  private var library: Library { presets.library }

  /// The search whose presets the buttons show.
  private struct Search {
    let words: String
    /// The edition of the library that was searched, and whether it was searched as a whole.
    var edition = -1
    var isWhole = false
    var found: [Slot] = []
    /// The first preset on the buttons.
    var first = 0
  }

  /// The words of the search whose presets the buttons show; empty for the pages of the banks.
  public var searchWords: String { search?.words ?? "" }

  /// Shows on the buttons the presets of the banks that a search finds, the best first; without words, the pages of
  /// the banks again.
  public func search(_ words: String) {
    let words = Document.name(words) ?? ""
    search = words.isEmpty ? nil : Search(words: words)
    writer.changed(.page)
  }

  /// The slots that the search has found; nil without a search.
  private var found: [Slot]? {
    guard var search else { return nil }
    if search.edition != library.edition || search.isWhole != library.isSearchPrepared {
      (search.edition, search.isWhole) = (library.edition, library.isSearchPrepared)
      search.found = library.searchSlots(PresetQuery(search.words))
      if search.first >= search.found.count { search.first = 0 }
      self.search = search
    }
    return search.found
  }

  /// The first slot of the page: the page of the preset of the part in focus, until someone turns to another page.
  public var first: Slot? { turnedTo ?? presets.origins[writer.focus].slot?.page ?? library.pages.first }

  /// The name of the page; empty if there is none. For a search, its words, and the range of the found presets that
  /// is shown.
  public var name: String {
    guard let found, let search else { return first?.pageName ?? "" }
    if found.isEmpty { return "\(search.words): none" }
    let last = min(search.first + Limits.presetsPerPage, found.count)
    return "\(search.words): \(search.first + 1)-\(last) of \(found.count)"
  }

  /// The slot of a button, 1…16.
  public func slot(button: Int) -> Slot? {
    if let found, let search {
      let index = search.first + button - 1
      return found.indices.contains(index) ? found[index] : nil
    }
    return first.flatMap { Slot(bank: $0.bank, program: $0.program + button - 1) }
  }

  /// The name of a button's preset; empty if there is none.
  public func name(button: Int) -> String { slot(button: button).flatMap { library[$0]?.name } ?? "" }

  /// Whether the sound of a part came from a button's preset.
  public func isCurrent(button: Int, part: Int) -> Bool {
    presets.slot(part: part).map { $0 == slot(button: button) } ?? false
  }

  /// Turns to the next or the previous page; from the last to the first and back.
  public func turn(forward: Bool) {
    if let found, let first = search?.first {
      let (size, count) = (Limits.presetsPerPage, found.count)
      if count <= size { return }
      let last = (count - 1) / size * size
      search?.first = forward ? (first == last ? 0 : first + size) : (first == 0 ? last : first - size)
      return writer.changed(.page)
    }
    var pages = library.pages
    // While a copy is armed, a page with a free slot is included.
    if isCopyArmed, let free = library.freeSlot?.page, !pages.contains(free) {
      pages.insert(free, at: pages.firstIndex { $0 > free } ?? pages.count)
    }
    guard let first else { return }
    let next = forward ? pages.first { $0 > first } : pages.last { $0 < first }
    guard let next = next ?? (forward ? pages.first : pages.last), next != first else { return }
    turnedTo = next
    writer.changed(.page)
  }

  /// Makes the page follow the preset of the part in focus again.
  func forgetTurn() { turnedTo = nil }

  /// Recalls the preset of a button, or copies the part's sound to it if a copy is armed. Otherwise an empty button
  /// has no effect.
  public func press(button: Int, part: Int) throws(DocumentError) {
    if isCopyArmed { return try copy(part: part, toButton: button) }
    if let preset = slot(button: button).flatMap({ library[$0] }) { presets.recall(preset, part: part) }
  }

  // MARK: - Copying to a button

  /// Whether the next button receives a copy of the sound of the part in focus.
  public var isCopyArmed: Bool { copyEnd != nil }

  /// Arms or disarms a copy to the next button; it is also disarmed after ten seconds. On a factory page, this turns
  /// to a page with a free slot.
  /// - Parameter now: CLOCK_MONOTONIC, to recognize a packet that the network has duplicated.
  public func armCopy(now: Int64) {
    if writer.isDuplicate("copy", now) { return }
    if isCopyArmed { return disarmCopy() }
    // A sound cannot be copied to the buttons of a search.
    search = nil
    copyEnd = now + PresetPage.copyTimeout
    if first.map({ $0.isFactory }) ?? true { turnedTo = library.freeSlot?.page ?? turnedTo }
    notices.post(
      "Copy \"\(presets.name(part: writer.focus))\" to which slot?", about: .preset, .state, log: "")
    writer.changed(.page)
  }

  private func disarmCopy() {
    copyEnd = nil
    notices.clear(about: .preset)
    writer.changed(.page)
  }

  /// Copies the sound of a part to the slot of a button, 1…16.
  public func copy(part: Int, toButton button: Int) throws(DocumentError) {
    if search != nil {
      throw DocumentError(description: "the slots show a search; send /preset/search without words to copy")
    }
    guard let slot = slot(button: button) else { throw DocumentError(description: "there is no such slot") }
    try presets.copy(part: part, to: slot)
    if isCopyArmed { disarmCopy() }
  }

  // MARK: - Feature

  func update(_ now: Int64) -> Int64? {
    if let end = copyEnd, now >= end { disarmCopy() }
    return copyEnd
  }

  func follow(_ change: Change) {
    if change == .focus { turnedTo = presets.origins[writer.focus].slot?.page ?? turnedTo }
  }
}

extension Slot {
  /// The name of the page that begins at this slot, such as `Factory 1-16`.
  var pageName: String { "\(bankName) \(shownNumber)-\(shownNumber + Limits.presetsPerPage - 1)" }
}
