import MIDI
import Parameters
import Presets
import Scenes
import Storage
import System

/// A request about backups of the whole box.
public enum BackupRequest: Sendable {
  /// Makes a backup.
  case make
  /// Restores a backup from its file.
  case restore(FileContents)
}

/// The answer to a request about backups.
public enum BackupAnswer: Sendable {
  /// A backup: a name for its file, its contents, and a sentence about each file that is left out.
  case made(name: String, FileContents, problems: [String])
  /// The restored items, as sentences.
  case restored([String])
}

// The documents of a backup, which replace those of the running instrument. Control thread.

extension Instrument {
  /// All documents of some kinds with their versions, and with the current session.
  package func snapshot(of kinds: [DocumentKind]) -> [DocumentCollection] {
    session.save()
    return library.documents.collections(of: kinds)
  }

  /// Replaces the documents of some kinds: the presets, the session with every knob, the devices with their bindings,
  /// and the remembered sound cards. Sounding notes continue. Earlier steps of undo are forgotten.
  package func restore(_ documents: [DocumentID: DocumentHistory], of kinds: [DocumentKind]) {
    library.restore(documents, of: kinds)
    saving.forget()
    if documents[DocumentID(.session)]?.current != nil, let restored = library.session {
      session.adopt(restored)
    } else {
      presets.readPresets()
      presets.forgetHistory()
      page.forgetTurn()
    }
    writer.changed(.page)
    // Without a MIDI reader or a sound card, the next start reads the documents.
    if kinds.contains(.devices) {
      try? devices.ask(.restore(library.documents[.devices]?.text ?? ""), saving: nil)
    }
    if kinds.contains(.cards) { try? card.ask(.remember(library.documents[.cards]?.text ?? "")) }
  }
}
