import Parameters
import Scenes
import Synth
import Testing
@testable import Control
@testable import Surface

/// Ranges, learning, split and layer as a tablet sees them.
struct KeyboardNodeTests {
  private let second: Int64 = 1_000_000_000
  private let tablet = Peer(host: 0x0A00_0002, port: 50_000)

  /// What a tablet that is there is told of from `now` on.
  private func told(_ harness: SurfaceHarness, at now: Int64) -> [String: OSCValue] {
    let messages = harness.packets(from: now, until: now + second / 2).flatMap(\.messages)
    return Dictionary(messages.map { ($0.address, $0.value) }) { $1 }
  }

  private func harness() -> SurfaceHarness {
    let harness = SurfaceHarness()
    harness.send("/here", from: tablet, at: 0)
    _ = harness.packets(from: 0)
    return harness
  }

  @Test("A range is set by key names and numbers, and the end that it takes along is told")
  func ranges() {
    let harness = harness()
    harness.send("/key/low/key", "C3", from: tablet, at: 100 * second)
    harness.send("/key/high/key", 40, from: tablet, at: 100 * second)
    #expect(harness.control.ranges.keys(part: 0) == "E2 to E2")
    let told = told(harness, at: 100 * second)
    #expect(told["/key/low/text"] == .string("E2") && told["/key/high/text"] == .string("E2"))
    #expect(told["/key/low"] == .float(40.0 / 127) && told["/part/1/key/range"] == .string("E2 to E2"))
    harness.send("/part/3/key/transpose/semitones", -12, from: tablet, at: 101 * second)
    #expect(harness.control.stage.scene[2].input.transpose == -12)
    harness.send("/part/3/hear/pedal", 0, from: tablet, at: 101 * second)
    #expect(harness.control.stage.scene[2].input.received.pedal == 0)
    #expect(harness.transport.answers.isEmpty)
    harness.send("/key/low/key", "H3", from: tablet, at: 102 * second)
    #expect(harness.transport.answers.contains { $0.address == "/error" })
  }

  @Test("LEARN is lit until the second key, SPLIT until its key; then what is split is lit")
  func lamps() {
    let harness = harness()
    func play(_ key: Double, at now: Int64) {
      for velocity in [0.8, 0] { harness.send("/note", key, velocity, from: tablet, at: now) }
    }
    var now = 100 * second
    harness.send("/part/2/key/learn", 1, from: tablet, at: now)
    harness.send("/part/2/key/learn", 0, from: tablet, at: now)
    #expect(told(harness, at: now)["/part/2/key/learn/armed"] == .int(1))
    now += second
    play(48, at: now)
    #expect(told(harness, at: now)["/part/2/key/learn/armed"] != .int(0))
    play(60, at: now + second / 2)
    let learnt = told(harness, at: now + second / 2)
    #expect(learnt["/part/2/key/learn/armed"] == .int(0))
    #expect(learnt["/part/2/key/range"] == .string("C3 to C4"))
    now += 10 * second
    harness.send("/split", 1, from: tablet, at: now)
    #expect(told(harness, at: now)["/split/armed"] == .int(1))
    play(64, at: now + second)
    let split = told(harness, at: now + second)
    #expect(split["/split/armed"] == .int(0) && split["/split/on"] == .int(1))
    #expect(split["/part/2/key/range"] == .string("E4 to G9") && split["/part/2/on"] == .float(1))
    now += 10 * second
    harness.send("/layer", from: tablet, at: now)
    let layer = told(harness, at: now)
    #expect(layer["/split/on"] == .int(0) && layer["/layer/on"] == .int(1))
    // The mixer's switch ends it as well.
    now += 10 * second
    harness.send("/part/2/on", 0, from: tablet, at: now)
    #expect(told(harness, at: now)["/layer/on"] == .int(0))
    now += 10 * second
    harness.send("/split/at", "C4", from: tablet, at: now)
    #expect(harness.control.ranges.sharing == .split && harness.control.ranges.splitKey == 60)
    harness.send("/single", 1, from: tablet, at: now + second)
    #expect(harness.control.ranges.sharing == .single)
    #expect(harness.transport.answers.isEmpty)
    for wrong in ["H9", ""] { harness.send("/split/at", wrong, from: tablet, at: now + 2 * second) }
    for (key, low) in [(127, 127), (0, 1)] {
      harness.send("/split/at", Double(key), from: tablet, at: now + 2 * second)
      #expect(harness.control.ranges.splitKey == low)
    }
    harness.send("/single", 1, from: tablet, at: now + 2 * second)
    harness.send("/split/at", 128, from: tablet, at: now + 2 * second)
    #expect(harness.transport.answers.filter { $0.address == "/error" }.count >= 3)
    #expect(harness.control.ranges.sharing == .single)
  }

  /// From the tablet's key to what is heard.
  @Test("A key of the tablet after a split sounds on the part that has it")
  func played() {
    let harness = harness()
    harness.send("/split/at", 60, from: tablet, at: second)
    var engine = Engine(rate: 48_000, link: harness.link)
    let (left, right) = ([Float](repeating: 0, count: 2_400), [Float](repeating: 0, count: 2_400))
    var now = second
    func sounds(_ key: Int, muted: Int) -> Bool {
      now += second
      var (left, right, peak) = (left, right, Float(0))
      for part in 1...2 {
        harness.send("/part/\(part)/mute", part == muted ? 1 : 0, from: tablet, at: second)
      }
      harness.send("/note/\(key)", 1, from: tablet, at: second)
      _ = harness.control.update(now)
      for block in 0..<20 {
        if block == 10 { harness.send("/panic", from: tablet, at: second) }
        left.withUnsafeMutableBufferPointer { left in
          right.withUnsafeMutableBufferPointer { right in
            guard let left = left.baseAddress, let right = right.baseAddress else { return }
            engine.render(left: left, right: right, frames: 2_400)
          }
        }
        // The fader of a strip moves over a few milliseconds.
        if (5..<10).contains(block) { peak = left.reduce(peak) { max($0, $1.magnitude) } }
      }
      return peak > 0.01
    }
    #expect(sounds(48, muted: 2) && !sounds(48, muted: 1))
    #expect(sounds(72, muted: 1) && !sounds(72, muted: 2))
    harness.send("/layer", from: tablet, at: second)
    #expect(sounds(72, muted: 1) && sounds(72, muted: 2))
  }
}
