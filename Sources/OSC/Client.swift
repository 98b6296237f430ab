import Synth

/// Someone who is kept up to date: where to, and what is known there.
final class Client {
  /// 0..<`Limits.oscClients`: whose hand its notes are.
  let seat: Int
  /// Where feedback goes.
  var listens: Source
  /// The port it sends from, when it asked for feedback by `/subscribe`; nil for a tablet, which is known by
  /// its host, whatever port it sends from.
  var subscriber: Int?
  /// The one port that it was heard from; nil once there were several.
  var onlyPort: Int?
  /// When it was last heard.
  var heardAt: Int64
  /// True while notes and pedals of its may be held.
  var plays = false
  /// How long it may be silent before what it holds is let go, nanoseconds.
  var patience = Clients.silence

  /// Parts whose sound it has spoken of by their own addresses, and is therefore told of at these.
  var opened = Array(repeating: false, count: Limits.parts)
  /// What it knows of each face.
  var known = Array(repeating: Knowledge(), count: Face.all.count)
  /// Faces that something is still to be done for, the longest waiting first.
  var pending: [Int] = []
  /// When one of them is due.
  var newsAt = Int64.max
  /// When the next packet of a round is due; never while the client is still.
  var roundAt = Int64.max
  /// Rounds end then.
  var livelyUntil = Int64.min
  /// The face that the round has come to.
  var place = 0
  /// The earliest time for its next packet.
  var nextPacket: Int64 = 0
  /// When it is shown everything anew without being heard; nil once it was heard.
  var call: Call?

  init(seat: Int, listens: Source, heardAt: Int64) {
    (self.seat, self.listens, self.heardAt) = (seat, listens, heardAt)
  }

  /// When something is to be done for it next.
  var wake: Int64 {
    let due = min(newsAt, roundAt)
    return min(due == .max ? due : max(due, nextPacket), call?.at ?? .max)
  }

  /// The system sends nothing to it, as long as there is no network.
  var isCutOff: Bool { call?.isCutOff ?? false }

  /// Whether it is told of a face.
  func wants(_ face: Int) -> Bool { Face.all[face].sound.map { opened[$0] } ?? true }
}

/// What a client knows of one face, and what is still to be done about it.
struct Knowledge {
  /// What it was last sent, or has itself sent; nil when that is anyone's guess.
  var shown: Shown?
  /// When it was last sent, so that no face is sent too often.
  var sentAt = Int64.min / 2
  /// Until when the client's own hand is on it.
  var heldUntil = Int64.min / 2
  /// The hand is to be told where the value ended up.
  var confirm = false
  /// How often it is to be said once more.
  var repeats = 0
  /// When to look at it next.
  var due: Int64 = 0
  /// It is in `pending`.
  var waits = false
}
