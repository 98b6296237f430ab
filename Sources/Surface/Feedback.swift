import Control
import Scenes

/// Sends every client the changes of others: the latest value of each address, at most thirty times a second, within
/// the packet budget of the transport. A client whose user moves a control receives no values for it until the control
/// rests, and then its final value once.
///
/// Over a lossy transport each value is sent several times, and a refresh corrects controls whose own messages were
/// lost. Without changes nothing is sent.
final class Feedback {
  let instrument: Instrument
  let map: FeedbackMap
  /// The other clients of a client's machine that only listen.
  var listeners: (_ beside: Client) -> [Client] = { _ in [] }
  // Entries that have changed since the last packets, each once.
  private var altered: [Int] = []
  private var isAltered: [Bool]

  /// The minimum time between two values at one address, nanoseconds.
  static let interval: Int64 = 33_000_000
  /// How many times each value is sent over a lossy transport: if one packet in five is lost, one value in 400,000
  /// never arrives.
  static let sendCount: Int8 = 8
  /// The time between these repetitions, nanoseconds.
  static let repetition: Int64 = 500_000_000
  /// The number of messages that are tried in vain before a packet counts as full.
  private static let mostMisses = 24
  /// How long after its last message a control counts as moved by its user, nanoseconds.
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

  // MARK: - The values of clients

  /// Notes a value that came from the client itself: it receives none at this address until the control has rested for
  /// `time`, nanoseconds.
  func hold(
    _ target: NodeAddress, _ value: OSCValue, by client: Client, now: Int64, for time: Int64 = Feedback.hold
  ) {
    guard let entry = map.entry(target) else { return }
    // A program that sends by UDP may listen over a connection: both clients then belong to one user.
    for receiver in [client] + listeners(client) where receiver.receives(entry) {
      receiver[entry].value = value
      receiver[entry].heldUntil = now + time
      receiver[entry].confirm = true
      schedule(entry, receiver)
    }
  }

  /// Sends a client the current value of a control that it was not allowed to change.
  func correct(_ target: NodeAddress, to client: Client, now: Int64) {
    guard let entry = map.entry(target), client.receives(entry) else { return }
    client[entry].confirm = true
    schedule(entry, client)
  }

  /// Sends a client everything again, at most once per `repetition`.
  func resendAll(to client: Client, now: Int64) {
    if now - client.resentAt < Feedback.repetition { return }
    client.resentAt = now
    resend(0..<map.count, to: client)
  }

  /// Adds the sound of a part to the feedback of a client that has used one of the part's own addresses;
  /// `withDetails` adds the details too.
  func addSound(of part: Int, to client: Client, withDetails: Bool, sends: Bool = true) {
    add(group: EntryGroups.sound(of: part), to: client, sends: sends)
    if withDetails { add(group: EntryGroups.details(of: part), to: client, sends: sends) }
  }

  /// Adds the sound of a part to the feedback of a client, if the address that the client has used belongs to it.
  func addSound(at target: NodeAddress, _ node: Node, to client: Client, sends: Bool = true) {
    guard let part = target.part, node.isOfSound else { return }
    addSound(of: part, to: client, withDetails: node.owner == .detail, sends: sends)
  }

  private func add(group: Int, to client: Client, sends: Bool) {
    if client.receives(group: group) { return }
    client.add(group: group)
    if sends { resend(map.groups.entries(of: group), to: client) }
  }

  /// Notes a value that was sent to a client other than by feedback.
  func noteSent(_ target: NodeAddress, _ value: OSCValue, to client: Client, now: Int64) {
    guard let entry = map.entry(target), client.receives(entry) else { return }
    (client[entry].value, client[entry].sentAt) = (value, now)
  }

  /// Schedules entries to be sent `sendCount` times.
  private func resend(_ entries: Range<Int>, to client: Client) {
    for entry in entries where client.receives(entry) {
      client[entry].sendsLeft = sendCount(client)
      schedule(entry, client)
    }
  }

  private func sendCount(_ client: Client) -> Int8 {
    client.transport.budget.isLossy ? Feedback.sendCount : 1
  }

  /// Schedules an entry to be sent when it is due.
  func schedule(_ entry: Int, _ client: Client) {
    client.pendingDueAt = min(client.pendingDueAt, client[entry].due)
    if client[entry].isPending { return }
    client[entry].isPending = true
    client.pending.append(entry)
  }

