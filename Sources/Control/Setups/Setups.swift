import Presets
import Scenes
import Storage
import System

/// The setups: recall, step, save, and the values that surfaces show. A recall sets everything at once, and the scene
/// is then published once; the notes of a part whose sound is bit-identical continue. No action asks for
/// confirmation. Control thread.
public final class Setups: Feature {
  let writer: SceneWriter
  let presets: PartPresets
  let tunings: PartTunings
  let notices: NoticeBoard
  /// The setups as documents.
  let shelf: DocumentShelf
  /// Whether edits are kept or discarded when another setup is recalled.
  public var edits = Edits.discard
  /// The slot of the setup that was recalled or saved last; nil without one.
  public internal(set) var slot: Slot?
  /// Whether something differs from the stored setup.
  public private(set) var isEdited = false
  var history = History<SetupState>()
  /// The state after the last step of the history.
  var settled: SetupState?
  /// Called with the names before and after when a setup is renamed.
  var onRenamed: (_ before: String, _ after: String) -> Void = { _, _ in }
  /// Called when a setup is recalled.
  var onRecall: () -> Void = {}
  /// Whether an earlier version of the setup was brought back, so that differences from it do not count as edits.
  var isBrought = false
  /// The tempo that a setlist has set instead of the setup's; nil without one.
  var tempoOfEntry: Float?
  /// The setups that were read ahead.
  var ready: [Slot: PreparedSetup] = [:]
  /// The texts of setups that cannot be read.
  var unreadable: [Slot: String] = [:]
  /// The setups that the setlist needs ahead.
  var wanted: [Slot] = [] {
    didSet { if wanted != oldValue { mustPrepare = true } }
  }
  /// Reads setups ahead; without it, they are read at once.
  var worker: Worker?
  /// Whether the worker is reading, and whether it must read again afterwards.
  var (isReading, readsAgain) = (false, false)
  private var mustPrepare = true
  private var mustCompare = true
  private var press = StepPress()
  /// The first slot of the page of setups; nil before anyone has turned it.
  var turnedTo: Slot?

  /// Whether edits are kept or discarded when another setup is recalled.
  public enum Edits: String, CaseIterable, Sendable {
    /// They become an earlier version of the setup, and undo brings them back.
    case discard
    /// They are saved in the setup.
    case keep
  }

  init(_ writer: SceneWriter, _ presets: PartPresets, _ tunings: PartTunings, _ notices: NoticeBoard) {
    (self.writer, self.presets, self.tunings, self.notices) = (writer, presets, tunings, notices)
    shelf = DocumentShelf(presets.library.documents, .setup)
  }

  var library: Library { presets.library }

  /// The MIDI channel, 0…15, whose programs recall setups; nil for none.
  public var channel: Int? {
    get { writer.setupChannel }
    set { writer.setupChannel = newValue }
  }

  // MARK: - Values for surfaces

  /// The name of the setup; empty without one.
  public var name: String { document?.name ?? "" }
  /// The number of the setup; 0 without one.
  public var number: Int { document == nil ? 0 : slot?.setupNumber ?? 0 }
  /// The category, the notes and what a recall leaves alone.
  public var about: SetupAbout { slot.flatMap { prepared($0)?.setup.about } ?? SetupAbout() }
  /// The slot of the first setup whose number is at least that of a slot, or of the first of all for nil; nil without
  /// one.
  func first(from slot: Slot? = nil) -> Slot? {
    shelf.collection.current.first(from: slot?.number ?? 0).flatMap { Slot(key: $0.key) }
  }
  /// The slot of the last setup whose number is below that of a slot, or of the last of all for nil; nil without one.
  func last(before slot: Slot? = nil) -> Slot? {
    shelf.collection.current.last(below: slot?.number ?? Limits.setups).flatMap { Slot(key: $0.key) }
  }
  /// The slot of the setup after or before one; nil at the ends.
  func neighbour(of slot: Slot, forward: Bool) -> Slot? {
    if !forward { return last(before: slot) }
    return Slot(number: slot.number + 1).flatMap { first(from: $0) }
  }

  /// The document of the setup; nil without one.
  var document: Document? { slot.flatMap { library.documents[.setup, $0.key] } }

  // MARK: - Feature

  func follow(_ change: Change) {
    switch change {
    case .knob, .sound, .sequence, .tuning, .preset, .snapshots: mustCompare = true
    // Presets and setups may have come from the database.
    case .show, .page: (mustCompare, mustPrepare) = (true, true)
    default: break
    }
  }

  func update(_ now: Int64) -> Int64? {
    if mustCompare {
      mustCompare = false
      let differs = !isAsStored
      if differs != isEdited {
        isEdited = differs
        writer.changed(.show)
      }
    }
    // The recalled setup sounds before its neighbours are read.
    if mustPrepare && writer.isDirty { return now + SceneWriter.publishInterval }
    if mustPrepare {
      mustPrepare = false
      prepare()
    }
    return nil
  }

  func take(_ command: Event) {
    guard command.kind == .program, writer.isForSetups(command) else { return }
    let (bank, program) = (Int(clamping: command.value), Int(command.note))
    guard let slot = Slot(bank: bank, program: program), library.documents[.setup, slot.key] != nil else {
      return notices.post("there is no setup in bank \(bank), program \(program + 1)", about: .show)
    }
    recall(slot)
  }

  /// Recalls the next or the previous setup; at the ends it stays, and posts a notice.
  /// - Parameter now: CLOCK_MONOTONIC; a second press within `Limits.stepPause` is a bounce.
  public func step(forward: Bool, now: Int64) {
    guard press.counts(forward, now) else { return }
    // Without a current setup, the first.
    if let next = slot.map({ neighbour(of: $0, forward: forward) }) ?? first() { return recall(next) }
    notices.post(
      first() == nil ? "there are no setups" : "\"\(name)\" is the \(forward ? "last" : "first") setup",
      about: .show, .moment(seconds: 3), log: "")
  }
}

extension SceneWriter {
  /// Whether a program change recalls a setup, and no preset. The program changes of a song never do.
  func isForSetups(_ command: Event) -> Bool {
    setupChannel == Int(command.target) && Int(command.source) != Limits.songSource
  }
}

extension Slot {
  /// The number of a setup, from 1: its program as keyboards count, and 128 more for each bank.
  var setupNumber: Int { bank * Slot.programs + program + 1 }

  /// The slot of the setup with a number from 1; nil if there is no such number.
  init?(setupNumber number: Int) {
    if number < 1 { return nil }
    self.init(bank: (number - 1) / Slot.programs, program: (number - 1) % Slot.programs)
  }
}

/// Debounces the presses of a pedal or button that steps to the next or the previous entry. A value type; the caller
/// passes the time.
struct StepPress {
  private var last: [Bool: Int64] = [:]

  /// Whether a press counts: no other in its direction has counted less than `Limits.stepPause` ago.
  mutating func counts(_ forward: Bool, _ now: Int64) -> Bool {
    if let last = last[forward], now - last < Limits.stepPause { return false }
    last[forward] = now
    return true
  }
}

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
