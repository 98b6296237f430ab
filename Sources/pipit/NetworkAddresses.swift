import Glibc

/// The IPv4 addresses at which tablets can reach this machine.
enum NetworkAddresses {
  // IFF_UP, whose type depends on the headers.
  private static let isUp: UInt32 = 1

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
        found.insert([24, 16, 8, 0].map { "\(host >> $0 & 255)" }.joined(separator: "."))
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
