import Presets
import Synth

// The page of sixteen buttons of setups. A setup keeps its button; pages without setups are skipped.

extension Setups {
  /// The first slot of the page: that of the current setup, until someone turns to another page.
  var pageStart: Slot? { (turnedTo ?? slot ?? first())?.page }

  /// The name of the page, as `1-16`; empty without setups.
  public var pageName: String {
    guard let start = pageStart?.setupNumber, first() != nil else { return "" }
    return "\(start)-\(start + Limits.setupsPerPage - 1)"
  }

  /// Turns to the next or the previous page that holds setups; from the last to the first and back.
  public func turnPage(forward: Bool) {
    guard let start = pageStart else { return }
    let next =
      forward
      ? Slot(number: start.number + Limits.setupsPerPage).flatMap { first(from: $0) } : last(before: start)
    guard let next = next ?? (forward ? first() : last()) else { return }
    turnedTo = next.page
    writer.changed(.show)
  }

  /// The slot of a button, 1…16.
  func slot(button: Int) -> Slot? {
    pageStart.flatMap { Slot(bank: $0.bank, program: $0.program + button - 1) }
  }

  /// The name of a button's setup; empty if there is none.
  public func name(button: Int) -> String {
    slot(button: button).flatMap { library.documents[.setup, $0.key]?.name } ?? ""
  }

  /// Whether a button's setup is the current one.
  public func isCurrent(button: Int) -> Bool {
    document != nil && slot == slot(button: button)
  }

  /// Recalls the setup of a button; an empty button has no effect.
  public func press(button: Int) {
    if let slot = slot(button: button), library.documents[.setup, slot.key] != nil { recall(slot) }
  }
}
