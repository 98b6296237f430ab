import Control
import Synth

/// Keeps every client up to date, whoever made a change: the latest value wins; only news is sent, at most
/// thirty times a second each and no more packets than a transport's budget; nothing is sent against the hand that
/// moves a fader, but where it ended up is confirmed once.
///
/// Where packets get lost, everything is said several times, and `Refresh` mends what a client said and nobody heard.
/// When nothing changes nothing is sent.
final class Feedback {
  let instrument: Instrument
  let map: FeedbackMap
  // Altered since they were sent, each once.
  private var altered: [Int] = []
  private var isAltered: [Bool]

  /// The least time between two values at one address, nanoseconds.
  static let interval: Int64 = 33_000_000
  /// How often everything is said where packets get lost, and after what time again: with one packet of five lost,
  /// one entry in 400,000 is lost for good.
  static let sayings: Int8 = 8
  static let repetition: Int64 = 500_000_000
  /// How long a hand that stopped moving counts as being on a fader.
  static let hold: Int64 = 300_000_000

  init(_ instrument: Instrument, _ map: FeedbackMap) {
    (self.instrument, self.map) = (instrument, map)
    isAltered = Array(repeating: false, count: map.count)
    instrument.listen { [weak self] change in self?.mark(change) }
  }

  private func mark(_ change: Change) {
    map.altered(by: change, focus: instrument.focus) { entry in
      if isAltered[entry] { return }
      isAltered[entry] = true
      altered.append(entry)
    }
  }

  // MARK: - What clients know

  /// The client itself has just sent this value: it is told nothing else until its hand has come to rest.
  func hold(
    _ target: NodeAddress, _ value: OSCValue, by client: Client, now: Int64, for time: Int64 = Feedback.hold
  ) {
    guard let entry = map.entry(target) else { return }
    client[entry].value = value
    client[entry].heldUntil = now + time
    client[entry].confirm = true
    schedule(entry, client)
  }

  /// Shows a client everything anew. Who asks for it again and again is shown no more by that.
  func resendAll(to client: Client, now: Int64) {
    if now - client.resentAt < Feedback.repetition { return }
    client.resentAt = now
    owe(0..<map.count, to: client)
  }

  /// The client has spoken of the sound of a part by its own address, and is told of it there from now on.
  func open(_ part: Int, for client: Client, now: Int64) {
    if client.isOpen(part) { return }
    client.open(part)
    owe(map.sound(of: part), to: client)
  }

  /// These are to be said as often as it takes until they have surely arrived.
  private func owe(_ entries: Range<Int>, to client: Client) {
    for entry in entries where client.isTold(entry) {
      client[entry].owed = sayings(client)
      schedule(entry, client)
    }
  }

  private func sayings(_ client: Client) -> Int8 { client.transport.budget.isLossy ? Feedback.sayings : 1 }

  /// Something is to be said of an entry, as soon as it is due.
  func schedule(_ entry: Int, _ client: Client) {
    client.newsAt = min(client.newsAt, client[entry].due)
    if client[entry].isPending { return }
    client[entry].isPending = true
    client.pending.append(entry)
  }

  // MARK: - Sending

  /// Sends what is due; returns when it wants to be called again.
  func sendDue(to clients: [Client], _ now: Int64) -> Int64? {
    for entry in altered {
      isAltered[entry] = false
      for client in clients where client.isTold(entry) && !client.isCutOff {
        client[entry].isNews = true
        schedule(entry, client)
      }
    }
    altered.removeAll(keepingCapacity: true)
    var next = Int64.max
    for client in clients {
      resendIfUnheard(client, now: now)
      if client.dueAt <= now {
        guard client.transport.isReady(for: client.peer, now: now) else { continue }
        let packet = packet(client, now)
        if !packet.isEmpty {
          client.nextPacket = now + client.transport.budget.interval
          if client.transport.send(packet, to: client.peer) {
            reached(client, now: now)
          } else {
            missed(client, now: now)
          }
        }
      }
      next = min(next, client.dueAt)
    }
    return next == .max ? nil : next
  }

  /// As much of what is due to a client as one packet takes, the most urgent first, and of that the longest unsaid.
  private func packet(_ client: Client, _ now: Int64) -> [OSCMessage] {
    var packet = Packing(client.transport.budget)
    var due = Urgency.allCases.map { _ in [Int]() }
    var (unsaid, later) = (due, [Int]())
    for entry in client.pending {
      if client[entry].due > now {
        later.append(entry)
      } else {
        due[urgency(entry, client).rawValue].append(entry)
      }
    }
    var isFull = false
    for urgency in order(client, now) {
      for entry in due[urgency.rawValue] {
        isFull = isFull || !say(entry, client, now, &packet)
        if isFull {
          unsaid[urgency.rawValue].append(entry)
        } else if client[entry].owed > 0 || map.isMovable(entry) && now < client.refreshUntil {
          later.append(entry)
        } else {
          client[entry].isPending = false
        }
      }
    }
    client.pending = unsaid.flatMap { $0 } + later
    client.newsAt = isFull ? now : later.reduce(.max) { min($0, client[$1].due) }
    return packet.messages
  }

  /// Says what is at an entry, unless it only seemed to have changed. False when the packet has no room.
  private func say(_ entry: Int, _ client: Client, _ now: Int64, _ packet: inout Packing) -> Bool {
    let (known, value) = (client[entry], map.value(entry, instrument))
    client[entry].isNews = false
    if known.isNews && value == known.value && !known.confirm { return true }
    guard packet.add(OSCMessage(map.text(entry), value)) else {
      client[entry].isNews = known.isNews
      return false
    }
    // Where a hand left it is as good as changed: its last message may be lost, and then it shows something else.
    if known.confirm || known.isNews && value != known.value {
      (client[entry].changedAt, client[entry].owed) = (now, sayings(client))
    }
    (client[entry].value, client[entry].sentAt, client[entry].confirm) = (value, now, false)
    client[entry].owed = max(0, client[entry].owed - 1)
    return true
  }
}
