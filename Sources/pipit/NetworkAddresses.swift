import Glibc
import System

/// The IPv4 addresses at which tablets can reach this machine.
enum NetworkAddresses {
  // IFF_UP, whose type depends on the headers.
  private static let isUp: UInt32 = 1

  /// The address from which this machine reaches other networks; without such a route, the first address of all. Nil
  /// without a network. Sends nothing.
  static var ofDefaultRoute: String? {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { return all.first }
    defer { close(descriptor) }
    // The kernel chooses the source address for a host in a network that is reserved for documentation (RFC 5737).
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(9).bigEndian
    address.sin_addr.s_addr = UInt32(0xCB00_7101).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isChosen = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    let host = UInt32(bigEndian: address.sin_addr.s_addr)
    return isChosen && host >> 24 != 127 ? text(host) : all.first
  }

  /// The name of this machine as multicast DNS announces it, such as `raspberrypi.local`.
  static var localName: String {
    return (hostName().split(separator: ".").first ?? "localhost") + ".local"
  }

  private static func text(_ host: UInt32) -> String {
    [24, 16, 8, 0].map { "\(host >> $0 & 255)" }.joined(separator: ".")
  }

  /// The addresses of active interfaces except the loopback interface, sorted.
  static var all: [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var found: Set<String> = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
        entry.ifa_flags & NetworkAddresses.isUp != 0
      else { continue }
      let host = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
      }
      if host >> 24 != 127 {
        found.insert(text(host))
      }
    }
    return found.sorted()
  }
}

/// Logs the addresses of the service whenever they change, because a network may appear after pipit has started.
/// Control thread.
struct AddressLog {
  private let port: () -> Int
  private let log: (String) -> Void
  private var logged: [String] = []
  private var dueAt = Int64.min
  private var pause: Int64 = 1_000_000_000

  /// The longest time between two checks, nanoseconds.
  private static let longest: Int64 = 60_000_000_000

  /// Logs the addresses with the port, unless the port is 0.
  init(port: @escaping () -> Int, log: @escaping (String) -> Void) { (self.port, self.log) = (port, log) }

  /// Checks the addresses if the time has come. Returns the time of the next check.
  mutating func update(_ now: Int64, _ addresses: @autoclosure () -> [String] = NetworkAddresses.all)
    -> Int64?
  {
    if now < dueAt { return dueAt }
    dueAt = now + pause
    if port() == 0 { return dueAt }
    let addresses = addresses()
    // While there is no network, checks are more frequent.
    pause = addresses.isEmpty ? min(pause * 2, AddressLog.longest / 4) : min(pause * 2, AddressLog.longest)
    if addresses != logged && !addresses.isEmpty {
      log("tablets reach pipit at \(addresses.joined(separator: ", ")), UDP port \(port())")
    }
    logged = addresses
    return dueAt
  }
}
