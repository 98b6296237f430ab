import Scratch
import Surface

@testable import Web

/// Peers that connect, ask, fall silent and leave at random, and what the server must hold of them by the rules of its
/// README. A step is one act of one peer.
final class ConnectionModel {
  /// What the server must think of a peer.
  private enum State { case idle, halfHead, halfBody, waiting, file, socket }

  private struct Entry {
    let peer: Peer
    var state = State.idle
    /// When the state began, and the last act in it.
    var since, activeAt: Int64
    /// It has closed, but its answer is still being made.
    var isGone = false
  }

  let stand: Stand
  /// What is wrong; nil while all is right.
  private(set) var wrong: String?
  /// How often each act was done.
  private(set) var counts: [String: Int] = [:]
  private var random: SeededRandom
  private var entries: [Entry] = []
  // The peers of the requests that wait, in the order of `Stand.waiting`.
  private var asking: [ObjectIdentifier] = []

  init(_ random: SeededRandom) throws { (self.random, stand) = (random, try Stand()) }

  var peers: [Peer] { entries.map(\.peer) }

  func step() throws {
    let index = entries.indices.randomElement(using: &random)
    switch (Int.random(in: 0..<100, using: &random), index) {
    case (0..<20, _), (_, nil): try connect()
    case (20..<60, let index?): act(index)
    case (60..<70, _): answer()
    case (70..<88, let index?): leave(index)
    default: wait()
    }
    settle()
  }

  private func note(_ what: String) { counts[what, default: 0] += 1 }

  // MARK: - Acts

  private func connect() throws {
    // A few machines have many connections.
    let host = 1 + min(Int.random(in: 0..<12, using: &random), Int.random(in: 0..<12, using: &random))
    let before = entries.map { (id: ObjectIdentifier($0.peer), host: $0.peer.host) }
    let own = before.count { $0.host == host }
    let isFull = own >= Slots.perHost || before.count >= Slots.total
    let new = Entry(peer: try stand.connect(from: host), since: stand.now, activeAt: stand.now)
    entries.append(new)
    stand.settle()
    guard isFull else { return note("connect") }
    // Exactly one has no place, and the rules say which.
    guard stand.run(until: { stand.server.connectionCount == before.count }) else {
      wrong =
        "\(stand.server.connectionCount) connections are held, \(own + 1) of them of the newcomer's machine"
      return
    }
    var ended: [Entry] = []
    _ = stand.run {
      // A file that nobody reads is before the end of its connection.
      ended = entries.filter { !$0.isGone && $0.peer.look($0.state == .file ? 1 << 20 : 1) == .ended }
      return !ended.isEmpty
    }
    guard ended.count == 1, let loser = ended.first else {
      wrong = "\(ended.count) connections were closed for one newcomer"
      return
    }
    let yielding = entries.dropLast().filter { entry in
      if entry.state == .waiting { return false }
      if own >= Slots.perHost && entry.peer.host != host { return false }
      return isIdle(entry) || before.count { $0.host == entry.peer.host } > own + 1
    }
    if loser.peer === new.peer {
      note("refuse")
      // A file that is being read is not noticed by the library, and may have been left out.
      if let other = yielding.first(where: { $0.state != .file }) {
        wrong = "the newcomer was refused, though \(other.state) of 127.0.0.\(other.peer.host) could yield"
      }
    } else {
      note("yield")
      if !yielding.contains(where: { $0.peer === loser.peer }) {
        wrong = "\(loser.state) of 127.0.0.\(loser.peer.host) was closed, which need not yield"
      }
    }
    entries.removeAll { $0.peer === loser.peer }
  }

  private func isIdle(_ entry: Entry) -> Bool {
    switch entry.state {
    case .idle, .halfHead: true
    case .halfBody: stand.now - entry.activeAt >= HTTPConnection.pause
    case .waiting, .file, .socket: false
    }
  }

