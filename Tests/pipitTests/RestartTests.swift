import Glibc
import Scratch
import Testing

/// The program is killed and started anew: a tablet that nobody touches is shown the truth.
@Suite(.serialized) struct RestartTests {
  @Test("After kill -9, a tablet is shown everything without being touched")
  func killed() throws {
    let folder = Folder()
    let tablet = try #require(TabletSocket())
    let port = 30_000 + Int(getpid()) % 20_000 + 1
    let first = serve(folder, port, tablet.port)
    try #require(first > 0)
    known(tablet, port, folder)
    kill(first, SIGKILL)
    #expect(end(of: first) == 128 + SIGKILL)
    while tablet.hears("/", within: 300) {}

    let second = serve(folder, port, tablet.port)
    for address in ["/preset/name", "/part/8/level/text", "/filter/cutoff/text"] {
      #expect(tablet.hears(address, within: 10_000), "\(address)")
    }
    kill(second, SIGTERM)
    #expect(end(of: second) == 0)
    #expect(!text(folder.path + "/err").contains("could not send"))
  }

  @Test("A network that comes up after pipit brings the picture, and there is one line in the log")
  func lateNetwork() {
    let folder = Folder()
    let before = NetworkNamespace { network in
      network.isUp = true
      guard let tablet = TabletSocket() else { return }
      let first = serve(folder, 8000, tablet.port)
      known(tablet, 8000, folder)
      kill(first, SIGKILL)
      _ = end(of: first)
    }
    guard before.isOwn else {
      print("skipped: a network of its own needs the right to make one")
      return
    }
    let after = NetworkNamespace { network in
      guard let tablet = TabletSocket() else { return }
      let second = serve(folder, 8000, tablet.port, errors: "second")
      // Long enough for a second attempt to fail, which must not be logged again.
      network.heardBefore = tablet.hears("/", within: 2_500)
      network.isUp = true
      network.heardAfter = tablet.hears("/preset/name", within: 20_000)
      kill(second, SIGTERM)
      _ = end(of: second)
    }
    #expect(!after.heardBefore && after.heardAfter)
    let lines = text(folder.path + "/second").split(separator: "\n")
    let unreachable = lines.filter { $0.contains("could not send OSC to 127.0.0.1:") }
    #expect(unreachable.count == 1 && unreachable[0].contains("Network is unreachable"), "\(lines)")
  }

  /// Lets pipit know the tablet, and waits until that is on the disk.
  private func known(_ tablet: TabletSocket, _ port: Int, _ folder: Folder) {
    for _ in 0..<100 {
      tablet.send(padded("/here") + padded(","), to: port)
      if tablet.hears("/filter/cutoff/text", within: 100) { break }
    }
    for _ in 0..<100 {
      usleep(100_000)
      if text(folder.database).contains("127.0.0.1 heard") { break }
    }
  }

  private func serve(_ folder: Folder, _ port: Int, _ replyPort: Int, errors: String = "err") -> pid_t {
    start(
      [
        "--device", "clock", "--state", folder.path, "--osc-port", "\(port)", "--reply-port", "\(replyPort)",
        "--presets", "/nowhere",
      ], environment: ["HOME=/nowhere"], output: folder.path + "/out", errors: folder.path + "/" + errors)
  }
}

private func padded(_ text: String) -> [UInt8] {
  Array(text.utf8) + Array(repeating: 0, count: 4 - text.utf8.count % 4)
}

/// A UDP socket of a tablet.
private final class TabletSocket {
  private let descriptor: Int32
  let port: Int

  init?() {
    descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let handle = descriptor
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(handle, $0, length) == 0 && getsockname(handle, $0, &length) == 0
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    if !isBound { return nil }
  }

  deinit { close(descriptor) }

  func send(_ message: [UInt8], to port: Int) {
    var to = sockaddr_in()
    to.sin_family = sa_family_t(AF_INET)
    to.sin_port = in_port_t(UInt16(port)).bigEndian
    to.sin_addr.s_addr = inet_addr("127.0.0.1")
    withUnsafePointer(to: &to) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(descriptor, message, message.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// Whether an address comes in within so many milliseconds; what comes before it is dropped.
  func hears(_ address: String, within milliseconds: Int) -> Bool {
    let words = Array(address.utf8)
    for _ in 0..<max(1, milliseconds / 10) {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 10) > 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: 2048)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      let isThere = bytes[..<max(0, count)].indices.contains {
        bytes[$0] == words[0] && bytes[$0...].starts(with: words)
      }
      if isThere { return true }
    }
    return false
  }
}

/// A network of its own, in which only what `body` makes and starts lives. It begins without anything.
private final class NetworkNamespace {
  /// False where the system does not allow it.
  private(set) var isOwn = false
  var heardBefore = false
  var heardAfter = false
  private let body: (NetworkNamespace) -> Void

  init(_ body: @escaping (NetworkNamespace) -> Void) {
    self.body = body
    // A thread of its own: other tests must not find themselves in here.
    TestThread { [self] in
      run()
      return 0
    }.result()
  }

  private func run() {
    // Swift does not see it in <sched.h>.
    typealias Unshare = @convention(c) (Int32) -> Int32
    guard let symbol = dlsym(nil, "unshare") else { return }
    let newNetwork: Int32 = 0x4000_0000
    isOwn = unsafeBitCast(symbol, to: Unshare.self)(newNetwork) == 0
    if isOwn { body(self) }
  }

  /// Whether the machine can speak to itself.
  var isUp = false {
    didSet {
      let handle = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
      defer { close(handle) }
      // struct ifreq: the name in 16 bytes, then the flags; 1 is IFF_UP.
      var request = [UInt8](repeating: 0, count: 40)
      (request[0], request[1], request[16]) = (UInt8(ascii: "l"), UInt8(ascii: "o"), isUp ? 1 : 0)
      let setFlags: UInt = 0x8914
      _ = ioctl(handle, setFlags, &request)
    }
  }
}
