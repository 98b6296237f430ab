import Scenes
import System

/// A peer that receives feedback: its address, its transport, and the values that it was last sent.
public final class Client {
  /// Its slot, 0..<`Limits.surfaceClients`. It identifies the source of the client's notes.
  let slot: Int
  /// The transport that reaches it.
  let transport: any Transport
  /// The peer that receives its feedback.
  var peer: Peer
  /// The sender that identifies the client: the port of a program that has subscribed, or a connection. Nil for a
  /// tablet, which is identified by its host, whatever port it sends from.
  var sender: Peer?
  /// The peer that sent all of its messages; nil once several peers have sent some.
  var onlySender: Peer?
  /// The name that it gave itself; empty if it gave none.
  var name = ""
  /// When its last message arrived, CLOCK_MONOTONIC in nanoseconds.
  var receivedAt: Int64
  /// The last address whose number was out of range and was reported to the client.
  var clamped: NodeAddress?
  /// True for a program that listens over a connection, by OSCQuery's LISTEN, and may send over another transport.
  var isListener = false
  /// True while it may hold notes and pedals.
  var plays = false
  /// How long it may be silent before its notes and pedals are released, nanoseconds.
  var holdTimeout = Clients.silence

  // The state of the entries of each group; empty for groups that the client does not receive.
  private var entries: [[EntryState]] = Array(repeating: [], count: EntryGroups.count)
  private let groups: EntryGroups
  // Shared entries that its transport does not carry.
  private let withheld: Set<Int>
  /// Entries that are still to be sent; those that have waited longest are first.
  var pending: [Int] = []
  /// When the first of `pending` is due.
  var pendingDueAt = Int64.max
  /// The time until which settable values are sent repeatedly.
  var refreshUntil = Int64.min
  /// When everything was last sent again.
  var resentAt = Int64.min / 2
  /// Changes before this time were delivered, unless the client has restarted.
  var deliveredUntil = Int64.min / 2
  /// True if the last packet had refreshed values before repeated ones.
  var wasRefreshFirst = false
  /// The earliest time for its next packet.
  var nextPacket: Int64 = 0
  /// When everything is sent again although no message came; nil once one has come.
  var backoff: ResendBackoff?

  init(slot: Int, transport: any Transport, peer: Peer, receivedAt: Int64, _ map: FeedbackMap) {
    (self.slot, self.transport, self.peer, self.receivedAt) = (slot, transport, peer, receivedAt)
    groups = map.groups
    withheld = transport.budget.isLossy ? map.peaks : []
    add(group: 0)
  }

  /// The time of the next packet to it; `Int64.max` if nothing is to be sent.
  var dueAt: Int64 {
    min(pendingDueAt == .max ? .max : max(pendingDueAt, nextPacket), backoff?.at ?? .max)
  }

  /// True while the system refuses to send to it, as without a network.
  var isCutOff: Bool { backoff?.isCutOff ?? false }

  // MARK: - The entries that it receives

  /// The parts whose own addresses it has used, and whose sound it receives there.
  var soundParts: [Int] { (0..<Limits.parts).filter { receives(group: EntryGroups.sound(of: $0)) } }

  /// The parts whose details it receives at their own addresses.
  var detailedParts: [Int] { (0..<Limits.parts).filter { receives(group: EntryGroups.details(of: $0)) } }

  func receives(group: Int) -> Bool { !entries[group].isEmpty }

  /// Adds a group to those that it receives.
  func add(group: Int) { entries[group] = Array(repeating: EntryState(), count: groups.size(of: group)) }

  /// Whether it receives an entry.
  func receives(_ entry: Int) -> Bool {
    entry < groups.shared ? !withheld.contains(entry) : receives(group: groups.location(of: entry).group)
  }

  /// The state of an entry that it receives.
  subscript(entry: Int) -> EntryState {
    get {
      let (group, offset) = groups.location(of: entry)
      return entries[group][offset]
    }
    _modify {
      let (group, offset) = groups.location(of: entry)
      yield &entries[group][offset]
    }
  }

  /// The memory of the entry states, bytes.
  var entryBytes: Int { entries.reduce(0) { $0 + $1.capacity } * MemoryLayout<EntryState>.stride }
}

