import Glibc
import Parameters
import Scenes
import Scratch
import Synth
import System
import Testing
@testable import ALSA

/// What was logged, from any thread.
final class Lines: Sendable {
  private let lines = Mutex<[String]>([])
  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}

/// Lets time go by, where what is rendered in it is the question, or that nothing is.
private func pause(_ seconds: Double) { sleep(until: monotonic() + Int64(seconds * 1e9)) }

@Suite("The audio output", .serialized) struct AudioOutputTests {
  /// Less than any thread of the output waits unless it is woken, nanoseconds. A busy machine may take longer, but not
  /// each time.
  private static let atOnce: Int64 = 200_000_000

  /// How long a stop takes.
  private func stop(_ output: AudioOutput) -> Int64 {
    let began = monotonic()
    output.stop()
    return monotonic() - began
  }

  @Test("The clock renders blocks at the requested sample rate without a card") func clockRate() throws {
    let link = Link(Scene.initial)
    let output = AudioOutput(device: .clock, rate: 48000, period: 256, link: link) { _ in }
    try output.start()
    defer { output.stop() }
    #expect(eventually { link.meters[.blocks] > 10 })
    // A block is due at the time that its frame has at the rate, never before, and later only after half a second in
    // which the machine did not let the thread run.
    let isExact = eventually {
      let (first, xruns) = (link.clock.now, link.meters[.xruns])
      #expect(eventually { link.clock.now.frame >= first.frame + 37 * 256 })
      let last = link.clock.now
      #expect(monotonic() >= last.nanoseconds)
      let frames = Double(last.nanoseconds - first.nanoseconds) * 48e-6
      return link.meters[.xruns] == xruns && abs(Double(last.frame - first.frame) - frames) < 1
    }
    #expect(isExact)
    #expect(link.meters[.card] == 0)
  }

  @Test("An event is stamped about one block ahead of the frame that is rendered") func eventStamp() throws {
    let link = Link(Scene.initial)
    let output = AudioOutput(device: .clock, rate: 48000, period: 480, link: link) { _ in }
    try output.start()
    defer { output.stop() }
    #expect(eventually { link.meters[.blocks] > 10 })
    let before = Int64(link.meters[.frames])
    let stamp = link.clock.frame(at: monotonic())
    let after = Int64(link.meters[.frames])
    // Between the block that is rendered now and the one after the next, and one for a late thread.
    #expect(stamp >= before && stamp <= after + 3 * 480)
  }

  // As when a card hangs: what is played meanwhile must not hold up what is played afterwards.
  @Test("A key pressed while the audio stands still is heard as soon as rendering goes on")
  func frozenOutput() throws {
    let link = Link(Scene.initial)
    let output = AudioOutput(device: .clock, rate: 48000, period: 256, link: link) { _ in }
    try output.start()
    defer { output.stop() }
    #expect(eventually { link.meters[.blocks] > 10 })
    link.faultInjection.isFrozen = true
    // Longer than a frame may be ahead: a block and 10 ms.
    pause(0.1)
    let stamp = link.clock.frame(at: monotonic())
    #expect(stamp <= Int64(link.meters[.frames]) + 2 * 256 + 480)
    link.faultInjection.isFrozen = false
    #expect(eventually { Int64(link.meters[.frames]) > stamp })
  }

  @Test("The output stops within 200 ms and can be started again") func stopAndStart() throws {
    let link = Link(Scene.initial)
    let output = AudioOutput(device: .clock, rate: 48000, period: 128, link: link) { _ in }
    var fastest = Int64.max
    for round in 0..<30 where round < 3 || fastest > Self.atOnce {
      try output.start()
      let blocks = link.meters[.blocks]
      #expect(eventually { link.meters[.blocks] > blocks + 5 })
      fastest = min(fastest, stop(output))
      let after = link.meters[.blocks]
      pause(0.05)
      #expect(link.meters[.blocks] == after)
    }
    #expect(fastest < Self.atOnce)
  }

