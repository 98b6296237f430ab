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
    let pages = library.pages
    guard let page else { return }
    let next = forward ? pages.first { $0 > page } : pages.last { $0 < page }
    guard let next = next ?? (forward ? pages.first : pages.last), next != page else { return }
    turnedTo = next
    changed(.page)
  }
}
