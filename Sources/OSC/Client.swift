import CLiblo

/// Someone who is kept up to date: where to, and what is known there.
final class Client {
  /// 0..<`Limits.oscClients`: whose hand its notes are.
  let seat: Int
  /// Numeric, so that no name is ever looked up.
  let host: String
  /// Where feedback goes.
  private(set) var port: String
  /// The port it sends from, when it asked for feedback by `/subscribe`; nil for a tablet, which is known by
  /// its host, whatever port it sends from.
  var subscriber: String?
  /// The one port that it was heard from; nil once there were several.
  var onlyPort: String?
  /// When it was last heard.
  var heardAt: Int64
  /// True while notes and pedals of its may be held.
  var plays = false

  /// What it knows of each face.
  var known: [Knowledge]
  /// Faces that something is still to be done for, the longest waiting first.
  var pending: [Int] = []
  /// The earliest time for its next packet.
  var nextPacket: Int64 = 0
  /// When something is to be done for it next.
  var wake = Int64.max
  /// Packets that the system refused to send.
  var failures: UInt64 = 0

  /// Resolved once.
  private(set) var address: lo_address?

  init(seat: Int, host: String, port: String, heardAt: Int64) {
    (self.seat, self.host, self.port, self.heardAt) = (seat, host, port, heardAt)
    known = Array(repeating: Knowledge(), count: Face.all.count)
    address = lo_address_new(host, port)
  }

  deinit { if let address { lo_address_free(address) } }

  /// Sends feedback somewhere else on the same host.
  func move(to port: String) {
    guard port != self.port else { return }
    if let address { lo_address_free(address) }
    self.port = port
    address = lo_address_new(host, port)
  }
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
  /// The last value is to be sent once more, in case it was lost.
  var again = false
  /// When to look at it next.
  var due: Int64 = 0
  /// It is in `pending`.
  var waits = false
}
