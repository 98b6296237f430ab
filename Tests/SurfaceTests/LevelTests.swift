import Scenes
import Testing
@testable import Control
@testable import Surface

/// The meters of what goes out, on times that the test gives.
struct LevelTests {
  private let second: Int64 = 1_000_000_000
  private let tablet = Peer(host: 0xC000_0201, port: 50_000)
  private let addresses: Set = [
    "/status/peak", "/status/peak/text", "/status/reduction", "/status/reduction/text",
  ]

  /// A tablet that has been shown everything, and what it is told from then on of the meters.
  private struct Watched {
    let harness: SurfaceHarness
    var now: Int64

    init(_ tablet: Peer) {
      harness = SurfaceHarness()
      harness.send("/here", from: tablet, at: 0)
      _ = harness.packets(from: 0)
      now = 100_000_000_000
    }

    /// Blocks of a millisecond, each as loud and turned down by as much.
    mutating func play(milliseconds: Int, peak: Float, reduction: Float = 1)
      -> [RecordedTransport.SentPacket]
    {
      let transport = harness.transport
      transport.packets.removeAll()
      for _ in 0..<milliseconds {
        now += 1_000_000
        transport.now = now
        harness.link.meters.raise(.shownPeak, to: UInt64(peak.bitPattern))
        if reduction > 1 { harness.link.meters.raise(.reduction, to: UInt64(reduction.bitPattern)) }
        _ = harness.control.healthWatch.updateLevels(now)
        _ = harness.surface.sendDue(now)
      }
      return transport.packets
    }
  }

  private func values(_ packets: [RecordedTransport.SentPacket], _ address: String) -> [OSCValue] {
    packets.flatMap(\.messages).filter { $0.address == address }.map(\.value)
  }

  @Test("They rise at once, stand still under what is steady, and fall 20 dB a second to rest")
  func ballistics() {
    var watched = Watched(tablet)
    let rise = watched.play(milliseconds: 200, peak: 0.5, reduction: 2)
    #expect(values(rise, "/status/peak") == [.float(-6)])
    #expect(values(rise, "/status/peak/text") == [.string("-6.0 dB")])
    #expect(values(rise, "/status/reduction") == [.float(6)])
    #expect(values(rise, "/status/reduction/text") == [.string("6.0 dB")])
    _ = watched.play(milliseconds: 5_000, peak: 0.5, reduction: 2)
    // A second after its end: 20 dB lower, with the highest still beside it.
    let fall = watched.play(milliseconds: 1_000, peak: 0)
    guard case .float(let level)? = values(fall, "/status/peak").last else {
      Issue.record("no level")
      return
    }
    #expect(abs(level + 26) < 1.5, "\(level)")
    #expect(values(fall, "/status/reduction").last == .float(0))
    #expect(values(fall, "/status/peak/text").allSatisfy { $0 == .string("-6.0 dB") })
    let rest = watched.play(milliseconds: 5_000, peak: 0)
    #expect(values(rest, "/status/peak").last == .float(-60))
    #expect(values(rest, "/status/peak/text").last == .string("-60.0 dB"))
    #expect(values(rest, "/status/reduction/text").last == .string("0.0 dB"))
    // What is said again where packets get lost, and then nothing.
    _ = watched.play(milliseconds: 5_000, peak: 0)
    #expect(watched.play(milliseconds: 10_000, peak: 0).isEmpty)
  }

  @Test("The highest is held for two seconds, and then the level of that moment is")
  func held() {
    var watched = Watched(tablet)
    _ = watched.play(milliseconds: 200, peak: 0.5)
    let held = values(watched.play(milliseconds: 1_850, peak: 0), "/status/peak/text")
    #expect(held.allSatisfy { $0 == .string("-6.0 dB") })
    let after = values(watched.play(milliseconds: 300, peak: 0), "/status/peak/text")
    guard case .string(let text)? = after.last else {
      Issue.record("it is still held")
      return
    }
    #expect(text.hasPrefix("-4"), "\(text)")
  }

  @Test("However they waver, a client gets at most twenty packets a second, with nothing else in them")
  func bounded() {
    var watched = Watched(tablet)
    var packets: [RecordedTransport.SentPacket] = []
    for index in 0..<1_000 {
      packets += watched.play(
        milliseconds: 5, peak: index % 60 < 12 ? 0.9 : 0.1, reduction: index % 70 < 9 ? 4 : 1)
    }
    #expect((50...101).contains(packets.count), "\(packets.count)")
    #expect(packets.flatMap(\.messages).allSatisfy { addresses.contains($0.address) })
    let bytes = packets.flatMap(\.messages).map(\.size).reduce(0, +)
    #expect(bytes < 5 * 3_000, "\(bytes)")
  }

  @Test(
    "The peaks of parts and outputs move while somebody looks, and are told over lossless transports only")
  func watched() {
    for isLossy in [true, false] {
      let harness = SurfaceHarness(over: RecordedTransport(replyPort: isLossy ? 9000 : nil, isLossy: isLossy))
      harness.send("/here", from: tablet, at: 0)
      _ = harness.packets(from: 0)
      let now = 100 * second
      harness.link.peaks.raise(.left, to: 0.5)
      harness.link.peaks.raise(.part(2), to: 2)
      harness.link.peaks.raise(.part(3), to: .infinity)
      harness.link.peaks.raise(.part(4), to: .nan)
      _ = harness.control.healthWatch.updateLevels(now)
      let told = harness.packets(from: now, until: now + second / 10)
      #expect(values(told, "/status/left") == (isLossy ? [] : [.float(-6)]))
      #expect(values(told, "/status/right") == [])
      #expect(values(told, "/part/3/peak") == (isLossy ? [] : [.float(6)]))
      #expect(values(told, "/part/4/peak") == (isLossy ? [] : [.float(120)]))
      #expect(values(told, "/part/5/peak") == [])
      harness.transport.answers.removeAll()
      harness.send("/part/3/peak", from: tablet, at: now)
      #expect(harness.transport.answers == [OSCMessage("/part/3/peak", .float(6))])
    }
  }

  @Test("What is no knob changes nothing that would be saved, and who asks is answered")
  func asked() {
    var watched = Watched(tablet)
    _ = watched.play(milliseconds: 60, peak: 1)
    watched.harness.transport.answers.removeAll()
    watched.harness.send("/status/peak", from: Peer(host: 0xC000_0209, port: 7), at: watched.now)
    #expect(watched.harness.transport.answers == [OSCMessage("/status/peak", .float(0))])
    #expect(watched.harness.clients.count == 1)
  }
}
