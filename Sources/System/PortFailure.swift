import Glibc

/// The reason why a server could not listen on its port.
public struct PortFailure: Error, Equatable {
  /// The protocol of the port.
  public enum Kind: String, Sendable {
    case udp = "UDP"
    case tcp = "TCP"
  }

  /// The protocol of the port.
  public let kind: Kind
  /// The requested port.
  public let port: Int
  /// The error number of the system; 0 if it gave none.
  public let code: Int32

  /// A failure to listen on a port.
  public init(_ kind: Kind, port: Int, code: Int32) { (self.kind, self.port, self.code) = (kind, port, code) }

  /// The reason, for a label and for the log.
  /// - Parameters:
  ///   - absent: What is missing meanwhile, as "tablet".
  ///   - option: The option that sets the port.
  ///   - isPipit: Whether another pipit uses the port.
  public func words(without absent: String, option: String, isPipit: Bool) -> (short: String, long: String) {
    let port = "\(kind.rawValue) port \(self.port)"
    let rest = "pipit plays without a \(absent) and tries again"
    switch code {
    case EADDRINUSE where isPipit:
      return (
        "\(port) is another pipit's: no \(absent)",
        "\(port) is taken by another pipit on this machine; \(rest)"
      )
    case EADDRINUSE:
      let letter = kind == .udp ? "u" : "t"
      return (
        "\(port) is taken: no \(absent) until it is free",
        "\(port) is taken by another program, which 'sudo ss -l\(letter)np sport = :\(self.port)' names; \(rest)"
      )
    case EACCES, EPERM:
      let why =
        self.port < 1024 ? ": ports below 1024 are the system's, set \(option) in pipit.conf" : ""
      return ("\(port) is not permitted: no \(absent)", "\(port) is not permitted to pipit\(why); \(rest)")
    default:
      let why = code == 0 ? "the system refused" : String(cString: strerror(code))
      return ("\(port): \(why)", "cannot listen on \(port): \(why); \(rest)")
    }
  }
}
