import Glibc

/// The IPv4 addresses of this machine, by which tablets reach it.
enum NetworkAddresses {
  // IFF_UP, whose type differs with the headers.
  private static let isUp: UInt32 = 1

  /// Those of networks that are up, without the one by which the machine speaks to itself; sorted.
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

/// Logs where tablets reach the service, whenever that has changed: a network comes later than pipit. Control thread.
struct AddressLog {
  private let port: () -> Int
  private let log: (String) -> Void
  private var logged: [String] = []
  private var dueAt = Int64.min
  private var pause: Int64 = 1_000_000_000

  /// The longest time between two looks, nanoseconds.
  private static let longest: Int64 = 60_000_000_000

  /// Logs the addresses with the port, as long as that is not 0.
  init(port: @escaping () -> Int, log: @escaping (String) -> Void) { (self.port, self.log) = (port, log) }

  /// Looks when it is time; returns when it wants to look again.
  mutating func update(_ now: Int64, _ addresses: @autoclosure () -> [String] = NetworkAddresses.all)
    -> Int64?
  {
    if now < dueAt { return dueAt }
    dueAt = now + pause
    if port() == 0 { return dueAt }
    let addresses = addresses()
    // A network that is about to come is looked for often.
    pause = addresses.isEmpty ? min(pause * 2, AddressLog.longest / 4) : min(pause * 2, AddressLog.longest)
    if addresses != logged && !addresses.isEmpty {
      log("tablets reach pipit at \(addresses.joined(separator: ", ")), UDP port \(port())")
    }
    logged = addresses
    return dueAt
  }
}
