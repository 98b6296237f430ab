import Presets

/// The notice about what the player saves: "Saving …" until the store has said that it is on the disk, then "Saved …".
/// Whatever the player expects after a restart is announced here and nowhere else, so that nothing is called saved
/// before it is. Control thread.
final class SavingNotice {
  private let library: Library
  private let notices: NoticeBoard
  // What follows "Saved" as soon as all saves are on the disk; nil if there is nothing.
  private var words: String?
  // Who waits until all saves are on the disk.
  private var waiting: [(_ isSaved: Bool) -> Void] = []

  init(_ library: Library, _ notices: NoticeBoard) { (self.library, self.notices) = (library, notices) }

  /// Announces that something is being saved, such as `"Glass", Own 1`. The library must have it already.
  func post(_ what: String) { announce(" \(what)", isKept: true) }

  /// Announces that a change is being saved, such as `removal of "Glass"`. The library must have it already.
  /// - Parameter isKept: False if it is in memory only, and ends with pipit.
  func post(change: String, isKept: Bool = true) { announce(": \(change)", isKept: isKept) }

  private func announce(_ words: String, isKept: Bool) {
    self.words = words
    switch isKept ? library.savesWaiting : nil {
    case nil:
      forget()
      notices.post("Saved\(words); kept until pipit ends", about: .saving, .moment(seconds: 3), log: "")
    case 0?: postSaved()
    default: notices.post("Saving\(words)…", about: .saving, .state, log: "")
    }
  }

  /// Announces that it is saved, once all saves are on the disk.
  func postSaved() {
    guard library.savesWaiting == 0 else { return }
    tell(true)
    guard let words else { return notices.clear(about: .saving) }
    notices.post("Saved\(words)", about: .saving, .moment(seconds: 3), log: "")
    self.words = nil
  }

  /// Forgets what is being saved: it was replaced since, and is never called saved.
  func forget() { words = nil }

  /// Calls `act` once: with true when all saves are on the disk, or with false when one could not be written, or there
  /// is no database.
  func whenSaved(_ act: @escaping (_ isSaved: Bool) -> Void) {
    waiting.append(act)
    if library.savesWaiting ?? 0 == 0 { tell(library.savesWaiting != nil) }
  }

  /// Tells those who wait that a save could not be written.
  func fail() { tell(false) }

  private func tell(_ isSaved: Bool) {
    let acts = waiting
    waiting = []
    for act in acts { act(isSaved) }
  }
}
