import Glibc

/// The other end of a transport: a machine, and one of its sockets or connections.
public struct Peer: Hashable, Sendable, CustomStringConvertible {
  /// A socket or a connection of a machine.
  public enum Endpoint: Hashable, Sendable {
    /// A socket by its port; 0 if unknown.
    case port(Int)
    /// A connection by the number that its transport gave it.
    case connection(Int)
  }

  /// The machine.
  public let host: HostAddress
  /// The socket or connection.
  public let endpoint: Endpoint

  /// A socket of a machine.
  public init(_ host: HostAddress, port: Int) { (self.host, endpoint) = (host, .port(port)) }

  /// A connection with a machine, by a number that is unique within the transport.
  public init(_ host: HostAddress, connection: Int) {
    (self.host, endpoint) = (host, .connection(connection))
  }

  /// The socket of a system's address; nil if it is not IPv4.
  public init?(_ socket: sockaddr_in) {
    guard let host = HostAddress(socket) else { return nil }
    self.init(host, port: Int(UInt16(bigEndian: socket.sin_port)))
  }

  /// The port of a socket; nil for a connection.
  public var port: Int? {
    if case .port(let port) = endpoint { return port }
    return nil
  }

  /// The number of a connection; nil for a socket.
  public var connection: Int? {
    if case .connection(let number) = endpoint { return number }
    return nil
  }

  /// `192.168.1.20:9000`, `[fe80::1]:9000`, or the machine alone for a connection.
  public var description: String {
    guard let port else { return "\(host)" }
    return host.ipv4 == nil ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
