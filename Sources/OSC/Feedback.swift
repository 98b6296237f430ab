import Control
import Synth

/// Keeps every client up to date, whoever made a change: the latest value wins; only news is sent, at most
/// thirty times a second each and in at most fifty packets; nothing is sent against the hand that moves a
/// fader, but where it ended up is confirmed once. Each value is repeated once, since packets get lost.
/// When nothing changes nothing is sent.
final class Feedback {
  private let control: Control
  private let faces = Faces()
  // Altered since the last turn, each once.
  private var altered: [Int] = []
  private var isAltered = Array(repeating: false, count: Face.all.count)

  /// The least time between two values at one address, nanoseconds.
  static let interval: Int64 = 33_000_000
  /// The least time between two packets to one client.
  static let pace: Int64 = 20_000_000
  /// How long a hand that stopped moving counts as being on a fader.
  static let hold: Int64 = 300_000_000
  /// When a value is sent once more.
  static let repetition: Int64 = 500_000_000

  init(_ control: Control) {
    self.control = control
    control.listen { [unowned self] change in
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
    for face in Face.all.indices {
      if client.known[face].heldUntil < now { client.known[face].shown = nil }
      look(face, client, at: now)
    }
  }

  private func look(_ face: Int, _ client: Client, at time: Int64) {
    let due = max(time, client.known[face].heldUntil, client.known[face].sentAt + Feedback.interval)
    client.known[face].due = due
    client.wake = min(client.wake, max(due, client.nextPacket))
    if client.known[face].waits { return }
    client.known[face].waits = true
    client.pending.append(face)
  }

  // MARK: - Its turn

  /// Sends what is due; returns when it wants to be called again.
  func turn(_ clients: [Client], now: Int64, send: (Client, [Message]) -> Void) -> Int64? {
    for face in altered {
      isAltered[face] = false
      for client in clients { look(face, client, at: now) }
    }
    altered.removeAll(keepingCapacity: true)
    var next = Int64.max
    for client in clients {
      if client.wake <= now {
        let packet = packet(client, now)
        if !packet.isEmpty {
          client.nextPacket = now + Feedback.pace
          client.wake = max(client.wake, client.nextPacket)
          send(client, packet)
        }
      }
      next = min(next, client.wake)
    }
    return next == .max ? nil : next
  }

  /// As much of what is due to a client as one packet takes. Sets its `wake`.
  private func packet(_ client: Client, _ now: Int64) -> [Message] {
    var packet: [Message] = []
    var size = Message.bundleHead
    var kept: [Int] = []
    var sent: [Int] = []
    client.wake = .max
    for (place, face) in client.pending.enumerated() {
      var known = client.known[face]
      if known.due > now {
        client.wake = min(client.wake, known.due)
        kept.append(face)
        continue
      }
      let shown = Face.all[face].shown(control)
      let isNews = shown != known.shown || known.confirm
      if isNews || known.again {
        let message = Message(Face.all[face].address, shown)
        if size + message.size > Limits.packetBytes && !packet.isEmpty {
          client.wake = now
          kept += client.pending[place...]
          break
        }
        packet.append(message)
        size += message.size
        known.shown = shown
        known.sentAt = now
        known.confirm = false
        known.again = isNews
      }
      if known.again {
        known.due = now + Feedback.repetition
        client.wake = min(client.wake, known.due)
        sent.append(face)
      } else {
        known.waits = false
      }
      client.known[face] = known
    }
    // What has just been sent goes behind, so that everyone gets their turn.
    client.pending = kept + sent
    return packet
  }
}
