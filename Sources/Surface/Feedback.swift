import Control
import Synth

/// Keeps every client up to date, whoever made a change: the latest value wins; only news is sent, at most
/// thirty times a second each and no more packets than a transport's budget; nothing is sent against the hand that
/// moves a fader, but where it ended up is confirmed once.
///
/// Where packets get lost, news is said again a few times, and `Refresh` mends what a client said and nobody heard.
/// When nothing changes nothing is sent.
final class Feedback {
  let control: Control
  let map: FeedbackMap
  // Altered since they were sent, each once.
  private var altered: [Int] = []
  private var isAltered: [Bool]

  /// The least time between two values at one address, nanoseconds.
  static let interval: Int64 = 33_000_000
  /// How often news is said once more where packets get lost, and after what time each: with one packet of five lost,
  /// one change in 400,000 is lost for good.
  static let repeats: Int8 = 7
  static let repetition: Int64 = 600_000_000
  /// How long a hand that stopped moving counts as being on a fader.
  static let hold: Int64 = 300_000_000

  init(_ control: Control, _ map: FeedbackMap) {
    (self.control, self.map) = (control, map)
    isAltered = Array(repeating: false, count: map.count)
    control.listen { [weak self] change in self?.mark(change) }
  }

  private func mark(_ change: Change) {
    map.altered(by: change, focus: control.focus) { entry in
      if isAltered[entry] { return }
      isAltered[entry] = true
      altered.append(entry)
    }
  }

  // MARK: - What clients know

  /// The client itself has just sent this value: it is told nothing else until its hand has come to rest.
  func hold(_ target: NodeAddress, _ value: OSCValue, by client: Client, now: Int64) {
    guard let entry = map.entry(target) else { return }
    client[entry].value = value
    client[entry].heldUntil = now + Feedback.hold
    client[entry].confirm = true
    schedule(entry, client, at: now + Feedback.hold)
  }

  /// Shows a client everything anew: what a hand can move with the refresh, where there is one, and the rest as news.
  func resendAll(to client: Client, now: Int64) {
    let isRefreshing = client.refreshAt != .max
    for entry in 0..<map.count where client.isTold(entry) {
      if client[entry].heldUntil < now { client[entry].value = nil }
      if !isRefreshing || !map.isMovable(entry) { schedule(entry, client, at: now) }
    }
    if isRefreshing { startUrgentRound(client, now) }
  }

  /// The client has spoken of the sound of a part by its own address, and is told of it there from now on.
  func open(_ part: Int, for client: Client, now: Int64) {
    if client.isOpen(part) { return }
    client.open(part)
    for entry in map.sound(of: part) { schedule(entry, client, at: now) }
  }

  private func schedule(_ entry: Int, _ client: Client, at time: Int64) {
    let due = max(time, client[entry].heldUntil, client[entry].sentAt + Feedback.interval)
    client[entry].due = due
    client.newsAt = min(client.newsAt, due)
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
        schedule(entry, client, at: now)
      }
    }
    altered.removeAll(keepingCapacity: true)
    var next = Int64.max
    for client in clients {
      resendIfUnheard(client, now: now)
      if client.dueAt <= now {
        guard client.transport.isReady(for: client.peer) else { continue }
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

  /// As much of what is due to a client as one packet takes: news and the refresh, first the one, then the other.
  private func packet(_ client: Client, _ now: Int64) -> [OSCMessage] {
    var packet = Packing(client.transport.budget)
    let isNewsDue = client.newsAt <= now
    let isRefreshFirst = client.urgentEntries > 0 || !client.wasRefreshFirst
    client.wasRefreshFirst = isRefreshFirst
    if isNewsDue && !isRefreshFirst { addNews(client, now, to: &packet) }
    if client.refreshAt <= now { addRefresh(client, now, to: &packet) }
    if isNewsDue && isRefreshFirst { addNews(client, now, to: &packet) }
    return packet.messages
  }

  private func addNews(_ client: Client, _ now: Int64, to packet: inout Packing) {
    var kept: [Int] = []
    client.newsAt = .max
    for (place, entry) in client.pending.enumerated() {
      let known = client[entry]
      if known.due > now {
        client.newsAt = min(client.newsAt, known.due)
        kept.append(entry)
        continue
      }
      let value = map.value(entry, control)
      let isRepeat = known.repeats > 0 && now - known.sentAt >= Feedback.repetition
      if value != known.value || known.confirm || isRepeat {
        guard packet.add(OSCMessage(map.text(entry), value)) else {
          client.newsAt = now
          kept += client.pending[place...]
          break
        }
        client[entry].value = value
        client[entry].sentAt = now
        client[entry].confirm = false
        if client.transport.budget.isLossy {
          client[entry].repeats = value != known.value ? Feedback.repeats : known.repeats - (isRepeat ? 1 : 0)
        }
      }
      if client[entry].repeats > 0 {
        client[entry].due = client[entry].sentAt + Feedback.repetition
        client.newsAt = min(client.newsAt, client[entry].due)
        kept.append(entry)
      } else {
        client[entry].isPending = false
      }
    }
    client.pending = kept
  }
}
