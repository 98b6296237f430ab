import Glibc
import Presets
import Scratch
import System
import Testing

/// The program is killed and started anew: a tablet that nobody touches is shown the truth.
@Suite(.serialized) struct RestartTests {
  @Test("After kill -9, a tablet is shown everything without being touched")
  func killed() throws {
    let folder = Folder()
    let tablet = try #require(TabletSocket())
    let port = try #require(freePort())
    let first = serve(folder, port, tablet.port)
    try #require(first > 0)
    let isKnown = makeKnown(tablet, port, folder)
    kill(first, SIGKILL)
    #expect(end(of: first) == 128 + SIGKILL && isKnown)
    _ = tablet.waiting()

    let second = serve(folder, port, tablet.port)
    #expect(tablet.missing(["/preset/name", "/part/8/level/text", "/filter/cutoff/text"]) == [])
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
      network.isKnown = makeKnown(tablet, 8000, folder)
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
      // The second attempt fails as well, which must not be logged again.
      network.waitForRefusals(2)
      network.heardBefore = tablet.waiting() > 0
      network.isUp = true
      network.heardAfter = tablet.missing(["/preset/name"]) == []
      kill(second, SIGTERM)
      _ = end(of: second)
    }
    #expect(before.isKnown && !after.heardBefore && after.heardAfter)
    let lines = text(folder.path + "/second").split(separator: "\n")
    let unreachable = lines.filter { $0.contains("could not send OSC to 127.0.0.1:") }
    #expect(unreachable.count == 1 && unreachable[0].contains("Network is unreachable"), "\(lines)")
  }

  /// Lets pipit know the tablet, and waits until that is on the disk. False when it is not after `TabletSocket.timeout`.
  private func makeKnown(_ tablet: TabletSocket, _ port: Int, _ folder: Folder) -> Bool {
    let end = monotonic() + TabletSocket.timeout
    repeat {
      tablet.send("/here", to: port)
    } while monotonic() < end && !tablet.missing(["/filter/cutoff/text"], within: 100_000_000).isEmpty
    return eventually(within: Double(end - monotonic()) * 1e-9) { isKept(folder) }
  }

  /// Whether a look into the database finds the tablet. The bytes of its file do not tell: they may be those of a save that
  /// is not whole yet, and is undone when pipit is killed.
  private func isKept(_ folder: Folder) -> Bool {
    let library = Library(database: folder.database, factory: nil, writes: false, log: { _ in })
    return library.documents[.clients]?.text.contains("127.0.0.1 heard") ?? false
  }

  private func serve(_ folder: Folder, _ port: Int, _ replyPort: Int, errors: String = "err") -> pid_t {
    start(
      [
        "--device", "clock", "--state", folder.path, "--osc-port", "\(port)", "--reply-port", "\(replyPort)",
        "--presets", "/nowhere",
      ], environment: ["HOME=/nowhere"], output: folder.path + "/out", errors: folder.path + "/" + errors)
  }
}

/// A network of its own, in which only what `body` makes and starts lives. It begins without anything.
private final class NetworkNamespace {
  /// False where the system does not allow it.
  private(set) var isOwn = false
  var isKnown = false
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

  /// Waits until so many packets could not leave, for `TabletSocket.timeout` at most.
  func waitForRefusals(_ count: Int) {
    _ = eventually(within: Double(TabletSocket.timeout) * 1e-9) { refusals >= count }
  }

  /// Packets that had nowhere to go, as the kernel counts them in this network.
  private var refusals: Int {
    let lines = text("/proc/thread-self/net/snmp").split(separator: "\n").filter { $0.hasPrefix("Ip:") }
      .map { $0.split(separator: " ") }
    guard lines.count == 2, let column = lines[0].firstIndex(of: "OutNoRoutes") else { return .max }
    return Int(lines[1][column]) ?? .max
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
