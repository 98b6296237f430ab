import Scratch
import Surface
import Testing

/// The memory of a service that a client floods.
struct FloodMemoryTests {
  /// Of 128 frames at 48 kHz, as pipit plays them without a choice.
  private static let blocksPerSecond = 375

  @Test("A flood of knobs, unknown addresses, patterns and notes takes no memory that is not given back")
  func flood() throws {
    let service = Service(try #require(freePort()))
    let tablet = try #require(TabletSocket())
    #expect(service.waits(for: "port") { $0 == "\(service.port)" })
    tablet.send("/subscribe", to: service.port)
    // The first storms take what a flood takes once, such as pages of the heap that are in pieces: 1.2 MB.
    var growths: [Int] = []
    repeat {
      let before = memoryAtRest(service)
      #expect(before > 0)
      #expect(storm(6_000, tablet, service))
      growths.append(memoryAtRest(service) - before)
    } while growths.count < 8 && growths.allSatisfy { $0 >= 96_000 }
    // A leak of one word for each message would be 192 kB in each storm.
    print("memory grew by \(growths) bytes in storms of 24,000 messages")
    #expect(growths.contains { $0 < 96_000 })
    #expect(service.stop() == 0)
  }

  /// The least memory in a second of the service's own time without a message: the heap grows by 1.3 MB in a storm,
  /// which are given back then. A service that is not let run does not give anything back.
  private func memoryAtRest(_ service: Service) -> Int {
    var least = service.memory
    guard let start = service.blocks else { return 0 }
    let isOver = eventually {
      least = min(least, service.memory)
      return service.blocks.map { $0 >= start + Self.blocksPerSecond } ?? false
    }
    return isOver ? least : 0
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
