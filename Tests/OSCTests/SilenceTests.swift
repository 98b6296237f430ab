import Control
import Parameters
import Presets
import Synth
import Testing

@testable import OSC

/// What happens with time, on times that the test gives.
struct SilenceTests {
  private let second: Int64 = 1_000_000_000
  private let tablet = Source(host: "192.0.2.1", port: "50000")

  private func dispatch() -> (Dispatch, Link) {
    let link = Link(.initial)
    let library = Library(database: nil, factory: nil, log: { _ in })
    let control = Control(link: link, library: library, log: { _ in })
    return (Dispatch(control, replyPort: 9000), link)
  }

  private func send(
    _ dispatch: Dispatch, _ address: String, _ numbers: Double..., from source: Source, at now: Int64
  ) {
    dispatch.message(address, .success(numbers.map { .number($0) }), from: source, now: now) { _ in }
  }

  /// How many messages leave until nothing is left to do.
  private func sent(_ dispatch: Dispatch, from start: Int64) -> Int {
    var count = 0
    var now: Int64? = start
    while let time = now {
      now = dispatch.feedback.turn(dispatch.clients.all, now: time) { count += $1.count }
      if let next = now { #expect(next >= time && next < start + 5 * second) }
    }
    return count
  }

  @Test("Who comes back after five seconds is shown everything anew; who goes on is not")
  func absence() {
    let (dispatch, _) = dispatch()
    send(dispatch, "/filter/cutoff", 0.5, from: tablet, at: 0)
    let all = sent(dispatch, from: 0)
    #expect(all == 2 * Face.all.count)
    send(dispatch, "/filter/cutoff", 0.6, from: tablet, at: 4 * second)
    // Two addresses and two texts, twice.
    #expect(sent(dispatch, from: 4 * second) == 8)
    send(dispatch, "/filter/cutoff", 0.6, from: tablet, at: 10 * second)
    #expect(sent(dispatch, from: 10 * second) == all)
  }

  @Test("After ten minutes of silence what was held is let go; a tablet stays, a subscription ends")
  func silence() throws {
    let (dispatch, link) = dispatch()
    let program = Source(host: "192.0.2.2", port: "50001")
    send(dispatch, "/note/60", 1, from: tablet, at: 0)
    send(dispatch, "/subscribe", from: program, at: 0)
    #expect(dispatch.clients.all.map(\.port) == ["9000", "50001"])
    #expect(dispatch.expire(599 * second) == 600 * second)
    #expect(link.control.peek()?.pointee.kind == .noteOn)
    link.control.drop()
    #expect(link.control.peek() == nil)
    #expect(dispatch.expire(600 * second) == nil)
    #expect(link.control.peek()?.pointee.kind == .sourceGone)
    #expect(dispatch.clients.all.map(\.port) == ["9000"])
  }

  @Test("Nobody is sent everything twice, however it subscribes")
  func twice() {
    let (dispatch, _) = dispatch()
    var ports: [String] { dispatch.clients.all.map(\.port) }
    let other = Source(host: tablet.host, port: "50001")
    send(dispatch, "/subscribe", from: tablet, at: 0)
    #expect(ports == ["50000"])
    send(dispatch, "/subscribe", 9000, from: tablet, at: 0)
    #expect(ports == ["9000"])
    // The tablet's application has started anew and sends from another port.
    send(dispatch, "/subscribe", 9000, from: other, at: 0)
    send(dispatch, "/filter/cutoff", 0, from: tablet, at: 0)
    #expect(ports == ["9000"])
    // A program beside it.
    send(dispatch, "/subscribe", 7000, from: other, at: 0)
    #expect(ports == ["9000", "7000"])
    send(dispatch, "/subscribe", 7001, from: other, at: 0)
    #expect(ports == ["9000", "7001"])
    send(dispatch, "/subscribe", 7001, from: tablet, at: 0)
    #expect(ports == ["9000", "7001"])
  }

  @Test("A storm of recalls does not take more than fifty packets a second to a client")
  func storm() {
    let (dispatch, _) = dispatch()
    send(dispatch, "/sync", from: tablet, at: 0)
    _ = sent(dispatch, from: 0)
    var packets = 0
    for millisecond in 0..<1000 {
      let now = 100 * second + Int64(millisecond) * 1_000_000
      for row in 0..<20 {
        dispatch.control.set(Knob(row: row, part: 0), to: Float(millisecond % 7))
      }
      _ = dispatch.feedback.turn(dispatch.clients.all, now: now) { _, messages in
        packets += 1
        #expect(messages.map(\.size).reduce(Message.bundleHead, +) <= Limits.packetBytes)
      }
    }
    #expect((30...50).contains(packets))
  }
}
