import Control
import Presets
import Scratch
import Testing

/// Who is known over a restart, through the store and the sockets.
struct ClientRestartTests {
  @Test("After a restart, a tablet and a program are shown everything, through the store and the sockets")
  func restart() throws {
    let folder = Folder()
    let replies = try Tablet(ServedInstrument())
    let first = try ServedInstrument(replyPort: replies.port, database: folder.database)
    let (tablet, program) = (try Tablet(first), try Tablet(first))
    tablet.send("/part/3/filter/cutoff", Float(1))
    program.send("/subscribe")
    program.run(60_000) {
      replies.listen()
      return !replies.received.isEmpty && !program.received.isEmpty
    }
    // Kept a second after it was heard; the store's thread needs a moment.
    #expect(
      eventually {
        program.run(10)
        return isKept(folder)
      })
    for listener in [replies, program] {
      listener.listen()
      listener.received.removeAll()
    }
    // The first is still there, as if it hung: nothing of it is waited for.
    let second = try ServedInstrument(replyPort: replies.port, database: folder.database)
    second.run(60_000) {
      for listener in [replies, program] { listener.listen() }
      return replies.hasSeenAll && program.hasSeenAll && !replies.values("/part/3/filter/cutoff").isEmpty
    }
    #expect(replies.hasSeenAll && program.hasSeenAll)
    #expect(
      !replies.values("/part/3/filter/cutoff").isEmpty && program.values("/part/3/filter/cutoff").isEmpty)
  }

  /// Whether a fresh look into the database finds both clients.
  private func isKept(_ folder: Folder) -> Bool {
    let library = Library(database: folder.database, factory: nil, writes: false, log: { _ in })
    return library.documents[.clients]?.text.split(separator: "\n").count == 3
  }
}
