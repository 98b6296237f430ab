import Glibc
import Scratch
import System
import Testing

/// The program as systemd sees it, and `pipit status` beside it.
@Suite(.serialized) struct LivenessTests {
  @Test(
    "It says when it is ready, gives signs of life, and gives none when the audio thread stands still",
    arguments: [false, true])
  func life(isAbstract: Bool) throws {
    let folder = Folder()
    let path = folder.path + "/notify"
    let socket = try #require(Datagrams(path, isAbstract: isAbstract))
    let port = "\(try #require(freePort()))"
    let pid = start(
      ["--device", "clock", "--state", folder.path, "--osc-port", port, "--presets", "/nowhere"],
      environment: [
        "HOME=/nowhere", "PIPIT_DEBUG=1", "WATCHDOG_USEC=400000",
        "NOTIFY_SOCKET=" + (isAbstract ? "@" : "") + path,
      ], output: folder.path + "/out", errors: folder.path + "/err")
    try #require(pid > 0)
    #expect(socket.next == "READY=1")
    #expect(socket.next?.hasPrefix("STATUS=Playing on the clock") == true)
    for _ in 0..<3 { #expect(socket.next == "WATCHDOG=1") }

    let status = Run(["status", "--values", "--osc-port", port])
    #expect(status.output.contains("\nvoices/limit=128\n") && status.output.contains("\nplaying=the clock"))
    #expect(status.status == (status.output.hasPrefix("well=1\n") ? 0 : 1))

    send("/debug/freeze", to: port)
    // Until the freeze is noticed some signs may come. It looks at its health once a second.
    var page = Run(["status", "--osc-port", port])
    let isNoticed = eventually {
      page = Run(["status", "--osc-port", port])
      return page.errors.contains("the audio thread stands still")
    }
    #expect(isNoticed && page.status == 1)
    while socket.next(within: 0) != nil {}
    // It goes on, as its answers show, and the next that it says is that it stops.
    for _ in 0..<4 {
      sleep(until: monotonic() + 250_000_000)
      #expect(Run(["status", "--osc-port", port]).errors.contains("the audio thread stands still"))
    }

    kill(pid, SIGTERM)
    #expect(end(of: pid) == 0)
    #expect(socket.next == "STOPPING=1")
    #expect(Run(["status", "--osc-port", port]).status == 3)
  }

  private func send(_ address: String, to port: String) {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(descriptor) }
    var to = sockaddr_in()
    to.sin_family = sa_family_t(AF_INET)
    to.sin_port = in_port_t(UInt16(port) ?? 0).bigEndian
    to.sin_addr.s_addr = inet_addr("127.0.0.1")
    func padded(_ text: String) -> [UInt8] {
      Array(text.utf8) + Array(repeating: 0, count: 4 - text.utf8.count % 4)
    }
    let message = padded(address) + padded(",")
    withUnsafePointer(to: &to) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(descriptor, message, message.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

/// A socket as systemd has one.
private final class Datagrams {
  private let descriptor: Int32

  init?(_ path: String, isAbstract: Bool) {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = (isAbstract ? [0] : []) + Array(path.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let length = socklen_t(2 + name.count + (isAbstract ? 0 : 1))
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    if descriptor < 0 || bound != 0 { return nil }
  }

  deinit { close(descriptor) }

  /// The next that comes, which a busy machine may need most of a minute for.
  var next: String? { next(within: 180_000) }

  /// The next that comes within so many milliseconds.
  func next(within milliseconds: Int32) -> String? {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, milliseconds) > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
