import Synth

/// Someone who is kept up to date: where to and by what way, and what is known there.
public final class Client {
  /// 0..<`Limits.surfaceClients`: whose hand its notes are.
  let seat: Int
  /// What carries messages to it.
  let transport: any Transport
  /// Where feedback goes.
  var peer: Peer
  /// Where it speaks from, when it is known by that: a program that has subscribed, or a connection. Nil for a
  /// tablet, which is known by its host, wherever it speaks from.
  var sender: Peer?
  /// The one place that it was heard from; nil once there were several.
  var onlySender: Peer?
  /// When it was last heard.
  var heardAt: Int64
  /// Where it was last told that a number was beyond the range.
  var clamped: NodeAddress?
  /// True while notes and pedals of its may be held.
  var plays = false
  /// How long it may be silent before what it holds is let go, nanoseconds.
  var patience = Clients.silence

  // What it knows of the entries that everyone is told of, and of those of each part that it is told of.
  private var knowledge: [[Knowledge]] = Array(repeating: [], count: 1 + Limits.parts)
  private let sharedCount: Int
  private let soundCount: Int
  /// Entries that something is still to be said of, the longest unsaid first.
  var pending: [Int] = []
  /// When one of them is due.
  var newsAt = Int64.max
  /// Until then what its hands can move is shown round and round.
  var refreshUntil = Int64.min
  /// When it was last shown everything anew.
  var resentAt = Int64.min / 2
  /// What changed before that it has surely been told of, unless it has begun afresh.
  var toldUntil = Int64.min / 2
  /// In the last packet what is shown round and round came before what is said again.
  var wasRefreshFirst = false
  /// The earliest time for its next packet.
  var nextPacket: Int64 = 0
  /// When it is shown everything anew without being heard; nil once it was heard.
  var backoff: ResendBackoff?

  init(seat: Int, transport: any Transport, peer: Peer, heardAt: Int64, _ map: FeedbackMap) {
    (self.seat, self.transport, self.peer, self.heardAt) = (seat, transport, peer, heardAt)
    (sharedCount, soundCount) = (map.sharedCount, map.soundCount)
    knowledge[0] = Array(repeating: Knowledge(), count: sharedCount)
  }

  /// When something is to be done for it next.
  var dueAt: Int64 {
    min(newsAt == .max ? .max : max(newsAt, nextPacket), backoff?.at ?? .max)
  }

  /// The system sends nothing to it, as long as there is no network.
  var isCutOff: Bool { backoff?.isCutOff ?? false }

  // MARK: - What it is told of

  /// Parts whose sound it has spoken of by their own addresses, and is therefore told of at these.
  var openParts: [Int] { (0..<Limits.parts).filter(isOpen) }

  func isOpen(_ part: Int) -> Bool { !knowledge[1 + part].isEmpty }

  /// From now on it is told of the sound of a part.
  func open(_ part: Int) { knowledge[1 + part] = Array(repeating: Knowledge(), count: soundCount) }

  /// Whether it is told of an entry.
  func isTold(_ entry: Int) -> Bool { entry < sharedCount || isOpen((entry - sharedCount) / soundCount) }

  /// What it knows of an entry that it is told of.
  subscript(entry: Int) -> Knowledge {
    get {
      if entry < sharedCount { return knowledge[0][entry] }
      let (part, offset) = (entry - sharedCount).quotientAndRemainder(dividingBy: soundCount)
      return knowledge[1 + part][offset]
    }
    _modify {
      if entry < sharedCount {
        yield &knowledge[0][entry]
      } else {
        let (part, offset) = (entry - sharedCount).quotientAndRemainder(dividingBy: soundCount)
        yield &knowledge[1 + part][offset]
      }
    }
  }

  /// Bytes that what it knows takes.
  var knowledgeBytes: Int { knowledge.reduce(0) { $0 + $1.capacity } * MemoryLayout<Knowledge>.stride }
}

/// What a client knows of one entry, and what is still to be said about it.
struct Knowledge {
  /// What it was last sent, or has itself sent; nil before either.
  var value: OSCValue?
  /// It may have changed since it was sent.
  var isNews = false
  /// The hand is to be told where the value ended up.
  var confirm = false
  /// How often it is still to be said.
  var owed: Int8 = 0
  /// It is in `pending`.
  var isPending = false
  /// When it was last sent, so that nothing is sent too often.
  var sentAt = Int64.min / 2
  /// When a change of it was first sent.
  var changedAt = Int64.min / 2
  /// Until when the client's own hand is on it.
  var heldUntil = Int64.min / 2

  /// When it may be said next: a change soon, what is only said again later, and never against the hand.
  var due: Int64 {
    max(heldUntil, sentAt + (isNews || confirm ? Feedback.interval : Feedback.repetition))
  }
}
