import CLiblo
import Control
import Glibc
import Scenes
import Scratch
import System
import Testing
@testable import OSCPackets

/// What comes from a network that nobody controls.
struct RobustnessTests {
  /// Sends bytes as they are.
  private struct Stranger {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    let port: Int

    func send(_ bytes: [UInt8]) {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(port).bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let length = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = sendto(descriptor, bytes, bytes.count, 0, $0, length)
        }
      }
    }
  }

  private func osc(_ words: String...) -> [UInt8] {
    words.flatMap { word in
      let bytes = Array(word.utf8)
      return bytes + Array(repeating: 0, count: 4 - bytes.count % 4)
    }
  }

  @Test("A message is read in as many bundles within each other as are allowed, and in no more")
  func depth() {
    for depth in [0, 1, Packet.depth, Packet.depth + 1] {
      var packet = Corpus.osc("/panic")
      for _ in 0..<depth { packet = Corpus.bundle([packet]) }
      var count = 0
      let isRead = packet.withUnsafeMutableBytes { bytes in Packet.read(bytes) { _ in count += 1 } }
      #expect(isRead == (depth <= Packet.depth) && count == (isRead ? 1 : 0), "\(depth)")
    }
  }

  @Test("Datagrams of nonsense, cut, nested or too large, change nothing and end nothing")
  func garbage() throws {
    let instrument = try ServedInstrument()
    let tablet = try Tablet(instrument)
    let stranger = Stranger(port: instrument.server.port)
    defer { close(stranger.descriptor) }
    let before = instrument.control.stage.scene
    var random = SeededRandom.ofRun
    let whole = osc("/filter/cutoff", ",f") + [0x3F, 0, 0, 0]
    var nasty: [[UInt8]] = [
      [], [0], Array(repeating: 0xFF, count: 65_507), Array(repeating: 0x2F, count: 65_507),
    ]
    for length in 0..<whole.count { nasty.append(Array(whole[..<length])) }
    for _ in 0..<300 {
      nasty.append(
        (0..<Int.random(in: 1...200, using: &random)).map { _ in .random(in: 0...255, using: &random) })
      var tail = osc("#bundle") + [0, 0, 0, 0, 0, 0, 0, 1]
      tail += (0..<Int.random(in: 1...64, using: &random)).map { _ in .random(in: 0...255, using: &random) }
      nasty.append(tail)
    }
    // Lengths and counts that lie.
    nasty.append(osc("#bundle") + [0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 0xFF, 0xFF, 0xFF] + whole)
    nasty.append(osc("#bundle") + [0, 0, 0, 0, 0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFC] + whole)
    nasty.append(osc("/filter/cutoff", ",b") + [0x7F, 0xFF, 0xFF, 0xFF])
    nasty.append(osc("/filter/cutoff", "," + String(repeating: "f", count: 400)))
    nasty.append(osc("/filter/cutoff", ",[[[["))
    nasty.append(osc("/" + String(repeating: "é", count: 3000), ",f") + [0x3F, 0, 0, 0])
    nasty.append(osc("/" + String(repeating: "*", count: 60), ",f") + [0x3F, 0, 0, 0])
    nasty.append(osc("/{" + String(repeating: "{,", count: 25), ",f") + [0x3F, 0, 0, 0])
    var nested = whole
    for _ in 0..<500 {
      let length = UInt32(nested.count)
      nested =
        osc("#bundle") + [0, 0, 0, 0, 0, 0, 0, 1] + withUnsafeBytes(of: length.bigEndian) { Array($0) }
        + nested
    }
    nasty.append(nested)
    for (index, bytes) in nasty.enumerated() {
      // All but the nested ones are no message that sets a knob; those may.
      if bytes.count >= whole.count && index == nasty.count - 1 { continue }
      stranger.send(bytes)
      if index % 20 == 0 { tablet.settle() }
    }
    tablet.settle()
    for knob in ["/filter/cutoff", "/filter/resonance"] { #expect(tablet.ask(knob) != nil) }
    #expect(instrument.control.stage.scene[0].patch.filter.cutoff == before[0].patch.filter.cutoff)
    #expect(instrument.server.garbage > 100)
    stranger.send(nested)
    #expect(tablet.ask("/filter/cutoff") != nil)
  }

  @Test("A flood neither starves the other turns nor drowns a client in errors")
  func flood() throws {
    let instrument = try ServedInstrument()
    let tablet = try Tablet(instrument)
    // In processor time, so that what else the machine does is not counted.
    var longest: Int64 = 0
    var last = threadTime()
    instrument.loop.afterEachRound { _ in
      longest = max(longest, threadTime() - last)
      last = threadTime()
      return nil
    }
    tablet.send("/subscribe")
    func storm(_ count: Int) {
      last = threadTime()
      for index in 0..<count {
        tablet.send("/filter/cutoff", Float(index % 100) / 100)
        tablet.send("/filter/cutof", Float(1))
        tablet.send("/part/*/level", Float(index % 7) / 7)
        tablet.send("/note/60", index % 2)
        if index % 50 == 49 {
          // Sending is the test's time, not the server's.
          last = threadTime()
          tablet.run(3)
        }
      }
    }
    let began = monotonic()
    storm(5_000)
    // As many at once, and in each second, as a sender is told of, before it has subscribed and after.
    let most = 40 + Int(Double(monotonic() - began) * 1e-8) + 1
    // One share of a millisecond and what a turn takes in a debug build.
    #expect(longest < 50_000_000)
    #expect(tablet.values("/error").count <= most && most < 5_000)
    // What waits in the socket is worked off first, and a question finds no room until then.
    let isAnswered = eventually {
      tablet.send("/filter/resonance")
      tablet.run(100) { tablet.values("/filter/resonance").contains(.float(0)) }
      return tablet.values("/filter/resonance").contains(.float(0))
    }
    #expect(isAnswered)
  }
}
