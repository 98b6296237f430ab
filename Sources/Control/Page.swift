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
    if isCopying, let free = library.freeSlot?.page, !pages.contains(free) {
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
  public var isCopyArmed: Bool { isCopying }

  /// Has the next button take a copy, or no more. From a page of the factory's it turns to one with a free slot.
  /// - Parameter now: CLOCK_MONOTONIC, for a packet that the network has doubled.
  public func armCopy(now: Int64) {
    if isDoubled("copy", now) { return }
    isCopying.toggle()
    if isCopying, page.map({ $0.bank == 0 }) ?? true { turnedTo = library.freeSlot?.page ?? turnedTo }
    if isCopying {
      notify("Copy \"\(name(part: focus))\" to which slot?", about: .preset, .state, log: "")
    } else {
      clearNotice(about: .preset)
    }
    changed(.page)
  }

  /// Copies the sound of a part to the slot of a button, 1…16.
  public func copy(part: Int, toButton button: Int) throws(LibraryError) {
    guard let slot = slot(button: button) else { throw LibraryError(description: "there is no such slot") }
    try copy(part: part, to: slot)
    if isCopying {
      isCopying = false
      clearNotice(about: .preset)
      changed(.page)
    }
  }
}
