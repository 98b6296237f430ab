import Control
import Synth

/// Keeps every client up to date, whoever made a change: the latest value wins; only news is sent, at most
/// thirty times a second each and in at most fifty packets; nothing is sent against the hand that moves a
/// fader, but where it ended up is confirmed once. What gets lost on the way is mended by `Round`.
/// When nothing changes nothing is sent.
final class Feedback {
  let control: Control
  private let faces = Faces()
  // Altered since the last turn, each once.
  private var altered: [Int] = []
  private var isAltered = Array(repeating: false, count: Face.all.count)

  /// The least time between two values at one address, nanoseconds.
  static let interval: Int64 = 33_000_000
  /// The least time between two packets to one client.
  static let pace: Int64 = 20_000_000
  /// How often a figure that changes by itself is said once more, and after what time each.
  static let repeats = 4
  static let repetition: Int64 = 1_000_000_000
  /// How long a hand that stopped moving counts as being on a fader.
  static let hold: Int64 = 300_000_000

  init(_ control: Control) {
    self.control = control
    control.listen { [unowned self, unowned control] change in
      faces.altered(by: change, focus: control.focus) { face in
        if isAltered[face] { return }
        isAltered[face] = true
        altered.append(face)
      }
    }
  }

  // MARK: - What clients know

  /// The client itself has just sent this value: it is told nothing else until its hand has come to rest.
  func touched(_ face: Int, _ shown: Shown, by client: Client, now: Int64) {
    client.known[face].shown = shown
    client.known[face].heldUntil = now + Feedback.hold
    client.known[face].confirm = true
    look(face, client, at: now + Feedback.hold)
  }

  /// Shows a client everything anew.
  func show(_ client: Client, now: Int64) {
    for face in Face.all.indices where client.wants(face) {
      if client.known[face].heldUntil < now { client.known[face].shown = nil }
      look(face, client, at: now)
    }
  }

  /// The client has spoken of the sound of a part by its own address, and is told of it there from now on.
  func open(_ part: Int, for client: Client, now: Int64) {
    if client.opened[part] { return }
    client.opened[part] = true
    for face in Face.all.indices where Face.all[face].sound == part { look(face, client, at: now) }
  }

  private func look(_ face: Int, _ client: Client, at time: Int64) {
    let due = max(time, client.known[face].heldUntil, client.known[face].sentAt + Feedback.interval)
    client.known[face].due = due
    client.newsAt = min(client.newsAt, due)
    if client.known[face].waits { return }
    client.known[face].waits = true
    client.pending.append(face)
  }

  // MARK: - Its turn

  /// Sends what is due; returns when it wants to be called again. `send` says whether the system sent it.
  func turn(_ clients: [Client], now: Int64, send: ([Message], Source) -> Bool) -> Int64? {
    for face in altered {
      isAltered[face] = false
      for client in clients where client.wants(face) && !client.isCutOff { look(face, client, at: now) }
    }
    altered.removeAll(keepingCapacity: true)
    var next = Int64.max
    for client in clients {
      callAgain(client, now: now)
      if client.wake <= now {
        let packet = client.roundAt <= now ? round(client, now) : news(client, now)
        if !packet.isEmpty {
          client.nextPacket = now + Feedback.pace
          if send(packet, client.listens) { reached(client, now: now) } else { missed(client, now: now) }
        }
      }
      next = min(next, client.wake)
    }
    return next == .max ? nil : next
  }

  /// As much of what is due to a client as one packet takes.
  private func news(_ client: Client, _ now: Int64) -> [Message] {
    var packet: [Message] = []
    var size = Message.bundleHead
    var kept: [Int] = []
    var isStirring = false
    client.newsAt = .max
    for (place, face) in client.pending.enumerated() {
      let known = client.known[face]
      if known.due > now {
        client.newsAt = min(client.newsAt, known.due)
        kept.append(face)
        continue
      }
      let shown = Face.all[face].shown(control)
      if shown != known.shown || known.confirm {
        let message = Message(Face.all[face].address, shown)
        if size + message.size > Limits.packetBytes && !packet.isEmpty {
          client.newsAt = now
          kept += client.pending[place...]
          break
        }
        packet.append(message)
        size += message.size
        client.known[face].shown = shown
        client.known[face].sentAt = now
        client.known[face].confirm = false
        if Face.all[face].isPassing {
          client.known[face].repeats = shown == known.shown ? known.repeats - 1 : Feedback.repeats
        } else {
          isStirring = true
        }
      }
      if client.known[face].repeats > 0 {
        client.known[face].confirm = true
        client.known[face].due = now + Feedback.repetition
        client.newsAt = min(client.newsAt, now + Feedback.repetition)
        kept.append(face)
      } else {
        client.known[face].waits = false
      }
    }
    client.pending = kept
    if isStirring { stir(client, now) }
    return packet
  }
}
