import Synth

// Datagrams get lost, both ways. A value that never arrived at a tablet is missing there; a fader whose message
// never arrived here shows what nobody plays, and pipit cannot know of it. So whoever has just said or been told
// something is shown the whole picture round and round, a packet at a time, until it has been still for five
// seconds. That is several times for each face, whatever was lost; then there is silence.
//
// One thing is left: a single touch after a long rest, all of whose messages are lost. Nobody hears of it, and
// nothing is sent to a still client; the next word from it, or `/here`, brings its picture back.

extension Feedback {
  /// For how long after the last word or the last news a client is shown the rounds, nanoseconds.
  static let lively: Int64 = 5_000_000_000
  /// The time between two packets of a round: all there is to show by default takes half a second.
  static let stride: Int64 = 60_000_000

  /// Something was said by a client, or to it.
  func stir(_ client: Client, _ now: Int64) {
    client.livelyUntil = now + Feedback.lively
    if client.roundAt == .max { client.roundAt = now + Feedback.stride }
  }

  /// As many of the next faces of the round as one packet takes.
  func round(_ client: Client, _ now: Int64) -> [Message] {
    client.roundAt = now < client.livelyUntil ? now + Feedback.stride : .max
    var packet: [Message] = []
    var size = Message.bundleHead
    for _ in Face.all.indices {
      let face = client.place
      let known = client.known[face]
      // What is news has its own time, and nothing is sent against a hand.
      if client.wants(face) && !known.waits && known.heldUntil <= now {
        let message = Message(Face.all[face].address, Face.all[face].shown(control))
        if size + message.size > Limits.packetBytes && !packet.isEmpty { break }
        packet.append(message)
        size += message.size
        client.known[face].shown = message.shown
        client.known[face].sentAt = now
      }
      client.place = (face + 1) % Face.all.count
    }
    return packet
  }
}
