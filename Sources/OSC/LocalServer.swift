import Glibc
import OSCPackets
import Surface
import System

/// Serves the control surface to commands on this machine, with the same messages as over UDP. It needs neither the
/// UDP port nor a network, so an instrument whose port is in use still answers queries. Control thread.
///
/// A command sends its messages, shuts down its side of the connection, and receives the answers. It gets no feedback.
public final class LocalServer: Transport {
  private struct Connection {
    let descriptor: Int32
    // Whether its account may change things, and not only query.
    let mayChange: Bool
    // Packets that are still to be sent.
    var waiting: [[UInt8]] = []
    // The command has sent everything; the connection is closed once the answers and their end are sent.
    var isEnding = false
    var isComplete = false
  }
  private let port: Int
  private let surface: ControlSurface
  private let loop: PollLoop
  private var listener: Int32 = -1
  private var connections: [Int: Connection] = [:]
  private var connected = 0
  private var retryAt = Int64.min
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: LocalSocket.messageBytes, alignment: 8)

  public let replyPort: Int? = nil
  public let keepsClients = false
  public let messageBytes = LocalSocket.messageBytes
  public let budget = PacketBudget(packetBytes: LocalSocket.packetBytes, interval: 0, isLossy: false)

  /// The time between attempts to listen, nanoseconds.
  static let retryInterval: Int64 = 2_000_000_000
  /// The most connections at a time.
  private static let limit = 64

  /// Listens for commands to the instrument of the OSC port `port`. While another pipit on this machine uses the
  /// socket's name, it tries again.
  public init(port: Int, surface: ControlSurface, loop: PollLoop) {
    (self.port, self.surface, self.loop) = (port, surface, loop)
    listen()
    loop.afterEachRound { [weak self] now in self?.update(now) }
  }

  deinit {
    for connection in connections.values { close(connection.descriptor) }
    if listener >= 0 { close(listener) }
    buffer.deallocate()
  }

  /// Whether another pipit with this port uses the socket's name.
  public private(set) var isTaken = false

  private func update(_ now: Int64) -> Int64? {
    if listener >= 0 { return nil }
    if retryAt == .min { retryAt = now + LocalServer.retryInterval }
    if now >= retryAt {
      listen()
      retryAt = now + LocalServer.retryInterval
    }
    return listener >= 0 ? nil : retryAt
  }

  private func listen() {
    let descriptor = LocalSocket.make()
    guard descriptor >= 0 else { return }
    guard LocalSocket.withAddress(port, { bind(descriptor, $0, $1) }) == 0 else {
      isTaken = errno == EADDRINUSE
      close(descriptor)
      return
    }
    guard Glibc.listen(descriptor, Int32(LocalServer.limit)) == 0 else {
      close(descriptor)
      return
    }
    (listener, isTaken) = (descriptor, false)
    loop.watch(descriptor) { [unowned self] in accept() }
  }

  // MARK: - Connections

  private func accept() {
    let descriptor = Glibc.accept(listener, nil, nil)
    if descriptor < 0 { return }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    if connections.count >= LocalServer.limit {
      close(descriptor)
      return
    }
    connected += 1
    let number = connected
    connections[number] = Connection(
      descriptor: descriptor, mayChange: LocalAccount(descriptor)?.mayChange ?? false)
    loop.watch(descriptor) { [unowned self] in receive(number) }
  }

  private func receive(_ number: Int) {
    // While messages of a connection wait, nothing more is read from it, so that its sender waits as well.
    let peer = LocalServer.peer(number)
    guard let descriptor = connections[number]?.descriptor, !surface.isWaiting(peer, over: self) else {
      return
    }
    let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
    if count < 0 {
      if errno != EAGAIN && errno != EINTR { end(number) }
      return
    }
    if count == 0 {
      // The loop forgets it: poll reports an ended stream as readable for ever.
      loop.forget(descriptor)
      connections[number]?.isEnding = true
      return flush(number)
    }
    let packet = surface.nextPacket()
    let isOSC = Packet.read(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])) { message in
      surface.enqueue(
        IncomingMessage(message.address, message.arguments, packet: packet), from: peer, over: self)
    }
    if !isOSC { end(number) }
  }

  private func end(_ number: Int) {
    guard let connection = connections.removeValue(forKey: number) else { return }
    loop.forget(connection.descriptor)
    close(connection.descriptor)
  }

  private static func peer(_ number: Int) -> Peer { Peer(.thisMachine, connection: number) }

  // MARK: - Transport

  public func refusesChanges(by peer: Peer) -> String? {
    peer.connection.flatMap { connections[$0] }?.mayChange == true ? nil : LocalAccount.refusal
  }

  public func send(_ messages: [OSCMessage], to peer: Peer) -> Bool {
    guard let number = peer.connection, connections[number] != nil,
      let packet = OSCMessage.packet(messages)
    else { return false }
    connections[number]?.waiting.append(packet)
    flush(number)
    return true
  }

  public func answer(_ messages: [OSCMessage], to peer: Peer) -> Bool {
    var packet = PacketBuilder(budget)
    for message in messages where !packet.add(message) {
      _ = send(packet.messages, to: peer)
      packet = PacketBuilder(budget)
      _ = packet.add(message)
    }
    return send(packet.messages, to: peer)
  }

  public func hasAnswered(_ peer: Peer) {
    if let number = peer.connection { flush(number) }
  }

  private func flush(_ number: Int) {
    while let connection = connections[number], let packet = connection.waiting.first {
      let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
      if Glibc.send(connection.descriptor, packet, packet.count, flags) < 0 {
        if errno == EAGAIN {
          return loop.whenWritable(connection.descriptor) { [unowned self] in flush(number) }
        }
        if errno != EINTR { return end(number) }
      } else {
        connections[number]?.waiting.removeFirst()
      }
    }
    guard connections[number]?.isEnding == true, !surface.isAnswering(LocalServer.peer(number), over: self)
    else { return }
    if connections[number]?.isComplete == true { return end(number) }
    connections[number]?.isComplete = true
    connections[number]?.waiting.append(LocalSocket.end)
    flush(number)
  }
}

