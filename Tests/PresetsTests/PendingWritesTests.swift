import Testing

@testable import Presets
@testable import Storage

/// What waits to be written, by the writer's clock.
struct PendingWritesTests {
  private let second: Int64 = 1_000_000_000
  private let preset = DocumentID(.preset, "1/0")
  private let session = DocumentID(.session)
  private let clients = DocumentID(.clients)

  private func state(_ text: String) -> DocumentHistory { DocumentHistory(current: Document(text: text)) }

  @Test("What could not be written never takes the place of something newer")
  func failedWrite() {
    var pending = PendingWrites()
    pending.put([preset: state("old"), session: state("old")])
    _ = pending.beginRound(0)
    let batch = pending.take(10 * second, unreported: false)
    #expect(batch.count == 2 && pending.documents.isEmpty)
    pending.put([preset: state("new")])
    pending.putBack(batch, due: 20 * second)
    #expect(pending.documents[preset] == state("new") && pending.documents[session] == state("old"))
    // It is due when it is tried again, the newer as soon as it has been seen.
    #expect(pending.beginRound(11 * second) == true)
    #expect(pending.nextDue == 11 * second)
    #expect(pending.take(11 * second, unreported: false).count == 2)
  }

  @Test("What comes while a batch is written waits for the next one")
  func during() {
    var pending = PendingWrites()
    pending.put([preset: state("old")])
    _ = pending.beginRound(0)
    #expect(pending.take(0, unreported: false)[preset] == state("old"))
    pending.put([preset: state("new")])
    pending.wrote(in: 0.01)
    #expect(pending.documents == [preset: state("new")] && pending.savesWaiting == 1 && !pending.isDone)
  }

  @Test("Saves by hand are counted until they are on the disk; nothing else is")
  func counted() {
    var pending = PendingWrites()
    let other = DocumentID(.preset, "1/1")
    pending.put([preset: state("a"), other: state("b"), session: state("c"), clients: state("d")])
    #expect(pending.savesWaiting == 2)
    _ = pending.beginRound(0)
    let batch = pending.take(10 * second, unreported: false)
    #expect(batch.count == 3 && pending.savesWaiting == 2)
    pending.putBack(batch, due: 0)
    #expect(pending.savesWaiting == 2)
    _ = pending.take(10 * second, unreported: false)
    pending.wrote(in: 0)
    // What is written in silence keeps nobody from stopping.
    #expect(pending.savesWaiting == 0 && pending.isDone && pending.documents.count == 1)
  }

  @Test("A save in a kind that is gathered is written at once, and counted until it is on the disk")
  func atOnce() {
    var pending = PendingWrites()
    pending.put([session: state("a")])
    _ = pending.beginRound(0)
    #expect(pending.savesWaiting == 0 && pending.take(0, unreported: false).isEmpty)
    pending.put([session: state("b")], atOnce: true)
    #expect(pending.beginRound(1) && pending.savesWaiting == 1)
    // A later change goes with it.
    pending.put([session: state("c")])
    _ = pending.beginRound(2)
    let batch = pending.take(2, unreported: false)
    #expect(batch == [session: state("c")] && pending.savesWaiting == 1)
    pending.putBack(batch, due: 3)
    #expect(pending.savesWaiting == 1)
    #expect(pending.take(3, unreported: false).count == 1)
    // What comes while it is written is not the player's save.
    pending.put([session: state("d")])
    #expect(pending.wrote(in: 0) == [session] && pending.savesWaiting == 0)
    // A kind that is not reported is never written at once.
    pending.put([clients: state("e")], atOnce: true)
    #expect(pending.savesWaiting == 0 && !pending.beginRound(4))
  }

  @Test("Only a save by hand is urgent, and once; a stop is")
  func urgent() {
    var pending = PendingWrites()
    pending.put([session: state("a"), clients: state("b")])
    #expect(pending.beginRound(0) == false)
    pending.put([preset: state("c")])
    #expect(pending.beginRound(0) && !pending.beginRound(0))
    pending.stop()
    #expect(pending.beginRound(0) && !pending.beginRound(0) && pending.isStopping)
    // At the end nothing is gathered any more.
    #expect(pending.take(0, unreported: false).count == 2 && pending.take(0, unreported: true).count == 1)
  }

  @Test("Changes are written a second after the first of them, however many follow")
  func gathered() {
    var pending = PendingWrites()
    #expect(pending.nextDue == .max)
    pending.put([session: state("a")])
    _ = pending.beginRound(5 * second)
    for step in 1...9 {
      pending.put([session: state("\(step)")])
      _ = pending.beginRound(5 * second + Int64(step) * second / 10)
    }
    #expect(pending.nextDue == 6 * second)
    #expect(pending.take(6 * second - 1, unreported: false).isEmpty)
    #expect(pending.take(6 * second, unreported: true).isEmpty && pending.documents.count == 1)
    #expect(pending.take(6 * second, unreported: false) == [session: state("9")])
    #expect(pending.nextDue == .max)
  }

  @Test("What is kept in silence is no part of the others' transaction, nor they of its")
  func silence() {
    var pending = PendingWrites()
    pending.put([preset: state("a"), clients: state("b")])
    _ = pending.beginRound(0)
    #expect(Set(pending.take(0, unreported: true).keys) == [clients])
    #expect(Set(pending.take(0, unreported: false).keys) == [preset])
    pending.put([preset: state("a"), clients: state("b")])
    _ = pending.beginRound(0)
    pending.postponeUnreported()
    #expect(pending.take(0, unreported: true).isEmpty && pending.take(0, unreported: false).count == 1)
    // It comes with the next of its kind.
    pending.put([clients: state("c")])
    _ = pending.beginRound(second)
    #expect(pending.take(second, unreported: true) == [clients: state("c")])
  }

  @Test("What is held back is counted, and is written as one when nobody holds it any more, or at the end")
  func held() {
    var pending = PendingWrites()
    pending.holds = 2
    pending.put([preset: state("a"), clients: state("b")])
    #expect(pending.beginRound(0) && pending.nextDue == 0 && pending.savesWaiting == 1)
    #expect(pending.take(0, unreported: false).isEmpty && pending.take(0, unreported: true).count == 1)
    pending.put([session: state("c")])
    _ = pending.beginRound(0)
    pending.holds -= 1
    #expect(pending.nextDue == .max && pending.take(9 * second, unreported: false).isEmpty)
    var last = pending
    last.stop()
    #expect(last.take(0, unreported: false).count == 2 && last.isDone)
    pending.holds -= 1
    #expect(
      pending.nextDue == 0 && pending.take(0, unreported: false).count == 2 && pending.savesWaiting == 1)
    pending.wrote(in: 0.01)
    #expect(pending.savesWaiting == 0)
  }
}
