import Presets
import Synth

// Presets by pages of sixteen buttons. A preset keeps its button, whatever comes and goes around it; pages
// without a preset are passed over.

extension Control {
  /// The first slot of the page that surfaces show: where the preset of the part in focus lies, until somebody
  /// turns to another.
  public var page: Slot? { turnedTo ?? origins[focus].slot?.page ?? library.pages.first }

  /// The slot of a button of the page, 1…16.
  public func slot(button: Int) -> Slot? {
    page.flatMap { Slot(bank: $0.bank, program: $0.program + button - 1) }
  }

  /// Turns to the next page or the one before; from the last to the first and back.
  public func turnPage(forward: Bool) {
    var pages = library.pages
    // There is always one to copy to.
    if isCopyArmed, let free = library.freeSlot?.page, !pages.contains(free) {
      pages.insert(free, at: pages.firstIndex { $0 > free } ?? pages.count)
    }
    guard let page else { return }
    let next = forward ? pages.first { $0 > page } : pages.last { $0 < page }
    guard let next = next ?? (forward ? pages.first : pages.last), next != page else { return }
    turnedTo = next
    changed(.page)
  }

  // MARK: - Copying to a button

  /// Whether the next button of the page is where the sound of the part in focus is copied to.
  public var isCopyArmed: Bool { copyEnd != nil }

  /// For so long a button may be chosen, nanoseconds: whoever has thought better of it would overwrite a preset later.
  static let copyPatience: Int64 = 10_000_000_000

  /// Has the next button take a copy, or no more; no more by itself after ten seconds. From a page of the factory's it
  /// turns to one with a free slot.
  /// - Parameter now: CLOCK_MONOTONIC, for a packet that the network has doubled.
  public func armCopy(now: Int64) {
    if isDoubled("copy", now) { return }
    if isCopyArmed { return disarmCopy() }
    copyEnd = now + Control.copyPatience
    if page.map({ $0.bank == 0 }) ?? true { turnedTo = library.freeSlot?.page ?? turnedTo }
    notify("Copy \"\(name(part: focus))\" to which slot?", about: .preset, .state, log: "")
    changed(.page)
  }

  /// Ends what was armed and not used in time.
  func disarmCopy(at now: Int64) {
    if let end = copyEnd, now >= end { disarmCopy() }
  }

  private func disarmCopy() {
    copyEnd = nil
    clearNotice(about: .preset)
    changed(.page)
  }

  /// Copies the sound of a part to the slot of a button, 1…16.
  public func copy(part: Int, toButton button: Int) throws(LibraryError) {
    guard let slot = slot(button: button) else { throw LibraryError(description: "there is no such slot") }
    try copy(part: part, to: slot)
    if isCopyArmed { disarmCopy() }
  }
}