  @Test("Retired scene images are freed while the output runs and after it has stopped")
  func retiredImages() throws {
    let link = Link(Scene.initial)
    let output = AudioOutput(device: .clock, rate: 48000, period: 128, link: link) { _ in }
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

  @Test("A missing card is logged once, after two seconds, while the clock plays") func missingCard() throws {
    let link = Link(Scene.initial)
    let lines = Lines()
    let output = AudioOutput(device: .name("hw:CARD=Nowhere"), rate: 48000, period: 128, link: link) {
      lines.add($0)
    }
    try output.start(monitoring: false)
    let cells = try #require(output.cells)
    for search in 1...200 {
      // A quarter of a second for half a minute, then a second.
      #expect(output.monitor.pause(output.device) == (search <= 119 ? 250_000_000 : 1_000_000_000))
      output.monitorCards(cells, at: monotonic())
      // Not before it has lasted for two seconds, and once.
      #expect(lines.all.filter { $0.contains("hw:CARD=Nowhere") }.count == (search < 8 ? 0 : 1))
    }
    #expect(lines.all.last?.hasPrefix("<4>") == true)
    #expect(output.playing.contains("clock"))
    let blocks = link.meters[.blocks]
    #expect(eventually { link.meters[.blocks] > blocks + 10 })
    output.stop()
  }

  // How exactly it is held to its rate AudioLoopTests show.
  @Test("A PCM that never blocks does not run ahead by more than about half a second")
  func neverBlocks() throws {
    let link = Link(Scene.initial)
    let output = AudioOutput(device: .name("null"), rate: 48000, period: 256, link: link) { _ in }
    let began = monotonic()
    try output.start()
    // Half a second at once, before it is found out.
    #expect(eventually { link.meters[.frames] > 24_000 })
    #expect(output.playing.contains("null, 48000 Hz"))
    #expect(link.meters[.card] == 1)
    pause(0.2)
    let frames = link.meters[.frames]
    #expect(Double(frames) < Double(monotonic() - began) * 48.5e-6 + 26_000)
    // And it goes on.
    #expect(eventually { link.meters[.frames] > frames + 9_600 })
    #expect(Double(link.meters[.frames]) < Double(monotonic() - began) * 48.5e-6 + 26_000)
    output.stop()
  }

  // ALSA's own plugin that writes what it is given into a file, without a kernel's help.
  @Test("A note reaches the card at its stamped frame and fades out without a step when stopped")
  func renderedNote() throws {
    let folder = "/tmp/pipit-alsa-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    mkdir(folder, 0o700)
    defer {
      unlink(folder + "/card")
      rmdir(folder)
    }
    let link = Link(Scene.initial)
    let output = AudioOutput(
      device: .name("file:FILE=\(folder)/card,FORMAT=raw"), rate: 48000, period: 256, link: link
    ) { _ in }
    try output.start()
    // A file takes half a second at once before the loop finds out that it keeps no time.
    #expect(eventually { link.meters[.frames] > 36000 })
    // A tenth of a second ahead, and nothing is rendered meanwhile: whatever else the machine does, the event is there in
    // time.
    link.faultInjection.isFrozen = true
    let stamp = link.clock.frame(at: monotonic()) + 4800
    link.midi.push(Event(frame: stamp, kind: .noteOn, note: 69, value: 1))
    link.faultInjection.isFrozen = false
    #expect(eventually { Int64(link.meters[.frames]) > stamp + 4800 })
    #expect(link.meters[.voices] == 1)
    #expect(link.takeDecibels() > -40)
    output.stop()

    // Two channels of Float, as the plugin takes them first.
    let samples = try #require(floats(folder + "/card"))
    let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    #expect(left.count > 24000)
    // The note begins where it was stamped, behind one block of silence that fills the card.
    let begin = try #require(left.firstIndex { $0 != 0 })
    // The limiter is a millisecond late, and the first sample of a sine may be zero. Measured: 305.
    #expect(begin >= Int(stamp) + 256 && begin < Int(stamp) + 256 + 64)
    // It was sounding when it was stopped, and yet it ends without a step.
    #expect(abs(left.last ?? 1) < 1e-4)
    let steps = zip(left, left.dropFirst()).map { abs($0 - $1) }
    let loudest = left.map(abs).max() ?? 0
    #expect(loudest > 0.01 && (steps.suffix(256).max() ?? 1) <= (steps.dropLast(256).max() ?? 0))
  }

  @Test("A new rate and period are applied during playback, and kept after two seconds")
  func newSettings() throws {
    let link = Link(Scene.initial)
    let lines = Lines()
    let output = AudioOutput(device: .name("null"), rate: 48000, period: 256, link: link) { lines.add($0) }
    try output.start()
    defer { output.stop() }
    #expect(eventually { link.meters[.card] == 1 && output.state.rate == 48000 })
    output.choose(rate: 44_100)
    #expect(eventually { link.meters[.card] == 1 && output.state.rate == 44_100 })
    output.choose(period: 64)
    #expect(eventually { link.meters[.card] == 1 && output.state.period == 64 })
    // Both are proved by having played for two seconds.
    #expect(eventually { output.state.memory.rate == 44_100 && output.state.memory.period == 64 })
    #expect(lines.all.last == "Kept: 64 frames")
    #expect(output.state.undone.isEmpty)
  }

  @Test("A card that appears while the clock plays takes over from the clock") func cardAppears() throws {
    let folder = "/tmp/pipit-alsa-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    let link = Link(Scene.initial)
    let lines = Lines()
    let output = AudioOutput(
      device: .name("file:FILE=\(folder)/card,FORMAT=raw"), rate: 48000, period: 256, link: link
    ) { lines.add($0) }
    try output.start()
    #expect(eventually { link.meters[.blocks] > 10 } && link.meters[.card] == 0)
    mkdir(folder, 0o700)
    defer {
      unlink(folder + "/card")
      rmdir(folder)
    }
    #expect(eventually { link.meters[.card] == 1 })
    // Said a moment after it plays.
    #expect(eventually { lines.all.last?.hasPrefix("Playing on file:") == true })
    output.stop()
    #expect(link.meters[.card] == 0)
  }

  @Test("A card with another rate gets an engine of that rate, and frame numbers continue")
  func otherRate() throws {
    let link = Link(Scene.initial)
    let output = AudioOutput(device: .clock, rate: 48000, period: 256, link: link) { _ in }
    try output.start(monitoring: false)
    defer { output.stop() }
    #expect(eventually { link.meters[.blocks] > 20 })
    let pcm = UnsafeMutablePointer<PCM>.allocate(capacity: 1)
    pcm.initialize(to: try PCM.open("null", rate: 44100, period: 128))
    output.monitor.pcm = pcm
    output.restart(on: pcm)
    let blocks = link.meters[.blocks]
    #expect(eventually { link.meters[.card] == 1 && link.meters[.blocks] > blocks + 20 })
    #expect(output.monitor.engineRate == 44100)
    // One frame line through both: what the clock says now lies just ahead of all that was rendered.
    let before = Int64(link.meters[.frames])
    let stamp = link.clock.frame(at: monotonic())
    let after = Int64(link.meters[.frames])
    #expect(stamp > before - 44100 && stamp < after + 44100)
    for _ in 0..<20 { link.scene.publish(Scene.initial) }
    #expect(
      eventually {
        link.scene.service()
        return link.scene.retiredCount == 0
      })
  }
}

extension Link {
  /// The loudest sample since the last call, decibels.
  fileprivate func takeDecibels() -> Float { 20 * log10(max(meters.takePeak(), 1e-9)) }
}

/// The floats of a file.
private func floats(_ path: String) -> [Float]? {
  guard let file = fopen(path, "rb") else { return nil }
  defer { fclose(file) }
  var samples: [Float] = []
  var buffer = [Float](repeating: 0, count: 4096)
  while true {
    let count = fread(&buffer, 4, buffer.count, file)
    if count == 0 { return samples }
    samples += buffer.prefix(count)
  }
}
