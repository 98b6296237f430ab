import Scratch
import Surface
import System
import Testing

/// The memory of a service that a client floods.
struct FloodMemoryTests {
  /// By how much memory may grow in a storm, bytes.
  private static let most = 96_000

  @Test("A flood of knobs, unknown addresses, patterns and notes takes no memory that is not given back")
  func flood() throws {
    let service = Service(try #require(freePort()))
    let tablet = try #require(TabletSocket())
    #expect(service.waits(for: "port") { $0 == "\(service.port)" })
    tablet.send("/subscribe", to: service.port)
    // The first storms take what a flood takes once, such as pages of the heap that are in pieces: 0.6 MB.
    var growths: [Int] = []
    var before = memoryAtRest(service, atMost: 0)
    #expect(before > 0)
    repeat {
      #expect(storm(6_000, tablet, service))
      let after = memoryAtRest(service, atMost: before + Self.most)
      growths.append(after - before)
      before = after
    } while growths.count < 8 && growths.allSatisfy { $0 > Self.most }
    // A leak of one word for each message would be 192 kB in each storm.
    print("memory grew by \(growths) bytes in storms of 24,000 messages")
    #expect(growths.contains { $0 <= Self.most })
    #expect(service.stop() == 0)
  }

  /// The memory once it is no more than `most`, or has been the same for three seconds without a message: the heap grows
  /// by 1.3 MB in a storm, which are given back then.
  private func memoryAtRest(_ service: Service, atMost most: Int) -> Int {
    var (memory, since) = (service.memory, monotonic())
    _ = eventually {
      let now = service.memory
      if now != memory { (memory, since) = (now, monotonic()) }
      return memory <= most || monotonic() - since > 3_000_000_000
    }
    return memory
  }

  /// Sends four messages for each of `count` steps. True if the service answered in between.
  private func storm(_ count: Int, _ tablet: TabletSocket, _ service: Service) -> Bool {
    for index in 0..<count {
      tablet.send("/filter/cutoff", [.float(Float(index % 100) / 100)], to: service.port)
      tablet.send("/filter/cutof", [.float(1)], to: service.port)
      tablet.send("/part/*/level", [.float(Float(index % 7) / 7)], to: service.port)
      tablet.send("/note/60", [.int(index % 2)], to: service.port)
      if index % 50 == 49, !isAnswered(tablet, service) { return false }
    }
    return true
  }

  /// True once all that was sent has been handled: a question is answered last.
  private func isAnswered(_ tablet: TabletSocket, _ service: Service) -> Bool {
    eventually {
      tablet.send("/filter/resonance", to: service.port)
      return tablet.missing(["/filter/resonance"], within: 100_000_000).isEmpty
    }
  }
}