/// The feedback of one entry to one client: the last value, and the sends that are pending.
struct EntryState {
  /// The value that the client was last sent or has set; nil before either.
  var value: OSCValue?
  /// True if the value may have changed since it was sent.
  var isChanged = false
  /// True if the client has set the value, and its final value is to be confirmed.
  var confirm = false
  /// The number of times that the value is still to be sent.
  var sendsLeft: Int8 = 0
  /// True if the entry is in `pending`.
  var isPending = false
  /// When the value was last sent.
  var sentAt = Int64.min / 2
  /// When the last change of the value was first sent.
  var changedAt = Int64.min / 2
  /// The time until which the user is assumed to be moving the control.
  var heldUntil = Int64.min / 2

  /// The earliest time of the next send: a change waits for `Feedback.interval`, a repetition for
  /// `Feedback.repetition`, and both until the user no longer moves the control.
  var due: Int64 {
    max(heldUntil, sentAt + (isChanged || confirm ? Feedback.interval : Feedback.repetition))
  }
}

/// The clients that receive feedback, each in a slot.
///
/// A tablet sends from any port and listens on the reply port, so it is identified by its host. A program that sent
/// `/subscribe`, or that has a connection, is identified by the port that it sends from.
struct Clients {
  private(set) var all: [Client] = []

  /// After this time without a message, a client's notes are released and its subscription ends, nanoseconds.
  static let silence: Int64 = 600_000_000_000
  /// After this time without a message, a client may have missed packets, and receives everything again, nanoseconds.
  static let absence: Int64 = 5_000_000_000

  /// The client that a message comes from; nil for an unknown peer.
  func find(_ peer: Peer, over transport: any Transport) -> Client? {
    var tablet: Client?
    for client in all where client.peer.host == peer.host && client.transport === transport {
      if client.sender == peer { return client }
      if client.sender == nil { tablet = client }
    }
    return tablet
  }

  /// The client that receives its feedback at `listener`; nil if there is none.
  func find(at listener: Peer, over transport: any Transport) -> Client? {
    all.first { $0.peer == listener && $0.transport === transport }
  }

  /// Adds a client for a new peer, whose feedback goes to `listener`. If all slots are in use, another client is
  /// evicted and returned as well. Nil if none may be: an unconfirmed peer evicts no confirmed client.
  mutating func add(
    _ peer: Peer, at listener: Peer, over transport: any Transport, now: Int64, _ map: FeedbackMap
  ) -> (new: Client, evicted: Client?)? {
    var evicted: Client?
    if all.count >= Limits.surfaceClients {
      guard let candidate = evictionCandidate(for: peer, over: transport) else { return nil }
      remove(candidate)
      evicted = candidate
    }
    let used = Set(all.map(\.slot))
    let slot = (0..<Limits.surfaceClients).first { !used.contains($0) } ?? 0
    let client = Client(slot: slot, transport: transport, peer: listener, receivedAt: now, map)
    client.onlySender = peer
    all.append(client)
    return (client, evicted)
  }

  /// The client to evict: an unconfirmed one, or else one that holds no notes, or else any; of these, the one with the
  /// oldest last message. If a host has several slots, it is a program of the host that has most, so that a program that
  /// restarts again and again does not evict the tablets.
  private func evictionCandidate(for newcomer: Peer, over transport: any Transport) -> Client? {
    let unconfirmed = all.filter { !$0.transport.isConfirmed($0.peer) }
    if !unconfirmed.isEmpty { return unconfirmed.min { $0.receivedAt < $1.receivedAt } }
    if !transport.isConfirmed(newcomer) { return nil }
    var slots: [HostAddress: Int] = [newcomer.host: 1]
    for client in all { slots[client.peer.host, default: 0] += 1 }
    let silent = all.filter { !$0.plays }
    let evictable = silent.isEmpty ? all : silent
    let most = evictable.filter { $0.sender != nil }.compactMap { slots[$0.peer.host] }.max() ?? 1
    let candidates = evictable.filter { $0.sender != nil && most > 1 && slots[$0.peer.host] == most }
    return (candidates.isEmpty ? evictable : candidates).min { $0.receivedAt < $1.receivedAt }
  }

  mutating func remove(_ client: Client) { all.removeAll { $0 === client } }
}
