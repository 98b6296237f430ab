import Glibc
import Parameters
import Synchronization
import Synth
import Testing

@testable import ALSA

/// What was logged, from any thread.
final class Lines: Sendable {
  private let lines = Mutex<[String]>([])
  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}

private func pause(_ seconds: Double) { usleep(UInt32(seconds * 1e6)) }

/// Waits until `condition` holds, ten seconds at most.
private func eventually(_ condition: () -> Bool) -> Bool {
  for _ in 0..<1000 {
    if condition() { return true }
    pause(0.01)
  }
  return false
}

@Suite(.serialized) struct OutputTests {
  @Test func theClockRendersAtTheRateAskedFor() throws {
    let link = Link(Scene.initial)
    let output = Output(device: .clock, rate: 48000, period: 256, link: link) { _ in }
    try output.start()
    defer { output.stop() }
    #expect(eventually { link.meters[.blocks] > 10 })
    let frames = link.meters[.frames]
    let began = monotonic()
    pause(1)
    let rendered = Double(link.meters[.frames] - frames)
    let seconds = Double(monotonic() - began) * 1e-9
    // Within four blocks: a busy machine wakes either thread late.
    #expect(abs(rendered - seconds * 48000) <= 4 * 256)
    #expect(link.meters[.frames] == link.meters[.blocks] * 256)
    #expect(link.meters[.card] == 0)
  }

  @Test func anEventIsStampedOneBlockAhead() throws {
    let link = Link(Scene.initial)
    let output = Output(device: .clock, rate: 48000, period: 480, link: link) { _ in }
    try output.start()
    defer { output.stop() }
    #expect(eventually { link.meters[.blocks] > 10 })
    let rendered = Int64(link.meters[.frames])
    let stamp = link.clock.frame(at: monotonic())
    // Between the block that is rendered now and the one after the next, and one for a late thread.
    #expect(stamp >= rendered - 480 && stamp <= rendered + 3 * 480)
  }

  @Test func itStopsAtOnceAndStartsAgain() throws {
    let link = Link(Scene.initial)
    let output = Output(device: .clock, rate: 48000, period: 128, link: link) { _ in }
    for _ in 0..<3 {
      try output.start()
      let blocks = link.meters[.blocks]
      #expect(eventually { link.meters[.blocks] > blocks + 5 })
      let began = monotonic()
      output.stop()
      #expect(monotonic() - began < 500_000_000)
      let after = link.meters[.blocks]
      pause(0.05)
      #expect(link.meters[.blocks] == after)
    }
  }

  @Test func retiredImagesDrainWhileItRunsAndAfter() throws {
    let link = Link(Scene.initial)
    let output = Output(device: .clock, rate: 48000, period: 128, link: link) { _ in }
    try output.start()
    for _ in 0..<20 { link.scene.publish(Scene.initial) }
    #expect(
      eventually {
        link.scene.service()
        return link.scene.retiredCount == 0
      })
    output.stop()
    link.scene.publish(Scene.initial)
    #expect(link.scene.retiredCount == 0)
  }

  @Test func aCardThatIsNotThereIsSaidOnceAndTheClockPlays() throws {
    let link = Link(Scene.initial)
    let lines = Lines()
    let output = Output(device: .name("hw:CARD=Nowhere"), rate: 48000, period: 128, link: link) {
      lines.add($0)
    }
    try output.start()
    pause(1)
    #expect(link.meters[.frames] > 20000)
    #expect(lines.all.filter { $0.contains("hw:CARD=Nowhere") }.count == 1)
    #expect(output.playing.contains("clock"))
    output.stop()
  }

  // ALSA's own plugin that takes everything at once: a PCM without a clock.
  @Test func aPCMThatNeverBlocksDoesNotRunAway() throws {
    let link = Link(Scene.initial)
    let output = Output(device: .name("null"), rate: 48000, period: 256, link: link) { _ in }
    try output.start()
    pause(1)
    #expect(output.playing.contains("null, 48000 Hz"))
    #expect(link.meters[.card] == 1)
    let frames = link.meters[.frames]
    pause(1)
    let rendered = Double(link.meters[.frames] - frames)
    // 1 % for the time until it is found out, and four blocks as above.
    #expect(abs(rendered - 48000) < 480 + 1024 + 2400)
    let began = monotonic()
    output.stop()
    #expect(monotonic() - began < 500_000_000)
  }
}
