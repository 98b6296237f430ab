import Presets
import Scenes
import Storage

/// The setlist and the position in it: steps to entries, the cue, and the values that surfaces show. Anything may be
/// recalled in between; next continues from the position in the setlist. Control thread.
public final class Setlists: Feature {
  let writer: SceneWriter
  let setups: Setups
  let presets: PartPresets
  let tempo: TempoSource
  let notices: NoticeBoard
  /// The setlists as documents.
  let shelf: DocumentShelf
  /// The key of the setlist; empty without one.
  public internal(set) var key = ""
  /// The entry that was played last, from 0; nil before the first.
  public internal(set) var position: Int?
  /// The entry that was chosen to come next, from 0; nil for the following one.
  var chosen: Int?
  /// The entry that waits until the last key is released, from 0; nil if none does.
  public internal(set) var waiting: Int?
  /// The changes of setlists, each with the key of the chosen one.
  var history = History<String>()
  /// Called with the letter of the snapshot of an entry that is played.
  public var onSnapshot: (Character) -> Void = { _ in }
  // The setlist as it was read last, and its text.
  private var read: (text: String, setlist: Setlist)?
  /// Whether the text of the setlist could not be read, so that it must not be replaced.
  private(set) var isUnreadable = false
  /// The part whose preset an entry has transposed. The recall of another preset into it ends the transposition.
  var transposedPart: Int?
  private var press = StepPress()
  private var mustPrepare = true

  init(
    _ writer: SceneWriter, _ setups: Setups, _ presets: PartPresets, _ tempo: TempoSource,
    _ notices: NoticeBoard
  ) {
    (self.writer, self.setups, self.presets, self.tempo) = (writer, setups, presets, tempo)
    self.notices = notices
    shelf = DocumentShelf(presets.library.documents, .setlist)
    setups.onRenamed = { [unowned self] before, after in follow(renamed: before, to: after) }
    setups.onRecall = { [unowned self] in (waiting, transposedPart) = (nil, nil) }
    presets.onRecall = { [unowned self] part in
      if part == transposedPart { self.setups.transpose(0) }
    }
  }

  var library: Library { presets.library }

  /// Whether the first entry follows the last, and the last comes before the first.
  public var wraps = false {
    didSet { if wraps != oldValue { writer.changed(.show) } }
  }

  /// Whether a recall by next, previous or a number waits until the last key is released.
  public var defers = false {
    didSet {
      if defers == oldValue { return }
      if defers { writer.keyUses.insert(.deferring) } else { writer.keyUses.remove(.deferring) }
      writer.heldKeys.removeAll()
      if let waiting, !defers { go(to: waiting) }
      writer.changed(.show)
    }
  }

  // MARK: - Values for surfaces

  /// The document of the setlist; nil without one.
  var document: Document? { library.documents[.setlist, key] }
  /// The name of the setlist; empty without one.
  public var name: String { document?.name ?? "" }

  /// The setlist; empty without one.
  public var setlist: Setlist {
    guard let text = document?.text else { return Setlist() }
    if let read, read.text == text { return read.setlist }
    do throws(TextRefusal) {
      let (setlist, warnings) = try SetlistText.read(text)
      for warning in warnings { notices.log("setlist \"\(name)\", \(warning)") }
      (read, isUnreadable) = ((text, setlist), false)
    } catch {
      notices.post("unreadable: the setlist \"\(name)\"", about: .show, log: "setlist \"\(name)\": \(error)")
      (read, isUnreadable) = ((text, Setlist()), true)
    }
    return read?.setlist ?? Setlist()
  }

  /// The entry that was played last; nil before the first.
  public var entry: SetlistEntry? { position.flatMap { entry($0) } }
  /// The entry that next plays; nil at the end.
  public var coming: SetlistEntry? { cue.flatMap { entry($0) } }
  /// The number of entries.
  public var count: Int { setlist.entries.count }

  func entry(_ index: Int) -> SetlistEntry? {
    let entries = setlist.entries
    return entries.indices.contains(index) ? entries[index] : nil
  }

  /// The index of the entry with a number, from 1; nil if there is none.
  func index(of number: Int) -> Int? { number >= 1 && number <= count ? number - 1 : nil }

  /// The entry that next plays, from 0; nil at the end.
  public var cue: Int? {
    if let chosen, entry(chosen) != nil { return chosen }
    return neighbour(of: waiting ?? position, forward: true)
  }

  /// The nearest entry after or before another that is not skipped; nil at the ends, unless the setlist wraps. If
  /// `index` is nil, the first one is next, and none is previous.
  func neighbour(of index: Int?, forward: Bool) -> Int? {
    let entries = setlist.entries
    let open = entries.indices.filter { !entries[$0].isSkipped }
    guard let index else { return forward ? open.first : nil }
    let found = forward ? open.first { $0 > index } : open.last { $0 < index }
    return found ?? (wraps ? (forward ? open.first : open.last) : nil)
  }

  // MARK: - Feature

  func follow(_ change: Change) {
    if change == .show || change == .page { mustPrepare = true }
  }

  func update(_ now: Int64) -> Int64? {
    // Keys of surfaces may have been released since the last update.
    playIfReleased()
    if mustPrepare {
      mustPrepare = false
      let near = [cue, neighbour(of: position, forward: false), position].compactMap {
        $0.flatMap { entry($0) }
      }
      setups.wanted = near.compactMap { setupSlot(of: $0) }
    }
    return nil
  }

  func take(_ command: Event) {
    guard defers else { return }
    writer.heldKeys.take(command)
    playIfReleased()
  }

  /// Plays the entry that waits, once no key is down.
  func playIfReleased() {
    if let waiting, writer.heldKeys.isEmpty { go(to: waiting) }
  }

  /// Steps to the next entry, or the one that was chosen to come; or to the previous entry. At the ends it stays, and
  /// posts a notice.
  /// - Parameter now: CLOCK_MONOTONIC; a second press within `Limits.stepPause` is a bounce.
  public func step(forward: Bool, now: Int64) {
    guard press.counts(forward, now) else { return }
    if document == nil { return postNotice("choose a setlist first") }
    if let next = forward ? cue : neighbour(of: waiting ?? position, forward: false) { return request(next) }
    postNotice(
      count == 0 ? "the setlist is empty" : forward ? "the end of the set" : "the beginning of the set")
  }

  /// Plays an entry, now or when the last key is released.
  func request(_ index: Int) {
    if !defers || writer.heldKeys.isEmpty { return go(to: index) }
    (waiting, chosen) = (index == position ? nil : index, nil)
    writer.changed(.show)
  }

  func postNotice(_ text: String) { notices.post(text, about: .show, .moment(seconds: 3), log: "") }
}