  private func act(_ index: Int) {
    let entry = entries[index]
    if entry.isGone { return }
    func become(_ state: State) {
      entries[index].state = state
      (entries[index].since, entries[index].activeAt) = (stand.now, stand.now)
    }
    switch entry.state {
    case .idle:
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        entry.peer.send(Request.halfHead)
        // Its time goes on.
        entries[index].state = .halfHead
        note("half head")
      case 1:
        entry.peer.send(Request.halfBody)
        become(.halfBody)
        note("half body")
      case 2:
        entry.peer.send(Request.later)
        become(.waiting)
        asking.append(ObjectIdentifier(entry.peer))
        note("suspend")
      case 3:
        entry.peer.send(Request.file)
        become(.file)
        note("file")
      case 4:
        entry.peer.send(Request.socket)
        become(.socket)
        note("upgrade")
      default:
        entry.peer.send(Request.wholeHead)
        become(.idle)
        note("ask")
      }
    case .halfHead:
      entry.peer.send(Request.restOfHead)
      become(.idle)
    case .halfBody:
      if Bool.random(using: &random) {
        entry.peer.forget()
        entry.peer.send(Request.restOfBody)
        // A worker writes the body first.
        if !stand.run(until: { entry.peer.look() == .ended || entry.peer.received.contains("here") }) {
          wrong = "a body of 127.0.0.\(entry.peer.host) is not answered"
        }
        become(.idle)
      }
    case .socket:
      entry.peer.send("x")
      entries[index].activeAt = stand.now
    case .waiting, .file: break
    }
  }

  private func answer() {
    guard let index = asking.indices.randomElement(using: &random) else { return }
    let id = asking.remove(at: index)
    stand.answer(index)
    note("answer")
    guard let place = entries.firstIndex(where: { ObjectIdentifier($0.peer) == id }) else { return }
    if entries[place].isGone {
      entries.remove(at: place)
    } else {
      entries[place].state = .idle
      (entries[place].since, entries[place].activeAt) = (stand.now, stand.now)
    }
  }

  private func leave(_ index: Int) {
    let entry = entries[index]
    if entry.isGone { return }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      entry.peer.close()
      note("close")
    case 1:
      entry.peer.send(
        entry.state == .socket ? "x" : entry.state == .idle ? Request.halfBody : "GE")
      entry.peer.close()
      note("close with bytes")
    case 2:
      entry.peer.reset()
      note("reset")
    default:
      // Whoever has asked may end its own direction, and still gets the answer.
      if entry.state == .waiting || entry.state == .file { return }
      entry.peer.halfClose()
      note("half close")
    }
    if entry.state == .waiting { entries[index].isGone = true } else { entries.remove(at: index) }
  }

  private func wait() {
    stand.now += Int64.random(in: 0..<2_000_000_000, using: &random)
    note("wait")
    var late: [Entry] = []
    entries.removeAll { entry in
      let limit: Int64? =
        switch entry.state {
        case .idle, .halfHead: HTTPConnection.headTime
        case .halfBody: HTTPConnection.bodyTime
        case .waiting, .file, .socket: nil
        }
      let isLate = limit.map { entry.since + $0 <= stand.now } ?? false
      if isLate { late.append(entry) }
      return isLate
    }
    for entry in late {
      note("late")
      if !stand.run(until: { entry.peer.look() == .ended }) {
        wrong = "\(entry.state) is held beyond its time"
      }
    }
  }

  // MARK: - The comparison

  /// Lets the server work, and compares.
  private func settle() {
    if !stand.settle() { wrong = "the server does not rest" }
    // Answers are read, except files.
    for entry in entries where !entry.isGone && entry.state != .file { _ = entry.peer.look() }
    if wrong != nil { return }
    // What was sent has reached the other end.
    _ = stand.run { entries.allSatisfy { $0.isGone || $0.peer.isDelivered } }
    if !stand.settle() { wrong = "the server does not rest" }
    let isWaiting = stand.run { stand.waiting.count == asking.count }
    if !isWaiting || !stand.run(until: { stand.server.connectionCount == entries.count }) {
      wrong =
        "the server holds \(stand.server.connectionCount) connections, its peers \(entries.count); "
        + "\(entries.map { "\($0.state)\($0.isGone ? " gone" : "")" }); "
        + "\(stand.waiting.count) of \(asking.count) wait"
    }
    let lost = entries.first { $0.state != .file && !$0.isGone && $0.peer.look() == .ended }
    if let lost { wrong = "\(lost.state) of 127.0.0.\(lost.peer.host) was closed" }
  }
}