/// The account of the process at the other end of a local socket, as it was when the process connected.
///
/// In a user namespace, as systemd's `PrivateUsers=yes` makes one for the service, the kernel translates the ids:
/// root, the service's user and its group keep theirs; all others become `nobody`, who may change nothing.
struct LocalAccount {
  private let user: UInt32
  private let groups: [UInt32]

  /// The id of users and groups that have no id in this namespace.
  static let nobody: UInt32 = 65_534

  /// An account with a user id and group ids.
  init(user: UInt32, groups: [UInt32]) { (self.user, self.groups) = (user, groups) }

  /// The account behind a connected socket; nil if the kernel does not name it.
  init?(_ descriptor: Int32) {
    // struct ucred: process, user, group.
    var credentials: [UInt32] = [0, 0, 0]
    var length = socklen_t(12)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0, length == 12 else {
      return nil
    }
    user = credentials[1]
    groups = [credentials[2]] + LocalAccount.moreGroups(descriptor)
  }

  /// The supplementary groups; none if the kernel does not list them.
  private static func moreGroups(_ descriptor: Int32) -> [UInt32] {
    var groups = [UInt32](repeating: 0, count: 64)
    for _ in 0..<2 {
      var length = socklen_t(groups.count * 4)
      if getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, &groups, &length) == 0 {
        return Array(groups.prefix(Int(length) / 4))
      }
      // `length` is now the required size in bytes.
      guard errno == ERANGE else { return [] }
      groups = [UInt32](repeating: 0, count: Int(length) / 4)
    }
    return []
  }

  /// Whether it may change things: root, the user that runs pipit, and the members of that user's group.
  var mayChange: Bool {
    user == 0 || user == geteuid() && user != LocalAccount.nobody
      || groups.contains { $0 == getegid() && $0 != LocalAccount.nobody }
  }

  /// The refusal for all other accounts, with its remedy.
  static var refusal: String {
    let user = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "user \(geteuid())"
    let group = getgrgid(getegid()).map { String(cString: $0.pointee.gr_name) } ?? "\(getegid())"
    return "needs the rights of \(user): use sudo, or join the group once and log in again: "
      + "sudo adduser $USER \(group)"
  }
}