  // MARK: - Sending

  /// Sends what is due. Returns the time of the next call; nil when nothing is pending.
  func sendDue(to clients: [Client], _ now: Int64) -> Int64? {
    for entry in altered {
      isAltered[entry] = false
      for client in clients where client.receives(entry) && !client.isCutOff {
        client[entry].isChanged = true
        schedule(entry, client)
      }
    }
    altered.removeAll(keepingCapacity: true)
    var next = Int64.max
    for client in clients {
      resendIfDue(client, now: now)
      if client.dueAt <= now {
        guard client.transport.isReady(for: client.peer, now: now) else { continue }
        let packet = packet(client, now)
        if !packet.isEmpty {
          client.nextPacket = now + client.transport.budget.interval
          if client.transport.send(packet, to: client.peer) {
            sendSucceeded(client, now: now)
          } else {
            sendFailed(client, now: now)
          }
        }
      }
      next = min(next, client.dueAt)
    }
    return next == .max ? nil : next
  }

  /// The due messages of a client that fit into one packet: the most urgent first, then those that have waited longest.
  private func packet(_ client: Client, _ now: Int64) -> [OSCMessage] {
    var packet = PacketBuilder(client.transport.budget)
    var due = Urgency.allCases.map { _ in [Int]() }
    var (unsent, later) = (due, [Int]())
    for entry in client.pending {
      if client[entry].due > now {
        later.append(entry)
      } else {
        due[urgency(entry, client).rawValue].append(entry)
      }
    }
    // After a message that does not fit, a shorter one may still fit.
    var misses = 0
    for urgency in order(client, now) {
      for entry in due[urgency.rawValue] {
        if misses > Feedback.mostMisses || !add(entry, client, now, to: &packet) {
          misses += 1
          unsent[urgency.rawValue].append(entry)
        } else if client[entry].sendsLeft > 0 || map.isSettable(entry) && now < client.refreshUntil {
          later.append(entry)
        } else {
          client[entry].isPending = false
        }
      }
    }
    client.pending = unsent.flatMap { $0 } + later
    client.pendingDueAt = misses > 0 ? now : later.reduce(.max) { min($0, client[$1].due) }
    return packet.messages
  }

  /// Adds the value of an entry to a packet, unless the client has it already. False if the packet is full.
  private func add(_ entry: Int, _ client: Client, _ now: Int64, to packet: inout PacketBuilder) -> Bool {
    let (known, value) = (client[entry], map.value(entry, instrument))
    client[entry].isChanged = false
    if known.isChanged && value == known.value && !known.confirm { return true }
    guard packet.add(OSCMessage(map.text(entry), value)) else {
      client[entry].isChanged = known.isChanged
      return false
    }
    // The final value of a moved control counts as a change: if its last message was lost, it shows another value.
    if known.confirm || known.isChanged && value != known.value {
      (client[entry].changedAt, client[entry].sendsLeft) = (now, sendCount(client))
    }
    (client[entry].value, client[entry].sentAt, client[entry].confirm) = (value, now, false)
    client[entry].sendsLeft = max(0, client[entry].sendsLeft - 1)
    return true
  }
}

// Packets get lost in both directions. pipit sends each of its values several times (`Feedback.sendCount`). But a fader
// whose own message was lost shows a value that pipit does not have, and pipit cannot know. So pipit sends every
// settable value repeatedly to a client that has just sent a message, until the client has been silent for five
// seconds. Texts, lamps and figures need no refresh: no message of a client can make them wrong.
//
// One case remains: a single touch after a long silence, all of whose messages are lost. pipit sends nothing to a
// silent client; the client's next message, or `/here`, makes its controls right again.

extension Feedback {
  /// How long a client is refreshed after its last message, nanoseconds.
  static let refreshTime: Int64 = 5_000_000_000
  /// A client whose last message is not older than this is moving a control, nanoseconds.
  private static let moveInterval: Int64 = 50_000_000

  /// Starts or extends the refresh of a client after a message from it.
  func keepRefreshing(_ client: Client, _ now: Int64) {
    guard client.transport.budget.isLossy else { return }
    let isRefreshing = now < client.refreshUntil
    client.refreshUntil = now + Feedback.refreshTime
    if isRefreshing { return }
    for entry in 0..<map.count where map.isSettable(entry) && client.receives(entry) {
      schedule(entry, client)
    }
  }

  /// The reason why an entry is sent, the most urgent first.
  enum Urgency: Int, CaseIterable {
    /// It has changed.
    case changed
    /// Clients can set it, and this one was never sent it.
    case newValue
    /// The client was never sent it.
    case newText
    /// Clients can set it, and it was not sent since the client's last message.
    case unconfirmed
    /// It changed after `Client.deliveredUntil`, and is sent again.
    case repeated
    /// The client shows its value already, unless the client has restarted.
    case routine
  }

  func urgency(_ entry: Int, _ client: Client) -> Urgency {
    let known = client[entry]
    if known.isChanged || known.confirm { return .changed }
    if known.value == nil { return map.isSettable(entry) ? .newValue : .newText }
    if map.isSettable(entry) && known.sentAt < client.receivedAt { return .unconfirmed }
    return known.sendsLeft > 0 && known.changedAt > client.deliveredUntil ? .repeated : .routine
  }

  /// The order of a packet. While the user moves a control, unconfirmed entries never run out, so every other packet
  /// puts the others before them.
  func order(_ client: Client, _ now: Int64) -> [Urgency] {
    client.wasRefreshFirst.toggle()
    let isRefreshLast = !client.wasRefreshFirst && now - client.receivedAt < Feedback.moveInterval
    return isRefreshLast
      ? [.changed, .newValue, .newText, .repeated, .routine, .unconfirmed] : Urgency.allCases
  }
}

/// The times at which a silent client receives everything again: one from before a restart, or one that the system
/// could not send to. A network that has just come up loses the first packets, so pipit repeats them a few times, at
/// growing intervals, until a message comes from the client.
struct ResendBackoff {
  /// The time of the next repetition.
  var at: Int64
  /// The pause after the next repetition, nanoseconds.
  var pause: Int64
  /// The end of the repetitions.
  var until: Int64
  /// True while the system refuses to send to the client, as without a network.
  var isCutOff = false

  /// The first pause, nanoseconds. Each pause doubles the one before.
  static let first: Int64 = 8_000_000_000
  /// How long a silent client receives everything again, nanoseconds.
  static let longest: Int64 = 120_000_000_000
  /// The first and the longest pause between attempts to send to a client that is cut off, nanoseconds.
  static let cutOff = (first: Int64(1_000_000_000), most: Int64(30_000_000_000))
}

extension Feedback {
  /// Sends a client everything, now and a few times more.
  func startBackoff(_ client: Client, now: Int64) {
    client.backoff = ResendBackoff(at: now, pause: ResendBackoff.first, until: now + ResendBackoff.longest)
  }

  /// Sends a client everything once more when its backoff is due.
  func resendIfDue(_ client: Client, now: Int64) {
    guard var backoff = client.backoff, backoff.at <= now else { return }
    resendAll(to: client, now: now)
    // Counted from the due time: a loop that is a little late each time must not lose the last repetition.
    backoff.at = max(backoff.at + backoff.pause, now)
    if !backoff.isCutOff { backoff.pause *= 2 }
    client.backoff = backoff.isCutOff || backoff.at <= backoff.until ? backoff : nil
  }

  /// Notes that a packet was sent to a client.
  func sendSucceeded(_ client: Client, now: Int64) {
    guard client.isCutOff else { return }
    // This was the first packet since the network came back, and may be lost.
    startBackoff(client, now: now)
    client.backoff?.at = now + ResendBackoff.first
    client.backoff?.pause *= 2
  }

  /// Notes that the system refused to send to a client. The client receives everything once the system sends again;
  /// until then one packet is tried at each pause.
  func sendFailed(_ client: Client, now: Int64) {
    for entry in client.pending { client[entry].isPending = false }
    client.pending.removeAll(keepingCapacity: true)
    (client.pendingDueAt, client.refreshUntil, client.resentAt) = (.max, .min, .min / 2)
    var pause = ResendBackoff.cutOff.first
    if let backoff = client.backoff, backoff.isCutOff {
      pause = min(backoff.pause * 2, ResendBackoff.cutOff.most)
    }
    client.backoff = ResendBackoff(at: now + pause, pause: pause, until: .max, isCutOff: true)
  }
}
